import { type Depth, depthTokens, type Memory } from 'memscope'
import { countTokens, type Hit, TopK } from 'memscope/retrieval'

/** No text of more characters than so many a token fits, and none is looked for where so few tokens are left. */
const LONGEST_TOKEN = 8
const FEW = 4

/** The first so many, or all of them that fit into a budget of tokens. */
export function fitting<T extends Memory>(found: readonly T[], k: number, depth: Depth | undefined): T[] {
  const budget = depth === undefined ? null : depthTokens(depth)
  if (budget === null) return found.slice(0, k)
  const fit: T[] = []
  let left = budget
  for (const memory of found) {
    if (left < FEW || fit.length === k) break
    if (memory.text.length > left * LONGEST_TOKEN) continue
    const tokens = countTokens(memory.text)
    if (tokens > left) continue
    left -= tokens
    fit.push(memory)
  }
  return fit
}

/** Moves and stretches scores to 0–1, where they stand: there may be very many. */
export function scale(scores: Float64Array): void {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < scores.length; i++) {
    low = Math.min(low, scores[i]!)
    high = Math.max(high, scores[i]!)
  }
  for (let i = 0; i < scores.length; i++) scores[i] = high > low ? (scores[i]! - low) / (high - low) : 0
}

/** The places of the best scores, best first. @param isFound whether what is at a place may be found */
export function best(scores: Float64Array, k: number, isFound: (index: number) => boolean): Hit[] {
  const found = new TopK(Math.min(k, scores.length))
  for (let i = 0; i < scores.length; i++) if (isFound(i)) found.offer(i, scores[i]!)
  return found.hits()
}
