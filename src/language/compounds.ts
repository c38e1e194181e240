import { FUNCTION_WORDS } from './function-words.js'
import { lemmas } from './morphology.js'
import { isWord } from './wordnet.js'

/** Where a word written as one may come apart. */
export interface Seams {
  /** Letters before each place, in order. */
  at: readonly number[]
  /** A space will do as well as a hyphen: the word as one is in no dictionary, so that nothing else can be meant. */
  open: boolean
}

const known = new Map<string, Seams>()
const MOST = 50_000

/**
 * The places at which a word falls into two words: `oncall` is written `on-call` and `on call` too, while `inform` is never `in form`.
 *
 * @example seamsOf('oncall') // { at: [2], open: true }
 */
export function seamsOf(word: string): Seams {
  let found = known.get(word)
  if (!found) {
    const places = /^[a-z]{5,}$/.test(word) ? Array.from({ length: word.length - 3 }, (_, i) => i + 2) : []
    const at = places.filter((place) => isKnown(word.slice(0, place)) && isKnown(word.slice(place)))
    found = { at, open: at.length > 0 && !isKnown(word) }
    if (known.size >= MOST) known.clear()
    known.set(word, found)
  }
  return found
}

/** Whether two neighbouring words may be written as one: joined they are no word of their own. */
export function mayJoin(first: string, second: string): boolean {
  return /^[a-z]{2,}$/.test(first) && /^[a-z]{2,}$/.test(second) && !isKnown(first + second)
}

function isKnown(word: string): boolean {
  return FUNCTION_WORDS.has(word) || lemmas(word).some(({ lemma }) => isWord(lemma))
}
