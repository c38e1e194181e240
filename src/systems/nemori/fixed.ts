/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  temperatures: { segment: 0.2, episode: 0.3, decide: 0.3, merge: 0.7, predict: 0.3, compare: 0.2, direct: 0.2 },
  maxTokens: 8192,
  /** Messages that make an episode, at least, where a conversation is divided. */
  leastMessages: 2,
  /** Added to ranks when lists are fused. */
  rankConstant: 60,
} as const
