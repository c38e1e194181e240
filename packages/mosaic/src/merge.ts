import type { Hit } from 'memscope/retrieval'

/** Notes of one origin, best first. */
export interface Source {
  hits: Iterable<Hit>
  /** Each of its notes is followed by the next of the main list: it may lead to nothing that is asked for. */
  isAside?: boolean
}

/**
 * One list of several: sources in their order, and then the rest of the main list. A note keeps the place that it has first.
 *
 * @param main notes by how well they answer
 */
export function merge(main: readonly Hit[], sources: readonly Source[]): Hit[] {
  const merged: Hit[] = []
  const taken = new Set<number>()
  let next = 0
  const take = (hit: Hit): boolean => {
    if (taken.has(hit.index)) return false
    taken.add(hit.index)
    merged.push(hit)
    return true
  }
  for (const { hits, isAside = false } of [...sources, { hits: main }])
    for (const hit of hits) {
      if (!take(hit) || !isAside) continue
      while (next < main.length && !take(main[next]!)) next++
    }
  return merged
}
