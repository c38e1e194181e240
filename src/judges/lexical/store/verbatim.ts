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
  const together = fact.evidence?.length === 1 ? index.containing(pieces[0]!) : whole
  const single = [...new Set([...whole, ...together])]
  if (single.length > 0) {
    const quoted = statingPieces(fact, pieces)
    return {
      support: single.map((id) => [id]),
      quotes: single.slice(0, 3).flatMap((memory) => quoted.map((text) => ({ memory, text }))),
    }
  }
  if (pieces.length < 2) return undefined
  const homes = new Map(pieces.map((piece) => [piece, index.containing(piece)]))
  if ([...homes.values()].some((ids) => ids.length === 0)) return undefined
  const stating = statingPieces(fact, pieces)
  return {
    support: alternatives(stating.map((piece) => homes.get(piece)!)),
    quotes: stating.map((text) => ({ memory: homes.get(text)![0]!, text })),
  }
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

/** Memories that hold every piece stand alone; the rest are combined, duplicate by duplicate. */
function alternatives(homes: readonly (readonly string[])[]): string[][] {
  const counts = new Map<string, number>()
  for (const ids of homes) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  const complete = [...counts].filter(([, count]) => count === homes.length).map(([id]) => [id])
  if (complete.length > 0) return complete
  const most = Math.min(MOST_ALTERNATIVES, Math.max(...homes.map((ids) => ids.length)))
  const sets = new Map<string, string[]>()
  for (let i = 0; i < most; i++) {
    const set = [...new Set(homes.map((ids) => ids[Math.min(i, ids.length - 1)]!))].sort()
    sets.set(set.join('\n'), set)
  }
  return [...sets.values()]
}
