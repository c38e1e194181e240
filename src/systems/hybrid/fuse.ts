import type { Bm25Index } from '../bm25/bm25-index.js'
import { overlap } from '../bm25/overlap.js'
import { type Hit, TopK } from '../top-k.js'

/** Lexical hits that are looked at; those after them say too little to move anything. */
const DEPTH = 256
/** The usual constant of reciprocal rank fusion. */
const RRF = 60

/** Cosine of every memory, and the BM25 hits of the same query. */
export interface RankEvidence {
  index: Bm25Index
  query: ReadonlyMap<string, number>
  similarities: Float64Array
}

/**
 * Adds BM25 to cosine, both scaled to 0–1, but only for as much as query and memory share: the lexical part is weighed by the square of their
 * {@link overlap}. A memory that names what is asked rises, one that shares a stray word does not, so that questions which name a category
 * while memories name its members are left to the meaning.
 */
export function fuseByOverlap({ index, query, similarities }: RankEvidence, weight: number, k: number): Hit[] {
  return fuseScores(index.search(query, DEPTH), similarities, k, (hit) => {
    const shared = overlap(index, query.keys(), index.termsOf(hit.index))
    return weight * shared * shared
  })
}

/** Adds BM25 to cosine, both scaled to 0–1, with one weight for all. */
export function fuseBySum({ index, query, similarities }: RankEvidence, weight: number, k: number): Hit[] {
  return fuseScores(index.search(query, index.size), similarities, k, () => weight)
}

/** Reciprocal rank fusion: ranks count, scores do not. */
export function fuseByRank({ index, query, similarities }: RankEvidence, k: number): Hit[] {
  const depth = Math.max(k, DEPTH)
  const byMeaning = new TopK(Math.min(depth, similarities.length))
  for (let i = 0; i < similarities.length; i++) byMeaning.offer(i, similarities[i]!)
  const scores = new Map<number, number>()
  for (const list of [byMeaning.hits(), index.search(query, depth)]) {
    for (const [i, hit] of list.entries()) scores.set(hit.index, (scores.get(hit.index) ?? 0) + 1 / (RRF + i + 1))
  }
  const best = new TopK(Math.min(k, scores.size))
  for (const [document, score] of scores) best.offer(document, score)
  return best.hits()
}

function fuseScores(
  lexical: readonly Hit[],
  similarities: Float64Array,
  k: number,
  weightOf: (hit: Hit) => number,
): Hit[] {
  const fused = scaled(similarities)
  const highest = lexical[0]?.score ?? 1
  for (const hit of lexical) fused[hit.index]! += (weightOf(hit) * hit.score) / highest
  const best = new TopK(Math.min(k, fused.length))
  for (let i = 0; i < fused.length; i++) best.offer(i, fused[i]!)
  return best.hits()
}

/** Scores moved and stretched to 0–1. */
function scaled(scores: Float64Array): Float64Array {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    if (score < low) low = score
    if (score > high) high = score
  }
  const range = high - low || 1
  return scores.map((score) => (score - low) / range)
}
