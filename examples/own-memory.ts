import { defineSystem, type Memory } from 'memscope'

/*
 * A memory that keeps every turn as said and finds by words that are rare in what it holds.
 *
 *   memscope check ./own-memory.ts
 *   memscope run --system ./own-memory.ts,bm25 --k 1,5,10
 *   memscope run --system ./own-memory.ts:roles=user --k 5
 */

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

export default defineSystem({
  about: 'every turn as said, found by its rare words',
  class: 'raw',
  options: { roles: { default: 'all', about: 'whose turns are kept: all or user' } },
  create(_context, { roles }) {
    const notes: (Memory & { words: Set<string> })[] = []
    const holders = new Map<string, number>()
    return {
      async store({ id, time, turns }) {
        for (const [i, { role, text }] of turns.entries()) {
          if (roles === 'user' && role !== 'user') continue
          const words = new Set(wordsOf(text))
          for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1)
          notes.push({ id: `${id}#${i}`, text, time, sources: [id], words })
        }
      },
      async retrieve({ text }, k) {
        const asked = [...new Set(wordsOf(text))].filter((word) => holders.has(word))
        const weight = (word: string) => Math.log(1 + notes.length / holders.get(word)!)
        const scored = notes.map(({ words, ...note }) => ({
          ...note,
          score: asked.reduce((sum, word) => sum + (words.has(word) ? weight(word) : 0), 0),
        }))
        return scored
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score)
          .slice(0, k)
      },
      async dump() {
        return notes.map(({ words: _, ...note }) => note)
      },
    }
  },
})
