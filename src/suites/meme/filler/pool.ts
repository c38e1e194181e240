import { Random } from '../../../base/random.js'
import type { Domain } from '../graph.js'
import { compose, dealt, type FillerSession } from './compose.js'
import { movesOf, sourcesOf } from './sources.js'

/** Sessions to draw from, each made when first asked for. */
export interface FillerPool {
  readonly size: number
  at(index: number): FillerSession
}

/** Sessions of each domain’s pool: three times what an episode of 128K tokens takes, and few enough to be embedded once in minutes. */
export const POOL_SIZE = 240

const pools = new Map<Domain, FillerPool>()

/**
 * The sessions of a domain. They are the same for every episode and every run, so what is computed of one, a vector say, is computed once.
 *
 * @example fillerPool('personal-life').at(17).turns
 */
export function fillerPool(domain: Domain): FillerPool {
  let pool = pools.get(domain)
  if (!pool) {
    pool = makePool(domain)
    pools.set(domain, pool)
  }
  return pool
}

function makePool(domain: Domain): FillerPool {
  const sources = sourcesOf(domain)
  const moves = movesOf(domain)
  const order = dealt(sources, POOL_SIZE, `fillers of ${domain}`)
  const made = new Map<number, FillerSession>()
  return {
    size: POOL_SIZE,
    at(index) {
      const first = order[index]
      if (!first) throw new RangeError(`Expected a session from 0 to ${POOL_SIZE - 1}, got ${index}`)
      let session = made.get(index)
      if (!session) {
        session = compose(`${domain}:${index}`, first, sources, moves, new Random(`${domain} filler ${index}`))
        made.set(index, session)
      }
      return session
    },
  }
}
