import { definition, FUNCTION_WORDS, follow, isWord, lemmas, senseCount, synsets, words } from 'memscope/retrieval'

/** Words of the longest compound that is looked up, in the dictionary and among names, and letters of the shortest word. */
const COMPOUND = 3
const LONGEST_NAME = 4
const SHORTEST = 3

/** Something that a text speaks of. */
export interface Thing {
  name: string
  /** What it is, as the dictionary has it; its name alone where the dictionary has nothing. */
  meaning: string
}

/** The form in which a name is looked up: the last word stands for one thing. */
export function nameKey(name: string): string {
  const told = plainWords(name)
  const last = told.at(-1)
  if (last === undefined) return ''
  const [noun = last] = nounsOf(last)
  return [...told.slice(0, -1), noun].join(' ')
}

/**
 * What a text speaks of: its nouns, compounds first, and names. A name that neither the dictionary nor anybody has stands for itself.
 *
 * @param isNamed whether something goes by a name, in the form of `nameKey`
 *
 * @example thingsIn('I wear my fedora.', () => false) // [{ name: 'fedora', meaning: 'fedora (hat): a hat made of felt with a creased crown' }]
 */
export function thingsIn(text: string, isNamed: (key: string) => boolean): Thing[] {
  const told = plainWords(text)
  const found = new Map<string, Thing>()
  for (let i = 0; i < told.length; ) {
    const { size, name } = FUNCTION_WORDS.has(told[i]!) ? { size: 1 } : thingAt(told, i, isNamed)
    if (name !== undefined) found.set(name, { name, meaning: meaningOf(name) })
    i += size
  }
  return [...found.values()]
}

function plainWords(text: string): string[] {
  return words(text).map((word) => word.replace(/'s?$/, ''))
}

/** The longest thing that begins at a word. */
function thingAt(
  told: readonly string[],
  at: number,
  isNamed: (key: string) => boolean,
): { size: number; name?: string } {
  for (let size = Math.min(LONGEST_NAME, told.length - at); size > 1; size--) {
    if (FUNCTION_WORDS.has(told[at + size - 1]!)) continue
    const compound = told.slice(at, at + size).join(' ')
    const key = nameKey(compound)
    if (isNamed(key)) return { size, name: key }
    const noun = size <= COMPOUND ? nounOf(compound) : undefined
    if (noun !== undefined) return { size, name: noun }
  }
  const word = told[at]!
  if (word.length < SHORTEST || /^[\d.:-]+$/.test(word)) return { size: 1 }
  const key = nameKey(word)
  if (isNamed(key)) return { size: 1, name: key }
  const noun = nounOf(word)
  if (noun !== undefined) return { size: 1, name: noun }
  return lemmas(word).some(({ lemma }) => isWord(lemma)) ? { size: 1 } : { size: 1, name: word }
}

/** The base form of a word, or of words, that is more of a noun than of a verb. */
function nounOf(word: string): string | undefined {
  return nounsOf(word).find((noun) => senseCount(noun, 'n') >= senseCount(noun, 'v'))
}

/** Nouns that a word can be a form of, the longest first: "tapes" are no taps. */
function nounsOf(word: string): string[] {
  const nouns = lemmas(word).filter(({ lemma, pos }) => pos.includes('n') && senseCount(lemma, 'n') > 0)
  return nouns.map(({ lemma }) => lemma).sort((a, b) => b.length - a.length)
}

/** A noun with the kind of thing it is and how it is defined, in its most frequent sense. */
function meaningOf(name: string): string {
  const noun = nounOf(name)
  const [sense] = noun === undefined ? [] : synsets(noun, 'n')
  if (sense === undefined) return name
  const kind = sense.pointers.find(({ symbol }) => symbol === '@' || symbol === '@i')
  return `${noun}${kind ? ` (${follow(kind).words[0]})` : ''}: ${definition(sense)}`
}
