/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  /** Turns of one piece, and how many of them are said again in the next. */
  group: 10,
  groupOverlap: 2,
  /** Cosine of contexts from which the model is asked whether two preferences are the same. */
  alike: 0.5,
  /** Tags in common from which a memory is a match. */
  commonTags: 2,
  /** Memories of each type that are looked at, so many times as are wanted. */
  poolTimes: 2,
} as const
