import { fold, sentences } from '../../../base/text.js'
import { plainWords } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from './store-index.js'
import { wordPattern, wordString } from './view.js'

/** Where a fact stands word for word. */
export interface VerbatimFinding {
  /** Alternative sets of memory ids. */
  support: string[][]
  /** The sentences found. */
  quotes: { memory: string; text: string }[]
}

const MOST_ALTERNATIVES = 50

/**
 * Finds a fact whose source stands word for word in the store: whole in one memory, or sentence by sentence in several. Support for the
 * latter is the memories of the sentences that state it: its evidence, or for rules the ones its cues were derived from. In a sentence that
 * tells other things too, their numbers may have changed.
 */
export function findVerbatim(fact: Fact, index: StoreIndex): VerbatimFinding | undefined {
  const pieces = piecesOf(fact)
  const whole = index.containing(fact.text)
  const homes = new Map(pieces.map((piece) => [piece, homesOf(piece, othersNumbers(fact, piece), index)]))
  if (whole.length === 0 && (homes.size === 0 || [...homes.values()].some((ids) => ids.length === 0))) return undefined
  const stating = statingPieces(fact, pieces)
  const support = alternatives(
    stating.map((piece) => homes.get(piece)!),
    whole,
  )
  const [first] = support
  const quotes = stating.flatMap((text) => {
    const memory = first!.find((id) => homes.get(text)!.includes(id)) ?? whole[0]
    return memory === undefined ? [] : [{ memory, text: quoted(text, othersNumbers(fact, text), memory, index) }]
  })
  return { support, quotes }
}

/** Finds memories that are the words of a fact and nothing else. */
export function findWhole({ text }: Fact, index: StoreIndex): VerbatimFinding | undefined {
  const alone = index.containing(text).filter((id) => fold(index.memory(id)!.text) === fold(text))
  if (alone.length === 0) return undefined
  return { support: alone.map((id) => [id]), quotes: [{ memory: alone[0]!, text }] }
}

/**
 * Finds a fact with a core whose sentences all stand in the store, but some with other numbers. Such a sentence is only known to be of this
 * fact when it came from the same conversation, or stands beside another of its sentences.
 */
export function findAltered(fact: Fact, index: StoreIndex): VerbatimFinding | undefined {
  if (fact.cues.core === undefined) return undefined
  const pieces = piecesOf(fact)
  const intact = pieces.map((piece) => index.containing(piece))
  const beside = new Set(intact.flat())
  const isOwn = (id: string) =>
    beside.has(id) || (index.memory(id)?.sources?.some((source) => fact.sources.includes(source)) ?? false)
  const homes = pieces.map((piece, at) =>
    intact[at]!.length > 0 ? intact[at]! : index.resembling(piece, numbersIn(piece)).filter(isOwn),
  )
  if (homes.length === 0 || homes.some((ids) => ids.length === 0)) return undefined
  const quotes = pieces.map((piece, at) => {
    const memory = homes[at]![0]!
    return { memory, text: quoted(piece, numbersIn(piece), memory, index) }
  })
  return { support: [[...new Set(quotes.map(({ memory }) => memory))]], quotes }
}

/** Those sentences of facts with a core that stand in the store as they were said, folded. */
export function sentencesSaid(facts: readonly Fact[], index: StoreIndex): string[] {
  const pieces = new Set(facts.flatMap((fact) => (fact.cues.core === undefined ? [] : piecesOf(fact))))
  return [...pieces].filter((piece) => index.containing(piece).length > 0).map(fold)
}

function piecesOf({ evidence, text }: Fact): string[] {
  return evidence?.length ? evidence : sentences(text)
}

function homesOf(piece: string, free: ReadonlySet<number>, index: StoreIndex): string[] {
  const exact = index.containing(piece)
  return exact.length > 0 || free.size === 0 ? exact : index.resembling(piece, free)
}

/** The sentence of a memory in which a piece was found. */
function quoted(piece: string, free: ReadonlySet<number>, memory: string, index: StoreIndex): string {
  if (free.size === 0) return piece
  const pattern = wordPattern(piece, free)
  return sentences(index.memory(memory)!.text).find((sentence) => pattern.test(wordString(sentence))) ?? piece
}

/** Places of the numbers among the words of a sentence. */
function numbersIn(piece: string): Set<number> {
  return new Set(plainWords(piece).flatMap((word, at) => (/^\d/.test(word) ? [at] : [])))
}

/**
 * The numbers of a sentence that are not the fact's own. Known only where the sentence has the fact's core, and every part that may hold a
 * number, in one of their forms.
 */
function othersNumbers({ cues: { core, parts } }: Fact, piece: string): Set<number> {
  const numbers = numbersIn(piece)
  if (core === undefined || numbers.size === 0) return new Set()
  const words = plainWords(piece)
  for (const { role, forms } of parts) {
    const own = forms.flatMap((form) => placesOf(plainWords(form), words))
    if (own.length === 0 && (role === core || forms.some((form) => /\d/.test(form)))) return new Set()
    for (const at of own) numbers.delete(at)
  }
  return numbers
}

/** Places of all words of a form, wherever it stands among the words of a sentence. */
function placesOf(form: readonly string[], words: readonly string[]): number[] {
  return words.flatMap((_, at) =>
    form.length > 0 && form.every((word, k) => words[at + k] === word) ? form.map((_, k) => at + k) : [],
  )
}

/** The pieces without which the fact is not stated. */
function statingPieces(fact: Fact, pieces: readonly string[]): string[] {
  if (fact.evidence?.length || fact.cues.explicit || fact.cues.kind !== 'rule') return [...pieces]
  const forms = fact.cues.parts
    .filter(({ role }) => role === 'what' || role === 'condition')
    .flatMap((part) => part.forms)
  const stating = pieces.filter((piece) => forms.includes(piece))
  return stating.length > 0 ? stating : [...pieces]
}

/** Memories that hold every piece stand alone; the others are combined, duplicate by duplicate. */
function alternatives(homes: readonly (readonly string[])[], whole: readonly string[]): string[][] {
  const counts = new Map<string, number>()
  for (const ids of homes) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  const complete = new Set([...whole, ...[...counts].filter(([, count]) => count === homes.length).map(([id]) => id)])
  const partial = homes.map((ids) => ids.filter((id) => !complete.has(id)))
  const sets = [...complete].map((id) => [id])
  if (partial.length === 0 || partial.some((ids) => ids.length === 0)) return sets
  const most = Math.min(MOST_ALTERNATIVES, Math.max(...partial.map((ids) => ids.length)))
  for (let i = 0; i < most; i++) sets.push([...new Set(partial.map((ids) => ids[Math.min(i, ids.length - 1)]!))])
  return sets
}
