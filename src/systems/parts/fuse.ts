/** An id with its score. */
export interface Ranked {
  id: string
  score: number
}

/**
 * Reciprocal rank fusion: every list gives its members 1 / (constant + rank), ranks from 1. Equal sums go by the first list that has them.
 *
 * @example fuseRanks([['a', 'b'], ['b']], 60) // b before a
 */
export function fuseRanks(lists: readonly (readonly string[])[], constant: number): Ranked[] {
  const scores = new Map<string, number>()
  for (const list of lists) {
    for (const [i, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (constant + i + 1))
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
