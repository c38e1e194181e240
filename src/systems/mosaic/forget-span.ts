import { fold, words } from '../../base/text.js'
import { analyze } from './note.js'

/** A part of a statement that is to go. */
export interface ForgetSpan {
  from: number
  to: number
  /** How much of the item it has, and of how much it has nothing else: 0 to 1. */
  likeness: number
}

/** Words of a statement that are looked at, since every run of them is. */
const COMPARED = 200
/** What stands between things side by side, and what may stand between that and one of them. */
const SIDE = '[,;]|\\b(?:and|or|plus|along with|as well as)\\b'
const SIDE_BEFORE = new RegExp(
  `(?:${SIDE})(?:\\s+(?:and|or|also|to|an?|the|my|our|your))*(?:\\s+[^\\s,;]+){0,2}\\s*["'\\u2018\\u201c]?$`,
  'i',
)
const SIDE_BEHIND = new RegExp(`^[.,]?["'\\u2019\\u201d]?(?:\\s+[^\\s,;]+)?\\s*(?:${SIDE})(?=\\s)`, 'i')

/**
 * The part of a statement that is an item: its own words, or else what is most like it, from a word that both have to another. Null where
 * they have nothing in common.
 */
export function spanOf(statement: string, item: string): ForgetSpan | null {
  const told = wordsOf(statement)
  const wanted = words(item)
  const same = told.findIndex((_, at) => wanted.length > 0 && wanted.every((word, i) => told[at + i]?.word === word))
  if (same >= 0) return { from: told[same]!.from, to: told[same + wanted.length - 1]!.to, likeness: 1 }
  const terms = new Set(analyze(item))
  const read = told.map((word) => ({ ...word, terms: analyze(word.word) }))
  let best: ForgetSpan | null = null
  for (const [i, first] of read.entries()) {
    if (!first.terms.some((term) => terms.has(term))) continue
    const has = new Set<string>()
    let both = 0
    for (const word of read.slice(i)) {
      for (const term of word.terms) {
        if (terms.has(term) && !has.has(term)) both++
        has.add(term)
      }
      const likeness = (2 * both) / (terms.size + has.size)
      if (likeness > (best?.likeness ?? 0)) best = { from: first.from, to: word.to, likeness }
    }
  }
  return best
}

/** Whether a part of a statement is one of several things that stand side by side. */
export function isOneOfSeveral(statement: string, { from, to }: ForgetSpan): boolean {
  return SIDE_BEFORE.test(statement.slice(0, from)) || SIDE_BEHIND.test(statement.slice(to))
}

interface PlacedWord {
  word: string
  from: number
  to: number
}

function wordsOf(text: string): PlacedWord[] {
  const found = [...text.matchAll(/[\p{L}\p{N}]+(?:['\u2019\-.:][\p{L}\p{N}]+)*/gu)].slice(0, COMPARED)
  return found.map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length,
  }))
}
