import { readLines } from '../../../base/data-file.js'
import { entryOf } from '../../../base/group-by.js'
import type { Domain } from '../graph.js'
import { FillerSession } from './session.js'

/** Sessions to draw from. */
export interface FillerPool {
  readonly size: number
  at(index: number): FillerSession
}

const pools = new Map<Domain, FillerPool>()

/**
 * The sessions of a domain, read when first asked for. They are the same for every episode and every run, so what is computed of one, a vector
 * say, is computed once.
 *
 * @example fillerPool('personal-life').at(17).turns
 */
export function fillerPool(domain: Domain): FillerPool {
  const file = new URL(`../../../corpora/meme/${domain}-fillers.jsonl.gz`, import.meta.url)
  return entryOf(pools, domain, () => poolOf(readLines(file, FillerSession)))
}

/** A pool of sessions at hand. */
export function poolOf(sessions: readonly FillerSession[]): FillerPool {
  return {
    size: sessions.length,
    at(index) {
      const session = sessions[index]
      if (!session) throw new RangeError(`Expected a session from 0 to ${sessions.length - 1}, got ${index}`)
      return session
    },
  }
}
