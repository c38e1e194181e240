import type { Bm25Index } from './bm25-index.js'

/**
 * How much two sets of terms have in common, from 0 to 1: the rarity of the terms they share over the rarity of the smaller set. Unlike a
 * BM25 score it can be compared across queries, and neither a long query nor a long memory drags it down.
 */
export function overlap(index: Bm25Index, some: Iterable<string>, others: Iterable<string>): number {
  const shared = new Set(others)
  let common = 0
  let someMass = 0
  for (const term of some) {
    const rarity = index.idf(term)
    someMass += rarity
    if (shared.has(term)) common += rarity
  }
  let othersMass = 0
  for (const term of shared) othersMass += index.idf(term)
  const smaller = Math.min(someMass, othersMass)
  return smaller > 0 ? common / smaller : 0
}
