import type { Duration } from '../days.js'
import type { LifeTrace, Operation } from '../trace.js'

const ACTS = ['add', 'update', 'delete'] as const
const TYPES = ['activity', 'preference', 'goal', 'neutral', 'failed'] as const
const COUNTED = ['sessions', 'operations', ...ACTS, ...TYPES] as const

/**
 * How many sessions and operations a life has, and of which kinds, as the paper and the published data count them: operations are sessions
 * that change the memory, acts are shares of them in per cent, documents count as activities, and failed ones are neutral sessions that
 * were meant to change something and could not.
 */
export type SessionStatistics = Record<(typeof COUNTED)[number], number>

const statistics = (...values: number[]): SessionStatistics =>
  Object.fromEntries(COUNTED.map((name, at) => [name, values[at]!])) as SessionStatistics

/**
 * A persona's mean in the published data, in the order of `COUNTED`: sessions, operations and their shares as in the paper's Table 2 (where
 * it rounds, the shares to one more digit, counted in the data), sessions by type counted in the data.
 */
export const PUBLISHED: Record<Duration, SessionStatistics> = {
  weekly: statistics(155, 103.2, 68.1, 13.2, 18.7, 72, 28.2, 3, 51.9, 5.3),
  monthly: statistics(615, 374.3, 63.4, 15.6, 21.1, 290.6, 71.4, 12.2, 240.8, 18.9),
  quarterly: statistics(1991, 1171.4, 63.5, 17.9, 18.6, 747.2, 382.2, 42, 819.9, 403.1),
}

/** The mean of some lives. */
export function sessionStatistics(traces: Iterable<LifeTrace>): SessionStatistics {
  const counts = { add: 0, update: 0, delete: 0, activity: 0, preference: 0, goal: 0, neutral: 0, failed: 0 }
  let lives = 0
  for (const trace of traces) {
    lives++
    for (const { operation, failed } of trace.sessions) {
      if (failed !== undefined) counts.failed++
      counts[typeOf(operation)]++
      if (operation !== null) counts[actOf(operation)]++
    }
  }
  const operations = counts.add + counts.update + counts.delete
  return statistics(
    (operations + counts.neutral) / lives,
    operations / lives,
    ...ACTS.map((act) => (100 * counts[act]) / operations),
    ...TYPES.map((type) => counts[type] / lives),
  )
}

/** How far each number is from the published one, as a share of it: 0.05 is 5 % more. */
export function deviations(mix: SessionStatistics, published: SessionStatistics): SessionStatistics {
  return statistics(...COUNTED.map((name) => mix[name] / published[name] - 1))
}

/** Whether an operation adds, updates or deletes; goals are counted as additions, as in the published data. */
function actOf({ act }: Operation): (typeof ACTS)[number] {
  if (act === 'flip' || act === 'replace') return 'update'
  return act === 'set' ? 'add' : act
}

function typeOf(operation: Operation | null): (typeof TYPES)[number] {
  if (operation === null) return 'neutral'
  if (operation.of === 'taste') return 'preference'
  return operation.of === 'goal' ? 'goal' : 'activity'
}
