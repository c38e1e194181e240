import { fold } from '../../base/text.js'
import { coverage, type WordMatch } from '../../language/match.js'
import { plainWords, type Token, tokenize } from '../../language/tokens.js'
import { isWord } from '../../language/wordnet.js'
import type { Fact } from '../../model/index.js'
import { wordString } from './store/view.js'

/** How much of a core is left in a damaged version. */
const LEFT = 0.6
const LEFT_OF_NUMBER = 0.75
const LEFT_OF_NAME = 0.5
/** Words that may stand between those of a core. */
const REACH = 3
/** Inflections of a word begin with so many letters in common. */
const STEM = 3
/** One is shorter than another by an ending of so many letters at most; "lead" is none of "leaderboard". */
const ENDING = 2

/** Whether a text has what sets a fact apart from others of its kind. Without it, it is no damaged version, but about something else. */
export function hasCore({ cues: { core, parts } }: Fact, text: string): boolean {
  if (core === undefined) return true
  return parts.some(({ role, forms }) => role === core && forms.some((form) => isRecognisable(form, text)))
}

/**
 * Whether enough of a form stands in a text, in its own words and close together. One common word of several is in any talk; one name is
 * not. Where words around a number tell the thing, the number may have changed.
 */
function isRecognisable(form: string, text: string): boolean {
  const { matches } = coverage(form, text)
  const words = /\d/.test(form) ? matches.filter(({ token }) => !/\d/.test(token.text)) : matches
  const telling = words.length > 1 ? words : matches
  const spoken = tokenize(text)
  const there = telling.filter((match) => isSame(match, spoken))
  if (there.length === 0) return false
  const share = weigh(there) / weigh(telling)
  if (telling !== words) return share >= LEFT_OF_NUMBER
  if (telling.length === 1) return plainWords(form).length === 1 || isSpoken(form, text)
  if (there.length === 1) return share >= LEFT_OF_NAME && isName(there[0]!) && isSpoken(there[0]!.token.text, text)
  const places = there.map(({ at }) => at)
  const inOrder = places.every((at, i) => i === 0 || at > places[i - 1]!)
  return share >= LEFT && (share === 1 || inOrder) && Math.max(...places) - Math.min(...places) < places.length + REACH
}

/** The same word in any inflection. */
function isSame({ token, relation, at }: WordMatch, spoken: readonly Token[]): boolean {
  if (relation === 'same') return true
  const word = spoken[at]?.text ?? ''
  return (
    relation === 'derived' && word.startsWith(token.text.slice(0, STEM)) && word.length >= token.text.length - ENDING
  )
}

/** Word for word. */
function isSpoken(form: string, text: string): boolean {
  return wordString(text).includes(wordString(form))
}

function isName({ token }: WordMatch): boolean {
  return token.lemmas.every(({ lemma }) => !isWord(lemma))
}

function weigh(matches: readonly WordMatch[]): number {
  return matches.reduce((sum, { token }) => sum + Math.max(token.weight, 0.5), 0)
}

/**
 * Whether something stands in a text as it was said, of this fact or of another: an earlier date of an event is no damaged version of the
 * later one, and a sentence whose neighbour was lost is not damaged. Only for facts with a core, which come with everything told of their
 * thing.
 *
 * @param said sentences of facts that were found in the store, folded
 */
export function tellsAsSaid({ cues }: Fact, text: string, said: readonly string[]): boolean {
  const folded = fold(text)
  return cues.core !== undefined && said.some((sentence) => folded.includes(sentence))
}
