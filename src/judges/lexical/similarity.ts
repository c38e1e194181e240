import { coverage } from '../../language/match.js'
import type { Embedder } from '../../model/index.js'
import type { FactReading } from './kinds/finding.js'

/**
 * Nearness of texts by their vectors, all made in one go; by shared words when there is no embedder. The latter is put on the scale of
 * the former, so that thresholds hold for both.
 */
export async function readingOf(texts: Iterable<string>, embed: Embedder | undefined): Promise<FactReading> {
  if (!embed) return { similarity: wordSimilarity, vectors: false }
  const list = [...new Set(texts)]
  const vectors = new Map<string, Float32Array>()
  const made = list.length > 0 ? await embed.embed(list) : []
  for (const [i, text] of list.entries()) vectors.set(text, made[i]!)
  return {
    vectors: true,
    similarity(a, b) {
      const [x, y] = [vectors.get(a), vectors.get(b)]
      return x && y ? dot(x, y) : wordSimilarity(a, b)
    },
  }
}

/** Shared content both ways, by a line fitted to sentence vectors over labelled pairs (correlation 0.89). */
function wordSimilarity(a: string, b: string): number {
  const [forth, back] = [coverage(a, b), coverage(b, a)]
  return 0.235 + 0.08 * forth.score + 0.02 * back.score + 0.35 * forth.core + 0.22 * back.core
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
