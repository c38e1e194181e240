import { lemmas } from './morphology.js'
import { isWord, type Synset, senseCount, synsets } from './wordnet.js'

const ANIMAL = 5
const PERSON = 18
/** Body, feeling, food, plant, state and time: words that mean these first hardly ever mean a person. */
const NEVER_PERSON = new Set([8, 12, 13, 20, 26, 28])

/** Words for people that the dictionary lists first as something else, or not at all. */
const PEOPLE = new Set(
  `assistant attendant audience boss choir colleague committee commuter companion coach cousin crew crowd family folk folks gang guest
  household in-law in-laws mate neighbor neighbour others partner people public rival sitter squad staff sweep team trainer twin
  everybody everyone somebody someone nobody anybody anyone stranger child kid baby toddler`.split(/\s+/),
)
/** Words that mean people when they belong to somebody or do something, and else often not. */
const SOMETIMES_PEOPLE = new Set(
  `agent band board chief circle class club company contact couple date double group half head host idol lead model opposite other pair
  sponsor star subject`.split(/\s+/),
)
/** Words that stand for whoever is spoken of, or for people at large, and comparatives that hardly ever mean a person. */
const NO_STRANGER = new Set(
  'user speaker narrator author person individual human self adult longer closer nearer'.split(' '),
)
const MATE = /^\p{L}{3,}(?:mate|man|men|woman|women|keeper|master|mistress|person|folk|boy|girl|maid|smith|wright)s?$/u

const known = new Map<string, boolean>()

/**
 * Whether a word names a person, an animal or a company of people: its first sense as a noun does, and it is not mostly an adjective.
 *
 * @example isBeing('gardener') // true
 */
export function isBeing(word: string): boolean {
  let found = known.get(word)
  if (found === undefined) {
    found = named(word.toLowerCase())
    known.set(word, found)
  }
  return found
}

/** Whether a word may name a being: it does in one of its main senses, or the dictionary does not know it at all. */
export function mayBeBeing(word: string): boolean {
  const lower = word.toLowerCase()
  if (isBeing(lower) || SOMETIMES_PEOPLE.has(lower) || lemmas(lower).some(({ lemma }) => SOMETIMES_PEOPLE.has(lemma)))
    return true
  if (NO_STRANGER.has(lower)) return false
  const bases = lemmas(lower).map(({ lemma }) => lemma)
  if (bases.every((lemma) => !isWord(lemma))) return true
  return bases.some((lemma) => {
    const [first, second] = synsets(lemma, 'n')
    return first !== undefined && !NEVER_PERSON.has(first.file) && (isPerson(first) || (second && isPerson(second)))
  })
}

function named(word: string): boolean {
  const bases = lemmas(word).map(({ lemma }) => lemma)
  if (word === 'people') return true
  if (NO_STRANGER.has(word) || bases.some((lemma) => NO_STRANGER.has(lemma))) return false
  if (PEOPLE.has(word) || bases.some((lemma) => PEOPLE.has(lemma))) return true
  if (MATE.test(word) && (bases.every((lemma) => !isWord(lemma)) || bases.some(isEverPerson))) return true
  return bases.some((lemma) => firstIsBeing(lemma) && senseCount(lemma, 'a') <= senseCount(lemma, 'n'))
}

function firstIsBeing(lemma: string): boolean {
  const first = synsets(lemma, 'n')[0]
  return first !== undefined && (first.file === PERSON || first.file === ANIMAL)
}

function isEverPerson(lemma: string): boolean {
  return synsets(lemma, 'n').some(isPerson)
}

function isPerson({ file }: Synset): boolean {
  return file === PERSON
}
