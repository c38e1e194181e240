import { fold, sentences, words } from '../../base/text.js'
import { FUNCTION_WORDS } from '../../language/function-words.js'
import { lemmas } from '../../language/morphology.js'
import { follow, type Synset, synsets } from '../../language/wordnet.js'
import { clausesIn } from './cues.js'

/** What leads up to a statement: "One more thing: …"; "my car: …" names one. */
const LEAD = /^(?!my |our )(?:(?!(?:my|our) )[\p{L}',-]+ ){0,6}[\p{L}']+: (?=\S)/u
/** A word of a name: what says who does something is none. */
const NAME_WORD =
  "(?!(?:i|we|you|he|she|it|they|my|our|is|are|was|were|has|have|had|says?|said|that|which|who|when|the|an?|and|on|in|at|to)\\b)[\\p{L}\\p{N}'-]+"
const NAME = `(${NAME_WORD}(?: ${NAME_WORD}){0,3})`
/** What a statement says that it is about: "our dentist is …", "the oboe I own is …", "as for my garden, …", "my car: …". */
const NAMED = [
  new RegExp(`\\b(?:my|our) ${NAME} (?:is|are|has|have|will be|was)\\b`, 'gu'),
  new RegExp(`\\bthe ${NAME} (?:i|we) (?:[\\p{L}'-]+ ){1,3}?(?:is|are)\\b`, 'gu'),
  new RegExp(`\\bfor (?:my|our|the) ${NAME}[,:]`, 'gu'),
  new RegExp(`\\b(?:my|our) ${NAME}:`, 'gu'),
  new RegExp(`\\b(?:my|our) ${NAME} in short:`, 'gu'),
]
/** So wide that nearly everything is of these kinds. */
const WIDE = new Set(
  'thing part group number person place state work time word name kind way fact life day unit set act'.split(' '),
)
/** Senses of a word that are looked at, and how many kinds above one another. */
const SENSES = 2
const HEIGHT = 7

/** The attributes that a text names as what its statements are about, without those of clauses that they hang on. */
export function namesTold(text: string): string[] {
  const found = sentences(text).flatMap((sentence) => {
    const told = fold(sentence).replace(LEAD, '')
    const main = clausesIn(told).reduceRight((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, told)
    return NAMED.flatMap((pattern) => [...main.matchAll(pattern)].map(([, name]) => name!.trim()))
  })
  return [...new Set(found)]
}

/**
 * Whether a text speaks of something that is, by the dictionary, of the kind that a topic names: the whole of it, or else its last word.
 *
 * @example speaksOfKind('I play lacrosse.', 'sport') // true
 */
export function speaksOfKind(text: string, topic: string): boolean {
  const named = words(topic)
  const [head, ...of] = topic.split(/ (?:of|for|in|at|with) /)
  const whole = named.join(' ')
  const kinds = new Set(
    synsets(whole, 'n').length > 0 ? [whole] : nouns(words(of.length > 0 ? head! : topic).at(-1) ?? ''),
  )
  const wanted = [...kinds].filter((kind) => !WIDE.has(kind))
  if (wanted.length === 0) return false
  const told = new Set(words(text).filter((word) => !named.includes(word)))
  return [...told].some((word) =>
    nouns(word).some((noun) => wanted.some((kind) => kind !== noun && kindsOf(noun).has(kind))),
  )
}

function nouns(word: string): string[] {
  if (FUNCTION_WORDS.has(word)) return []
  return lemmas(word).flatMap(({ lemma, pos }) => (pos.includes('n') ? [lemma] : []))
}

/** Names of all kinds above a noun, its own among them. */
function kindsOf(noun: string): Set<string> {
  const names = new Set<string>()
  let senses: Synset[] = synsets(noun, 'n').slice(0, SENSES)
  for (let height = 0; height < HEIGHT && senses.length > 0; height++) {
    for (const { words: members } of senses) for (const name of members) names.add(name.toLowerCase())
    senses = senses.flatMap(({ pointers }) => pointers.filter(({ symbol }) => /^@i?$/.test(symbol)).map(follow))
  }
  return names
}
