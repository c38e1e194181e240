import type { Bm25Index } from './bm25-index.js'

/** Rarity of the terms two sets share over that of the smaller set, 0 to 1: unlike a BM25 score it can be compared across queries. */
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
