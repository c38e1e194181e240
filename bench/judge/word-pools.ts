import { readdirSync, readFileSync } from 'node:fs'
import { fold } from '../../src/base/text.js'
import { FUNCTION_WORDS } from '../../src/language/function-words.js'
import { lemmas } from '../../src/language/morphology.js'
import { digitsOf, numbersInDigits } from '../../src/language/numbers.js'
import { relatedWords } from '../../src/language/relations.js'
import { indexStem } from '../../src/language/stems.js'
import { plainWords } from '../../src/language/tokens.js'
import { isWord, synsets } from '../../src/language/wordnet.js'
import type { Fact, Memory } from '../../src/model/index.js'

export const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu
const CORPORA = new URL('../../src/corpora/', import.meta.url)
/** What leads in the keywords of a note is no name. */
const LABEL = 'Keywords'
/** A word tied this closely to another may say the same: a synonym, a derived word, or one a step narrower or wider. */
const TIED = 0.5

/** Words that stand in the place of others in copies. */
export interface WordPool {
  name: readonly string[]
  noun: readonly string[]
  /** Numbers that no copy has. */
  without: ReadonlySet<string>
}

/** The words of a store itself. By chance a copy states a fact, or a nearer version of it, and what is true changes. */
export function ownWords(store: readonly Memory[]): WordPool {
  return { ...namesAndNouns(store.flatMap(({ text }) => wordsIn(text))), without: new Set() }
}

/**
 * Words of the bundled corpora that neither the store nor a fact has, nouns that are tied to no word of a fact, and no number of either: a
 * copy states nothing that a fact does unless its memory did.
 */
export function otherWords(store: readonly Memory[], facts: readonly Fact[]): WordPool {
  const told = facts.flatMap(({ text, cues, evidence = [] }) => [
    text,
    ...evidence,
    ...cues.parts.flatMap(({ forms }) => forms),
  ])
  const texts = [...told, ...store.map(({ text }) => text)]
  const ofFacts = new Set(told.flatMap(plainWords))
  const stems = new Set([...ofFacts].map(indexStem))
  const known = new Set([...texts.flatMap(plainWords), ...[...ofFacts].flatMap(tiedWords)].map(indexStem))
  const isNew = (word: string) => plainWords(word).every((part) => !known.has(indexStem(part)))
  const isTied = (word: string) => tiedWords(word).some((other) => stems.has(indexStem(other)))
  const words = new Set(wordsIn(corpora()))
  const { name, noun } = namesAndNouns([...words].filter(isNew))
  return {
    name: name.filter((word) => !words.has(word.toLowerCase())),
    noun: noun.filter((word) => digitsOf(word) === undefined && !isTied(word)),
    without: new Set(texts.flatMap((text) => numbersInDigits(fold(text)).match(/\d+/g) ?? [])),
  }
}

/** Words that may say the same as one. */
function tiedWords(word: string): string[] {
  return lemmas(word).flatMap(({ lemma, pos }) =>
    [...relatedWords(lemma, pos)].filter(([, { strength }]) => strength >= TIED).map(([other]) => other),
  )
}

function corpora(): string {
  const files = readdirSync(CORPORA, { recursive: true, encoding: 'utf8' }).filter((file) => /\.jsonl?$/.test(file))
  return files
    .sort()
    .map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), CORPORA), 'utf8'))
    .join('\n')
}

function namesAndNouns(words: readonly string[]): Record<'name' | 'noun', string[]> {
  const ofKind = (kind: 'name' | 'noun') => [...new Set(words.filter((word) => kindOf(word) === kind))]
  return { name: ofKind('name'), noun: ofKind('noun') }
}

export function wordsIn(text: string): string[] {
  return text.match(WORD) ?? []
}

type WordKind = 'name' | 'number' | 'noun' | undefined

const known = new Map<string, WordKind>()

/** What of a word is changed in copies, if anything. */
export function kindOf(word: string): WordKind {
  if (!known.has(word)) known.set(word, readKind(word))
  return known.get(word)
}

function readKind(word: string): WordKind {
  if (/^\d+$/.test(word)) return 'number'
  if (word === LABEL || FUNCTION_WORDS.has(word.toLowerCase())) return undefined
  const forms = lemmas(word.toLowerCase())
  if (/^\p{Lu}\p{Ll}+$/u.test(word) && forms.every(({ lemma }) => !isWord(lemma))) return 'name'
  const isNoun = forms.some(({ lemma }) => synsets(lemma, 'n').length > 0 && synsets(lemma, 'v').length === 0)
  return isNoun && word.length > 3 && /^\p{Ll}+$/u.test(word) ? 'noun' : undefined
}
