import { cosine } from '../../base/cosine.js'
import { coverage } from '../../language/match.js'
import type { Embedder } from '../../model/index.js'

/** How near two texts are in meaning, about 0 to 1. */
export type Similarity = (a: string, b: string) => number

/**
 * A function that compares two of the texts: by their vectors, or by shared words without an embedder.
 *
 * @param fast whether vectors may be off in the last digits
 */
export async function createSimilarity(
  texts: Iterable<string>,
  embed: Embedder | undefined,
  fast = false,
): Promise<Similarity> {
  if (!embed) return wordSimilarity
  const list = [...new Set(texts)]
  const vectorsOf = (fast && embed.embedFast) || embed.embed
  const made = list.length > 0 ? await vectorsOf(list) : []
  const vectors = new Map(list.map((text, i) => [text, made[i]!]))
  return (a, b) => cosine(vectors.get(a)!, vectors.get(b)!)
}

/** Shared content both ways, by a line fitted to sentence vectors over labelled pairs (correlation 0.89). */
function wordSimilarity(a: string, b: string): number {
  const [forth, back] = [coverage(a, b), coverage(b, a)]
  return 0.235 + 0.08 * forth.score + 0.02 * back.score + 0.35 * forth.core + 0.22 * back.core
}
