import type { Embedder } from '../../model/index.js'
import type { Reading } from './kinds/finding.js'
import { coverage } from './words/match.js'

/**
 * Nearness of texts by their vectors, all made in one go; by shared words when there is no embedder. The latter is put on the scale of
 * the former, so that thresholds hold for both.
 */
export async function readingOf(texts: Iterable<string>, embed: Embedder | undefined): Promise<Reading> {
  if (!embed) return { similarity: wordSimilarity }
  const list = [...new Set(texts)]
  const vectors = new Map<string, Float32Array>()
  const made = list.length > 0 ? await embed.embed(list) : []
  list.forEach((text, i) => vectors.set(text, made[i]!))
  return {
    similarity(a, b) {
      const [x, y] = [vectors.get(a), vectors.get(b)]
      return x && y ? dot(x, y) : wordSimilarity(a, b)
    },
  }
}

/** Shared content both ways, stretched to the range that sentence vectors give. */
export function wordSimilarity(a: string, b: string): number {
  const forth = coverage(a, b).score
  const back = coverage(b, a).score
  return 0.15 + 0.75 * (0.65 * forth + 0.35 * back)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
