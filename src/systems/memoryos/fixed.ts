/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  /** Of steps that do not go by the option `temperature`. */
  temperatures: { continuity: 0, overview: 0.3 },
  /** Hours in which the warmth of a visit falls to a third. */
  cooling: 24,
  /** Least cosine of sessions and pages, and of knowledge. */
  near: 0.1,
  known: 0.01,
  /** A profile of fewer characters is taken for none, and the one before is kept. */
  shortestProfile: 30,
} as const
