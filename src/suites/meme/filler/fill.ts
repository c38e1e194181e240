import { UserError } from '../../../base/errors.js'
import { Random } from '../../../base/random.js'
import type { Domain } from '../graph.js'
import { conflicts } from './conflicts.js'
import { type FillerPool, fillerPool } from './pool.js'
import { type FillerSession, LEAST } from './session.js'

export interface FillRequest {
  domain: Domain
  /** What all fillers of the episode come to together; 0 for none. */
  tokens: number
  /** Places between the sessions of the episode. */
  gaps: number
  seed: number | string
  /** Values and keywords of the episode that no filler may contain. */
  blocked: readonly string[]
  /** Where to draw from, when not from the domain's own pool. */
  pool?: FillerPool
}

/** How far the total may be from what was asked for. */
const TOLERANCE = 0.03
/** How near is near enough to stop looking. */
const CLOSE = 0.01
/** How many sessions are looked at before the whole pool is. It decides which are drawn, so every run rests on it. */
const GLANCES = 40

/**
 * Filler sessions for the gaps of an episode, drawn from the pool without repetition, spread evenly, together within 3 % of the budget.
 *
 * @example fillSessions({ domain: 'personal-life', tokens: 32_000, gaps: 6, seed: 1, blocked: ['Velmora Bay'] })
 */
export function fillSessions(request: FillRequest): FillerSession[][] {
  const { domain, tokens, gaps, seed, blocked } = request
  const filled: FillerSession[][] = Array.from({ length: gaps }, () => [])
  if (tokens === 0) return filled
  if (tokens < LEAST) throw new UserError(`A filler budget is 0 or at least ${LEAST} tokens, got ${tokens}.`)
  const pool = request.pool ?? fillerPool(domain)
  const random = new Random(`${seed} ${domain}`)
  const left = random.shuffle(Array.from({ length: pool.size }, (_, index) => index))
  let total = 0
  const take = (fits: (size: number) => boolean, glances: number): FillerSession | undefined => {
    for (let at = 0, seen = 0; at < left.length && seen < glances; at++, seen++) {
      const session = pool.at(left[at]!)
      if (!fits(session.tokens)) continue
      left.splice(at, 1)
      if (conflicts(session.turns, blocked).length === 0) return session
      at--
    }
    return undefined
  }
  const ending = (missing: number) =>
    take((size) => Math.abs(missing - size) <= tokens * CLOSE, GLANCES) ??
    take((size) => missing - size >= LEAST, GLANCES) ??
    take((size) => Math.abs(missing - size) <= tokens * CLOSE, pool.size) ??
    take((size) => Math.abs(missing - size) <= tokens * TOLERANCE, pool.size) ??
    take((size) => missing - size >= LEAST, pool.size)
  for (const [gap, sessions] of filled.entries()) {
    const last = gap === gaps - 1
    const goal = Math.round((tokens * (gap + 1)) / gaps)
    while (goal - total >= (last ? tokens * CLOSE : LEAST)) {
      const missing = goal - total
      const session = last
        ? ending(missing)
        : take((size) => size <= missing && tokens - total - size >= LEAST, GLANCES)
      if (!session) break
      sessions.push(session)
      total += session.tokens
    }
  }
  if (Math.abs(tokens - total) > tokens * TOLERANCE) {
    throw new UserError(
      `Fillers of ${tokens} tokens were asked for, but those without a value of the episode come to ${total}.`,
      'Ask for a smaller budget, or give a larger folder of fillers.',
    )
  }
  return filled
}
