import { words } from '../../base/text.js'
import { FUNCTION_WORDS } from '../../language/function-words.js'
import { lemmas } from '../../language/morphology.js'
import { definition, follow, isWord, senseCount, synsets } from '../../language/wordnet.js'

/** Words of the longest compound that is looked up, and letters of the shortest word. */
const COMPOUND = 3
const SHORTEST = 3

/**
 * What the things are that a text speaks of, as the dictionary has it: a question names a kind, a statement a thing, and between them stands
 * what the thing is. A name that the dictionary does not have stands for itself.
 *
 * @example meaningsIn('I wear my fedora.') // ['fedora (hat): a hat made of felt with a creased crown']
 */
export function meaningsIn(text: string): string[] {
  const told = words(text).map((word) => word.replace(/'s?$/, ''))
  const found = new Set<string>()
  for (let i = 0; i < told.length; ) {
    const size = compoundAt(told, i)
    const meaning = size > 0 ? meaningOf(nounOf(told.slice(i, i + size).join(' '))!) : ownMeaning(told[i]!)
    if (meaning !== undefined) found.add(meaning)
    i += Math.max(1, size)
  }
  return [...found]
}

/** How many words from a place on are one noun of the dictionary; 0 when no two are. */
function compoundAt(told: readonly string[], at: number): number {
  if (FUNCTION_WORDS.has(told[at]!)) return 0
  for (let size = Math.min(COMPOUND, told.length - at); size > 1; size--) {
    const last = told[at + size - 1]!
    if (!FUNCTION_WORDS.has(last) && nounOf(told.slice(at, at + size).join(' ')) !== undefined) return size
  }
  return 0
}

function ownMeaning(word: string): string | undefined {
  if (word.length < SHORTEST || FUNCTION_WORDS.has(word) || /^[\d.:-]+$/.test(word)) return undefined
  const noun = nounOf(word)
  if (noun !== undefined) return meaningOf(noun)
  return lemmas(word).some(({ lemma }) => isWord(lemma)) ? undefined : word
}

/** The base form of a word, or of words, that is more of a noun than of a verb. */
function nounOf(word: string): string | undefined {
  return lemmas(word).find(({ lemma, pos }) => {
    const nouns = pos.includes('n') ? senseCount(lemma, 'n') : 0
    return nouns > 0 && nouns >= senseCount(lemma, 'v')
  })?.lemma
}

/** A noun with the kind of thing it is and how it is defined, in its most frequent sense. */
function meaningOf(noun: string): string {
  const [sense] = synsets(noun, 'n')
  const kind = sense!.pointers.find(({ symbol }) => symbol === '@' || symbol === '@i')
  return `${noun}${kind ? ` (${follow(kind).words[0]})` : ''}: ${definition(sense!)}`
}
