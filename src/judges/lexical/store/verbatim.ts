import { sentences } from '../../../base/text.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from './store-index.js'

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
 * latter is the memories of the sentences that state it: its evidence, or for rules the ones its cues were derived from.
 */
export function findVerbatim(fact: Fact, index: StoreIndex): VerbatimFinding | undefined {
  const pieces = fact.evidence?.length ? fact.evidence : sentences(fact.text)
  const whole = index.containing(fact.text)
  const homes = new Map(pieces.map((piece) => [piece, index.containing(piece)]))
  if (whole.length === 0 && (homes.size === 0 || [...homes.values()].some((ids) => ids.length === 0))) return undefined
  const stating = statingPieces(fact, pieces)
  const support = alternatives(
    stating.map((piece) => homes.get(piece)!),
    whole,
  )
  const [first] = support
  const quotes = stating.flatMap((text) => {
    const memory = first!.find((id) => homes.get(text)!.includes(id)) ?? whole[0]
    return memory === undefined ? [] : [{ memory, text }]
  })
  return { support, quotes }
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
