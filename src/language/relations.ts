import { entryOf } from '../base/group-by.js'
import { follow, PARTS_OF_SPEECH, type Pointer, type Synset, synsets, wordNumber, wordOf } from './wordnet.js'

/** How a word of a memory stands to a word of a fact: `general` is wider than the fact's, `specific` narrower. */
export type Relation = 'same' | 'derived' | 'synonym' | 'similar' | 'specific' | 'general' | 'related'

export interface Kinship {
  relation: Relation
  /** 1 for the same word, down to about 0.3 for a loose tie. */
  strength: number
}

const SAME: Kinship = { relation: 'same', strength: 1 }
const DERIVATION = new Set(['+', '\\', '<', '='])
const GENERAL = new Set(['@', '@i', '#p', '#m', '#s'])
const SPECIFIC = new Set(['~', '~i'])
const RELATED = new Set(['^', '*', '>', '%p', '%m', '%s'])
/** Senses beyond these are too rare to lend their synonyms. */
const SENSES = 5

/** By parts of speech, then by word. */
const known = new Map<string, Map<string, Relatives>>()
/** Every way to be related that was met, and its place, by name. There are some hundred. */
const kinships: Kinship[] = []
const places = new Map<string, number>()

/** The words that can stand for one. A hundred thousand of them are held at a time, so they are packed: numbers of words in order, and of kinships. */
class Relatives {
  readonly #words: Uint32Array
  readonly #kinships: Uint16Array

  constructor(
    readonly lemma: string,
    found: ReadonlyMap<string, Kinship>,
  ) {
    const numbers = [...found].map(([word, kinship]) => [wordNumber(word)!, placeOf(kinship)] as const)
    numbers.sort(([a], [b]) => a - b)
    this.#words = Uint32Array.from(numbers, ([word]) => word)
    this.#kinships = Uint16Array.from(numbers, ([, place]) => place)
  }

  get(word: string): Kinship | undefined {
    if (word === this.lemma) return SAME
    const number = wordNumber(word)
    if (number === undefined) return undefined
    let [low, high] = [0, this.#words.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#words[middle]! < number) low = middle + 1
      else high = middle
    }
    return this.#words[low] === number ? kinships[this.#kinships[low]!] : undefined
  }

  *[Symbol.iterator](): Generator<[string, Kinship]> {
    yield [this.lemma, SAME]
    for (const [i, word] of this.#words.entries()) yield [wordOf(word), kinships[this.#kinships[i]!]!]
  }
}

function placeOf(kinship: Kinship): number {
  return entryOf(places, `${kinship.relation} ${kinship.strength}`, () => kinships.push(kinship) - 1)
}

/**
 * The words that can stand for a base form, each with the strongest way in which it can. Words of several tokens (`put on`) are
 * included.
 *
 * @param pos letters of the parts of speech it is taken as
 * @example relatedWords('lunar').get('moon')?.relation // 'derived'
 */
export function relatedWords(lemma: string, pos = 'nvar'): Relatives {
  const words = entryOf(known, pos, () => new Map<string, Relatives>())
  return entryOf(words, lemma, () => new Relatives(lemma, gather(lemma, pos)))
}

/** All but the word itself. */
function gather(lemma: string, pos: string): Map<string, Kinship> {
  const found = new Map<string, Kinship>()
  const add = (word: string, relation: Relation, strength: number) => {
    if (word !== lemma && (found.get(word)?.strength ?? 0) < strength) found.set(word, { relation, strength })
  }
  const family = derivations(lemma, pos)
  for (const [word, steps] of family) if (steps > 0) add(word, 'derived', steps === 1 ? 0.95 : 0.88)
  for (const [word, steps] of family) {
    if (steps < 2) spreadMeaning(word, steps === 0 ? pos : 'nvar', steps === 0 ? 1 : 0.9, add)
  }
  return found
}

type Add = (word: string, relation: Relation, strength: number) => void

function spreadMeaning(lemma: string, parts: string, trust: number, add: Add): void {
  for (const pos of PARTS_OF_SPEECH) {
    if (!parts.includes(pos)) continue
    synsets(lemma, pos)
      .slice(0, SENSES)
      .forEach((sense, rank) => {
        const weight = trust * (rank < 2 ? 1 : rank < 4 ? 0.92 : 0.85)
        for (const word of sense.words) add(word, 'synonym', 0.9 * weight)
        for (const pointer of sense.pointers) spreadPointer(pointer, sense, weight, add)
      })
  }
}

function spreadPointer(pointer: Pointer, sense: Synset, weight: number, add: Add): void {
  const { symbol } = pointer
  if (symbol === '&' || symbol === '$') {
    for (const word of follow(pointer).words) add(word, symbol === '$' ? 'synonym' : 'similar', 0.75 * weight)
  } else if (GENERAL.has(symbol)) {
    const wider = follow(pointer)
    // A wider verb says nearly the same ("steps outside", "goes outside"); a wider noun names something else.
    const wide: Relation = sense.pos === 'v' ? 'similar' : 'general'
    for (const word of wider.words) add(word, wide, (sense.pos === 'v' ? 0.68 : 0.55) * weight)
    for (const next of wider.pointers) {
      if (GENERAL.has(next.symbol)) for (const word of follow(next).words) add(word, 'general', 0.38 * weight)
      if (next.symbol === '~' && sense.pos === 'v')
        for (const word of follow(next).words) add(word, 'related', 0.4 * weight)
    }
  } else if (SPECIFIC.has(symbol)) {
    const narrower = follow(pointer)
    for (const word of narrower.words) add(word, 'specific', 0.72 * weight)
    for (const next of narrower.pointers) {
      if (SPECIFIC.has(next.symbol)) for (const word of follow(next).words) add(word, 'specific', 0.5 * weight)
    }
  } else if (RELATED.has(symbol)) {
    for (const word of follow(pointer).words) add(word, 'related', 0.45 * weight)
  }
}

/** The word family by derivation, with the number of steps. */
function derivations(lemma: string, pos: string): Map<string, number> {
  const steps = new Map([[lemma, 0]])
  let edge = [lemma]
  for (let step = 1; step <= 2; step++) {
    const next: string[] = []
    for (const word of edge) {
      for (const relative of derivedFrom(word, step === 1 ? pos : 'nvar')) {
        if (steps.has(relative)) continue
        steps.set(relative, step)
        next.push(relative)
      }
    }
    edge = next
  }
  return steps
}

function derivedFrom(lemma: string, parts: string): Set<string> {
  const found = new Set<string>()
  for (const pos of PARTS_OF_SPEECH) {
    if (!parts.includes(pos)) continue
    for (const sense of synsets(lemma, pos)) {
      const at = sense.words.indexOf(lemma) + 1
      for (const pointer of sense.pointers) {
        if (!DERIVATION.has(pointer.symbol) || (pointer.source !== 0 && pointer.source !== at)) continue
        const target = follow(pointer)
        const word = target.words[pointer.target - 1]
        for (const relative of word ? [word] : target.words) found.add(relative)
      }
    }
  }
  return found
}
