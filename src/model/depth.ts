import { count } from '../base/figures.js'

/** How much may be retrieved: so many memories, so many tokens of context, or everything, for systems that go by no depth. */
export type Depth = { k: number } | { tokens: number } | 'all'

/** Tokens of context at which a first look is taken, beside the depths in memories that a suite names. */
export const DEFAULT_BUDGETS: readonly number[] = [250, 500, 1000, 2000, 4000]

/** The number of memories asked for; null where something else counts. */
export function depthMemories(depth: Depth): number | null {
  return typeof depth === 'object' && 'k' in depth ? depth.k : null
}

/** The tokens of context asked for; null where something else counts. */
export function depthTokens(depth: Depth): number | null {
  return typeof depth === 'object' && 'tokens' in depth ? depth.tokens : null
}

/** A depth as it is written: `5`, `1000t` or `all`. */
export function depthKey(depth: Depth): string {
  if (depth === 'all') return depth
  return 'k' in depth ? String(depth.k) : `${depth.tokens}t`
}

/** A depth from how it is written. */
export function readDepth(written: string): Depth {
  if (written === 'all') return written
  const [, size, tokens] = /^(\d+)(t?)$/.exec(written) ?? []
  if (size === undefined) throw new Error(`Expected a depth, got "${written}"`)
  return tokens ? { tokens: Number(size) } : { k: Number(size) }
}

/** Whether two depths are the same. */
export function isSameDepth(a: Depth, b: Depth): boolean {
  return depthKey(a) === depthKey(b)
}

/** Memories first, from few to many, then budgets of tokens, then everything. */
export function compareDepths(a: Depth, b: Depth): number {
  const rank = (depth: Depth) => (depth === 'all' ? 2 : 'k' in depth ? 0 : 1)
  const size = (depth: Depth) => depthMemories(depth) ?? depthTokens(depth) ?? 0
  return rank(a) - rank(b) || size(a) - size(b)
}

/** A depth in words: "k = 5", "1,000 tokens", or "fixed depth" for systems that go by none. */
export function depthWords(depth: Depth): string {
  if (depth === 'all') return 'fixed depth'
  return 'k' in depth ? `k = ${depth.k}` : `${count(depth.tokens)} tokens`
}
