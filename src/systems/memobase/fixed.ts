/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  /** Events found for a question at most. */
  mostEvents: 60,
} as const
