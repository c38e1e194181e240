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

/** The passages of the likeliest memories, those that score best first; among equals the shortest. */
export function bestPassages(
  index: StoreIndex,
  texts: readonly string[],
  width: Width,
  score: (passage: Passage) => number,
): Passage[] {
  return index
    .candidates(texts, width.memories)
    .flatMap(({ view }) => passages(view, width.span))
    .map((passage) => ({ passage, value: score(passage) }))
    .sort((a, b) => b.value - a.value || a.passage.span - b.passage.span || order(a.passage, b.passage))
    .slice(0, width.keep)
    .map(({ passage }) => passage)
}

/** A fixed order of passages that does not depend on the order of the store. */
export function order(a: Passage, b: Passage): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : a.memory < b.memory ? -1 : a.memory > b.memory ? 1 : 0
}
