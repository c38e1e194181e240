/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  temperatures: { compress: 0.1, plan: 0.2, queries: 0.3, analyse: 0.1, check: 0.1, more: 0.3 },
  /** Searches by meaning for one question, and in one round of looking again. */
  mostQueries: 4,
  /** Entries of the window before that are shown, so that nothing is said twice. */
  shown: 3,
  /** Added to ranks when lists are fused; Memscope's own. */
  rankConstant: 60,
  /** Days to either side when a question speaks of weeks. */
  weekDays: 7,
} as const
