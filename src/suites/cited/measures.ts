import { eventsTold } from '../../language/events.js'
import { porterStem } from '../../language/stems.js'
import type { Question } from '../../model/index.js'

/** What papers print of answers beside a grade. */
export function wordMeasures({ gold }: Pick<Question, 'gold'>, answer: string): Record<string, number> {
  if (gold.kind === 'criteria') return {}
  if (gold.kind === 'sequence') return { tau: orderTau(gold.items.length, eventsTold(gold.items, answer)) }
  if (gold.kind === 'abstain') return { f1: Number(/no information available|not mentioned/i.test(answer)) }
  const f1 = gold.kind === 'list' ? listF1(gold.text, answer) : wordF1(gold.text, answer)
  return { f1, bleu: bleu1(gold.text, answer) }
}

/**
 * F1 of the words of two texts, stemmed, without articles and punctuation: the number that LoCoMo's paper prints.
 *
 * @example wordF1('7 May 2023', 'On the 7th of May 2023') // 0.5
 */
function wordF1(gold: string, answer: string): number {
  const [wanted, given] = [wordsOf(gold), wordsOf(answer)]
  const shared = sharedCount(wanted, given)
  if (shared === 0) return 0
  const [precision, recall] = [shared / given.length, shared / wanted.length]
  return (2 * precision * recall) / (precision + recall)
}

/** Of answers with several parts, told apart by commas: the mean over the parts of how well any part of the answer has each. */
function listF1(gold: string, answer: string): number {
  const [wanted, given] = [gold.split(','), answer.split(',')]
  const best = wanted.map((part) => Math.max(...given.map((one) => wordF1(part, one))))
  return best.reduce((sum, one) => sum + one, 0) / best.length
}

/** BLEU of single words, with the penalty for brevity: the number that mem0's paper prints as B1. */
function bleu1(gold: string, answer: string): number {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:'\p{L}+)?|[^\s\p{L}\p{N}]/gu) ?? []
  const [wanted, given] = [words(gold), words(answer)]
  if (given.length === 0) return 0
  // Where nothing is shared, the papers' smoothing counts a tenth of a word.
  const precision = Math.max(sharedCount(wanted, given), 0.1) / given.length
  return Math.min(1, precision * (given.length >= wanted.length ? 1 : Math.exp(1 - wanted.length / given.length)))
}

/**
 * How well the order in which events are told agrees with theirs: Kendall's tau-b, put between 0 and 1, as the code of BEAM reckons it. Events
 * that are missing come last together in what was told, and what is no event comes last in what was expected.
 *
 * @param told which of the events each part of an answer tells; null where it tells none
 * @example orderTau(3, [0, 2]) // 2 / 3: of three pairs two stand in order
 */
function orderTau(events: number, told: readonly (number | null)[]): number {
  const others = told.flatMap((event, place) => (event === null ? [place] : []))
  const last = events + others.length
  const ranks = [
    ...Array.from({ length: events }, (_, event) => {
      const place = told.indexOf(event)
      return { expected: event, given: place < 0 ? last : place }
    }),
    ...others.map((place) => ({ expected: last, given: place })),
  ]
  let [agreed, byExpected, byGiven] = [0, 0, 0]
  for (const [i, one] of ranks.entries())
    for (const other of ranks.slice(0, i)) {
      const [expected, given] = [Math.sign(one.expected - other.expected), Math.sign(one.given - other.given)]
      agreed += expected * given
      byExpected += expected ** 2
      byGiven += given ** 2
    }
  const pairs = Math.sqrt(byExpected * byGiven)
  return pairs === 0 ? 0 : (agreed / pairs + 1) / 2
}

function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '')
  return plain
    .replace(/\b(?:a|an|the|and)\b/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(porterStem)
}

function sharedCount(wanted: readonly string[], given: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of given) {
    const count = left.get(word) ?? 0
    if (count > 0) shared++
    left.set(word, count - 1)
  }
  return shared
}
