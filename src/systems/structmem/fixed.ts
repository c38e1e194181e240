/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  /** Likeness below which neighbouring turns are on different topics: the first that gives a cut is taken. */
  cuts: [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5],
  /** Milliseconds that turns of a conversation are taken to be apart. */
  apart: 500,
  /** Newer events are compared with at most so many of those they are like. */
  queue: 10,
} as const
