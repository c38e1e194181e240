/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  maxTokens: 8000,
} as const
