import { isBeing } from './beings.js'
import { FUNCTION_WORDS } from './function-words.js'
import { plainWords, tokenize } from './tokens.js'

const RELATIVE = new Set(['who', 'that', 'which', 'whom'])
const PREPOSITION = new Set(
  'with of to for by from near beside behind next at on in under against like after about'.split(' '),
)
const COPULA = new Set('is was be being are were as'.split(' '))
const PRONOUN = new Set(['he', 'she', 'it', 'they'])
const DETERMINER = new Set('a an the his her its their our my your one another'.split(' '))

/**
 * The being that does what stands at a position of a text, when that is not the named one: "Ada's clerk shelves", "Ada watches while the cook
 * shelves", "Ada has a clerk who shelves". Undefined when the named one may well do it.
 *
 * @param at position of the first word of what is done
 */
export function otherActor(text: string, names: readonly string[], at: number): string | undefined {
  const words = tokenize(text).map((token) => token.text)
  const own = nameSpots(words, names)
  const last = own.filter((spot) => spot < at).at(-1)
  if (last === undefined) return undefined
  const beings = words
    .slice(0, at)
    .flatMap((word, i) =>
      isBeing(word) && !own.includes(i) && isHead(words, i) && !isApposed(words, i, own, text) ? [i] : [],
    )
  for (const being of beings) if (acts(words, being, at, own, text)) return words[being]
  return undefined
}

function acts(words: readonly string[], being: number, at: number, own: readonly number[], text: string): boolean {
  const named = own.filter((spot) => spot < at)
  const between = words.slice(being + 1, at)
  const ownsIt = named.some((spot) => spot < being && isOwner(text, words[spot]!) && being - spot <= 3)
  const later = named.some((spot) => spot > being && !isOblique(words, spot))
  if (ownsIt) return !later
  if (between.every(isAside)) return true
  if (RELATIVE.has(between[0]!) && !own.some((spot) => spot > being && spot < at))
    return between.slice(1).every(isAside)
  const onlyOblique = named.every((spot) => isOblique(words, spot))
  if (being <= 2 && onlyOblique && named.length > 0) return true
  const pronoun = PRONOUN.has(words[at - 1]!) && named.every((spot) => spot < being)
  return pronoun && !PREPOSITION.has(beforePhrase(words, being) ?? '')
}

/** Adverbs, auxiliaries and the like, which may stand between a subject and its verb. */
function isAside(word: string): boolean {
  return (
    /ly$/.test(word) ||
    (FUNCTION_WORDS.has(word) &&
      !PREPOSITION.has(word) &&
      !PRONOUN.has(word) &&
      !DETERMINER.has(word) &&
      word !== 'and')
  )
}

/** "Osku the cat", "the cat Osku", "Osku, a grey tabby,", "Osku is a cat who". */
function isApposed(words: readonly string[], being: number, own: readonly number[], text: string): boolean {
  if (own.includes(being + 1)) return true
  if (own.includes(being - 1)) return !isOwner(text, words[being - 1]!)
  const name = own.filter((spot) => spot < being).at(-1)
  if (name === undefined) return false
  const between = words.slice(name + 1, being)
  return COPULA.has(between[0] ?? '') || (DETERMINER.has(between[0] ?? '') && between.length <= 4)
}

/** The last noun of its phrase: another noun right behind it would be the head. */
function isHead(words: readonly string[], i: number): boolean {
  const next = words[i + 1]
  return next === undefined || FUNCTION_WORDS.has(next) || !isBeing(next)
}

function isOblique(words: readonly string[], spot: number): boolean {
  return PREPOSITION.has(words[spot - 1] ?? '')
}

/** The word before the determiner and adjectives of a noun. */
function beforePhrase(words: readonly string[], noun: number): string | undefined {
  for (let i = noun - 1; i >= 0 && i >= noun - 4; i--) if (DETERMINER.has(words[i]!)) return words[i - 1]
  return undefined
}

function isOwner(text: string, name: string): boolean {
  return new RegExp(`${name}['\u2019]s\\b`, 'iu').test(text)
}

/** Positions of the last word of every mention of a name, by its full form or by its first word. */
function nameSpots(words: readonly string[], names: readonly string[]): number[] {
  const spots = new Set<number>()
  for (const name of names) {
    const parts = plainWords(name)
    words.forEach((_, i) => {
      if (parts.every((part, k) => words[i + k] === part)) spots.add(i + parts.length - 1)
      else if (parts.length > 1 && words[i] === parts[0] && !FUNCTION_WORDS.has(parts[0]!)) spots.add(i)
    })
  }
  return [...spots].sort((a, b) => a - b)
}

const HE = /\b(?:he|his|him|himself)\b/i
const SHE = /\b(?:she|her|hers|herself)\b/i

/** Whether a text speaks of a man where what was said speaks of a woman alone, or the other way round. */
export function changesGender(said: string, text: string): boolean {
  const [he, she] = [HE.test(said), SHE.test(said)]
  if (he === she) return false
  return he ? SHE.test(text) && !HE.test(text) : HE.test(text) && !SHE.test(text)
}
