import { defineJudge, type FactVerdict } from 'memscope'

/*
 * A judge that takes a fact for kept where one memory holds most of its words, and an answer for right where it holds most of the gold's.
 * It is uncertain near its limits.
 *
 *   memscope check ./own-judge.ts
 *   memscope judge eval --gold cases.jsonl --judge ./own-judge.ts
 *   memscope redo last --fact-judge ./own-judge.ts:most=0.8
 */

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** The share of the words of one text that stand in another. */
function shareOf(text: string, within: string): number {
  const [wanted, there] = [wordsOf(text), wordsOf(within)]
  return wanted.size === 0 ? 0 : [...wanted].filter((word) => there.has(word)).length / wanted.size
}

export default defineJudge({
  about: 'goes by the share of words that are there',
  options: {
    most: { default: '0.9', about: 'share of words from which a fact is whole' },
    some: { default: '0.5', about: 'share of words from which there is a trace of it' },
  },
  create({ options }) {
    const [most, some] = [Number(options.most), Number(options.some)]
    return {
      async judgeFacts(facts, store) {
        return facts.map(({ id, text }): FactVerdict => {
          const shares = store.map((memory) => ({ memory, share: shareOf(text, memory.text) }))
          const best = Math.max(0, ...shares.map(({ share }) => share))
          const label = best >= most ? 'correct' : best >= some ? 'summary_error' : 'not_stored'
          const found = shares.filter(
            ({ share }) => label !== 'not_stored' && share >= (label === 'correct' ? most : some),
          )
          return {
            fact: id,
            label,
            uncertain: Math.min(Math.abs(best - most), Math.abs(best - some)) < 0.1,
            support: found.map(({ memory }) => [memory.id]).sort(),
            reason: `The nearest memory holds ${Math.round(100 * best)} % of its words.`,
            quotes: [],
          }
        })
      },
      async judgeAnswer({ gold }, answer) {
        const share = shareOf(gold.text, answer)
        const reason = `It holds ${Math.round(100 * share)} % of the words that were expected.`
        return { grade: share >= most ? 'right' : 'wrong', uncertain: Math.abs(share - most) < 0.1, reason }
      },
    }
  },
})
