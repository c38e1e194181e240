/** What is fixed in it. `docs/systems/originals.json` says where each number comes from. */
export const FIXED = {
  /** Memories that each search brings to the scoring: so many times k, and no fewer than the floor. */
  poolTimes: 4,
  poolFloor: 60,
  /** Most words of a question, middle and steepness of the curve that squashes BM25 for it. */
  curves: [
    [3, 5, 0.7],
    [6, 7, 0.6],
    [9, 9, 0.5],
    [15, 10, 0.5],
    [Number.POSITIVE_INFINITY, 12, 0.5],
  ],
  /** Two names are the same from this likeness on. */
  sameName: 0.95,
  /** A name of the question counts from this likeness on, for at most so many entities; so many names of a question are looked at. */
  nearName: 0.5,
  mostEntities: 500,
  mostNames: 8,
  /** What a name adds to a score at most, and how fast that falls with the memories that share it. */
  nameWeight: 0.5,
  nameSpread: 0.001,
} as const
