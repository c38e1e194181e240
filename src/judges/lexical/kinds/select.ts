import { mapGivingWay } from '../../../base/give-way.js'
import type { StoreIndex } from '../store/store-index.js'
import { type Passage, passages } from '../store/view.js'

/** How wide to look for a fact. */
export interface Width {
  /** Memories taken from the index. */
  memories: number
  /** Statements read together at most. */
  span: number
  /** Passages kept for closer reading. */
  keep: number
}

/**
 * The passages of the likeliest memories, those that score best first; among equals the shortest. Memories that share most with `names` are
 * looked at besides, for a blurred version may have nothing else in common with the fact.
 */
export async function bestPassages(
  index: StoreIndex,
  texts: readonly string[],
  width: Width,
  score: (passage: Passage) => number,
  names: readonly string[] = [],
): Promise<Passage[]> {
  const found = [texts, names].flatMap((list) => (list.length > 0 ? index.candidates(list, width.memories) : []))
  const views = [...new Set(found.map(({ view }) => view))]
  const scored = await mapGivingWay(
    views.flatMap((view) => passages(view, width.span)),
    (passage) => ({ passage, value: score(passage) }),
  )
  return scored
    .sort((a, b) => b.value - a.value || a.passage.span - b.passage.span || order(a.passage, b.passage))
    .slice(0, width.keep)
    .map(({ passage }) => passage)
}

/** A fixed order of passages that does not depend on the order of the store. */
function order(a: Passage, b: Passage): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : a.memory < b.memory ? -1 : a.memory > b.memory ? 1 : 0
}

/** The shortest passage of each memory, in order; longer ones only repeat it. */
export function shortestEach(found: readonly Passage[]): Passage[] {
  const shortest = new Map<string, Passage>()
  for (const passage of found) {
    const held = shortest.get(passage.memory)
    if (!held || passage.span < held.span) shortest.set(passage.memory, passage)
  }
  return [...shortest.values()]
}
