import { fold } from '../../base/text.js'
import { lemmas } from '../../language/morphology.js'
import { contentTokens } from '../../language/tokens.js'
import { follow, isWord, synsets } from '../../language/wordnet.js'
import { wordString } from './store/view.js'

/** Whether a text names somebody, by a full name or by a word of it that is no title or common noun. */
export function namesPerson(text: string, who: readonly string[]): boolean {
  const words = wordString(text)
  const parts = who.flatMap((name) => name.split(/\s+/)).filter((part) => part.length > 2 && isProper(part))
  return [...who, ...parts].some((name) => words.includes(wordString(name)))
}

const USER = /\b(?:user|i|me|my|mine|we|our|they|their|them)\b/
const CAPITALISED = /\b\p{Lu}\p{Ll}+/gu

/**
 * Whether a text brings in a person of whom a fact knows nothing: by a name, where it does not speak of the user, or by a word like
 * "gardener".
 */
export function bringsStranger(said: string, text: string): boolean {
  const known = fold(said)
  const named = [...text.matchAll(CAPITALISED)].some(([name]) => !known.includes(fold(name)) && isProper(name))
  if (named && !USER.test(fold(text))) return true
  return contentTokens(text).some((token) => isPersonNoun(token.text) && !known.includes(token.text))
}

/** A capital, and no word of the dictionary. */
function isProper(word: string): boolean {
  return /^\p{Lu}/u.test(word) && lemmas(word.toLowerCase()).every(({ lemma }) => !isWord(lemma))
}

/** Its first sense as a noun is a kind of person, and it is no adjective besides ("favorite"). */
export function isPersonNoun(word: string): boolean {
  const bare = lemmas(word)[0]!.lemma
  if (/^(?:user|speaker)$/.test(bare) || synsets(bare, 'a').length > 0) return false
  let sense = synsets(bare, 'n')[0]
  for (let depth = 0; sense && depth < 9; depth++) {
    if (sense.words.includes('person') && sense.words.includes('individual')) return true
    const up = sense.pointers.find(({ symbol }) => symbol === '@')
    sense = up && follow(up)
  }
  return false
}
