/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  maxTokens: 8000,
  /** Names this alike are one; those with less variety, in bits a character, or fewer characters are not compared by their letters. */
  alike: 0.9,
  leastEntropy: 1.5,
  leastLength: 6,
  shingle: 3,
  /** Added to ranks when lists are fused: Graphiti adds 1 / (i + 1) with i from 0, plain reciprocal ranks. */
  rankConstant: 0,
  /** Gathered facts may be this many times as long as a summary before one is written; entities in one call. */
  summarySlack: 2,
  summaryBatch: 30,
} as const
