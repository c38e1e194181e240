import { escapeRegExp, fold } from '../base/text.js'
import { isBeing, mayBeBeing } from './beings.js'
import { FUNCTION_WORDS } from './function-words.js'
import { lemmas } from './morphology.js'
import { tokenize } from './tokens.js'
import { type PartOfSpeech, senseCount } from './wordnet.js'

/**
 * A being that belongs to somebody ("my boss", "the user's dog", "Ada's rival") and of which `said` does not speak.
 */
export function ownedStranger(text: string, owners: readonly string[], said: string): string | undefined {
  const owner = owners.map((name) => escapeRegExp(fold(name))).join('|')
  const possessive = new RegExp(`\\b(?:my|our|(?:${owner || 'user'})'s?) ((?:[\\p{L}'-]+ ?){1,4})`, 'gu')
  for (const [, phrase] of fold(text).matchAll(possessive)) {
    const found = strangerIn(phrase!.trim().split(' '), said)
    if (found !== undefined) return found
  }
  return undefined
}

const SCENE = `(?:(?:in|on|at|after|during|every|last|since|before|for|with) [^,]*, )?`
const DETERMINER = `(?:(?:the )?user's?|an?|the(?! user)|one of (?:the|our|my)|some|another|every|each|two|several|most|many|our|my)`
const OPENING = new RegExp(`^${SCENE}${DETERMINER} ((?:[\\p{L}'-]+ ?){1,5})`, 'u')
const NOBODY_IN_PARTICULAR = /^(?:someone|somebody|others|other people|everyone else|people)\b/
const USER = /\b(?:user|i|me|my|myself|they|them|their|themselves|us|we)\b/

/**
 * A being that opens a sentence as its subject, other than the user. One that `said` speaks of is a stranger only when the rest of the
 * sentence does not come back to the user.
 */
export function openingStranger(text: string, said: string): string | undefined {
  const folded = fold(text)
  const nobody = NOBODY_IN_PARTICULAR.exec(folded)?.[0]
  if (nobody !== undefined && !fold(said).includes(nobody)) return nobody
  const found = OPENING.exec(folded)
  if (!found) return undefined
  const words = found[1]!.trim().split(' ')
  const known = strangerIn(words, '')
  if (known === undefined || strangerIn(words, said) !== undefined) return known
  const rest = folded.slice(folded.indexOf(known) + known.length)
  return USER.test(rest) ? undefined : known
}

const CAN_BE_PERSON = new Set(['assistant', 'other', 'others'])

/** The being a noun phrase is about, unless `said` speaks of it. The phrase ends where its head does. */
function strangerIn(words: readonly string[], said: string): string | undefined {
  for (const [i, word] of words.entries()) {
    if (FUNCTION_WORDS.has(word) && !CAN_BE_PERSON.has(word)) return undefined
    const bare = word.replace(/'s?$/, '')
    if (isBeing(`${bare} ${words[i + 1]}`)) return `${bare} ${words[i + 1]}`
    if (!endsPhrase(words[i + 1]) && bare === word) continue
    const parts = [bare, ...bare.split('-')]
    return parts.some((part) => mayBeBeing(part) && (CAN_BE_PERSON.has(part) || !FUNCTION_WORDS.has(part))) &&
      !isSaid(bare, said)
      ? bare
      : undefined
  }
  return undefined
}

/** Whether a noun before this word is the head of its phrase: what follows is no further noun. */
function endsPhrase(next: string | undefined): boolean {
  if (next === undefined || FUNCTION_WORDS.has(next)) return true
  const bases = lemmas(next)
  if (/(?:s|ed|ing)$/.test(next) && bases.some(({ lemma, pos }) => lemma !== next && pos.includes('v'))) return true
  const count = (pos: PartOfSpeech) => Math.max(...bases.map(({ lemma }) => senseCount(lemma, pos)))
  return count('n') < Math.max(count('v'), count('a'), count('r'))
}

/** Whether a text has a word itself, in any inflection. */
export function isSaid(word: string, text: string): boolean {
  const wanted = new Set(word.split('-').flatMap((part) => lemmas(part).map(({ lemma }) => lemma)))
  return tokenize(text).some((token) => token.lemmas.some(({ lemma }) => wanted.has(lemma)))
}
