import { fold } from '../base/text.js'
import { FUNCTION_WORDS, LIGHT_WORDS } from './function-words.js'
import { type Lemma, lemmas } from './morphology.js'
import { digitsOf } from './numbers.js'
import { isWord, senseCount } from './wordnet.js'

/** A word of a text, or a fixed expression of two words that the dictionary has. */
export interface Token {
  text: string
  lemmas: readonly Lemma[]
  /** Position among the words of the text; an expression has that of its first word. */
  at: number
  /** 0 for function words, little for very general ones and adverbs, 1 for the rest. */
  weight: number
}

const LIGHT_WEIGHT = 0.3
const ADVERB_WEIGHT = 0.5
const WORD = /\p{N}+(?:[.,]\p{N}+)*|\p{L}+(?:'\p{L}+)?/gu
/** "On her own" is made of function words, yet says something. */
const ALONE =
  /\b(?:on (?:my|your|his|her|its|our|their) own|by (?:myself|yourself|himself|herself|itself|ourselves|themselves))\b/gi
const known = new Map<string, readonly Token[]>()
const MOST = 100_000

/** Words of a text in order, hyphenated ones apart, possessives without their ending. */
export function plainWords(text: string): string[] {
  return (fold(text).normalize('NFKD').replace(/\p{M}/gu, '').match(WORD) ?? []).map((word) => word.replace(/'s?$/, ''))
}

/** Tokens of a text. Remembers recent texts, for the same sentences are read for many facts. */
export function tokenize(text: string): readonly Token[] {
  let found = known.get(text)
  if (!found) {
    found = plainWords(text.replace(ALONE, ' alone ')).map((word, at) => token(word, at))
    if (known.size >= MOST) known.clear()
    known.set(text, found)
  }
  return found
}

/** The tokens that carry content. */
export function contentTokens(text: string): Token[] {
  return tokenize(text).filter((one) => one.weight > 0)
}

/** A word as it is written, and its base forms. */
export function wordsOf({ text, lemmas }: Token): ReadonlySet<string> {
  return new Set([text, ...lemmas.map(({ lemma }) => lemma)])
}

const expressions = new Map<string, readonly Token[]>()

/** Fixed expressions of two or three neighbouring words, such as `put on` or `look forward to`. */
export function expressionTokens(text: string): readonly Token[] {
  let found = expressions.get(text)
  if (!found) {
    const tokens = tokenize(text)
    const held: Token[] = []
    for (let i = 0; i + 1 < tokens.length; i++) {
      const [next, third] = [tokens[i + 1]!, tokens[i + 2]]
      for (const { lemma: first } of tokens[i]!.lemmas) {
        const pair = `${first} ${next.text}`
        const names = new Set([pair, `${first} ${next.lemmas.at(-1)!.lemma}`, `${first}${next.text}`])
        if (third) names.add(`${pair} ${third.text}`)
        for (const name of names)
          if (isWord(name)) held.push({ text: name, lemmas: [{ lemma: name, pos: 'nvar' }], at: i, weight: 1 })
      }
    }
    found = held
    if (expressions.size >= MOST) expressions.clear()
    expressions.set(text, found)
  }
  return found
}

function token(word: string, at: number): Token {
  const digits = digitsOf(word)
  if (digits !== undefined)
    return { text: digits, lemmas: [{ lemma: digits, pos: '' }], at, weight: word === 'one' ? 0 : 1 }
  if (FUNCTION_WORDS.has(word)) return { text: word, lemmas: [{ lemma: word, pos: '' }], at, weight: 0 }
  const bases = lemmas(word)
  const light = LIGHT_WORDS.has(word) || bases.some(({ lemma }) => LIGHT_WORDS.has(lemma))
  return { text: word, lemmas: bases, at, weight: light ? LIGHT_WEIGHT : isAdverb(word) ? ADVERB_WEIGHT : 1 }
}

/** `physically` and the like, which are dropped in retelling more easily than the rest. */
function isAdverb(word: string): boolean {
  return word.endsWith('ly') && senseCount(word, 'r') > 0 && senseCount(word, 'n') + senseCount(word, 'a') === 0
}
