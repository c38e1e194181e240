import type { LifeTrace, Operation } from '../trace.js'
import type { Timeline } from './knobs.js'

/** How many sessions and operations a life has, and of which kinds, as the paper and the published data count them. */
export interface SessionStatistics {
  sessions: number
  /** Sessions that change the memory. */
  operations: number
  /** Shares of the operations, in percent. */
  add: number
  update: number
  delete: number
  /** Sessions by type: documents count as activities. */
  activity: number
  preference: number
  goal: number
  neutral: number
  /** Neutral sessions that were meant to change something and could not. */
  failed: number
}

/**
 * A persona's mean in the published data: sessions, operations and their shares as in the paper's Table 2 (where it rounds, the shares
 * to one more digit, counted in the data), sessions by type counted in the data.
 */
export const PUBLISHED: Record<Timeline, SessionStatistics> = {
  weekly: {
    sessions: 155,
    operations: 103.2,
    add: 68.1,
    update: 13.2,
    delete: 18.7,
    activity: 72,
    preference: 28.2,
    goal: 3,
    neutral: 51.9,
    failed: 5.3,
  },
  monthly: {
    sessions: 615,
    operations: 374.3,
    add: 63.4,
    update: 15.6,
    delete: 21.1,
    activity: 290.6,
    preference: 71.4,
    goal: 12.2,
    neutral: 240.8,
    failed: 18.9,
  },
  quarterly: {
    sessions: 1991,
    operations: 1171.4,
    add: 63.5,
    update: 17.9,
    delete: 18.6,
    activity: 747.2,
    preference: 382.2,
    goal: 42,
    neutral: 819.9,
    failed: 403.1,
  },
}

/** What the paper's Table 2 says of published conversations: turns a session, overlap of word runs, closeness of embeddings. */
export const PUBLISHED_TALK: Record<Timeline, { turns: number; overlap: Record<1 | 2 | 3, number>; cosine: number }> = {
  weekly: { turns: 16.1, overlap: { 1: 0.144, 2: 0.027, 3: 0.011 }, cosine: 0.275 },
  monthly: { turns: 15.6, overlap: { 1: 0.144, 2: 0.026, 3: 0.011 }, cosine: 0.272 },
  quarterly: { turns: 15.7, overlap: { 1: 0.126, 2: 0.027, 3: 0.01 }, cosine: 0.281 },
}

/** The days of the published durations. */
export const DAYS: Record<Timeline, number> = { weekly: 7, monthly: 28, quarterly: 92 }

/** Whether an operation adds, updates or deletes; goals are counted as additions, as in the published data. */
function actOf(operation: Operation): 'add' | 'update' | 'delete' {
  switch (operation.act) {
    case 'flip':
    case 'replace':
      return 'update'
    case 'set':
      return 'add'
    default:
      return operation.act
  }
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
  const mean = (count: number) => count / lives
  const share = (count: number) => (100 * count) / operations
  return {
    sessions: mean(operations + counts.neutral),
    operations: mean(operations),
    add: share(counts.add),
    update: share(counts.update),
    delete: share(counts.delete),
    activity: mean(counts.activity),
    preference: mean(counts.preference),
    goal: mean(counts.goal),
    neutral: mean(counts.neutral),
    failed: mean(counts.failed),
  }
}

/** How far each number is from the published one, as a share of it: 0.05 is 5 % more. */
export function deviations(mix: SessionStatistics, published: SessionStatistics): SessionStatistics {
  const names = Object.keys(published) as (keyof SessionStatistics)[]
  return Object.fromEntries(
    names.map((name) => [name, mix[name] / published[name] - 1]),
  ) as unknown as SessionStatistics
}

function typeOf(operation: Operation | null): 'activity' | 'preference' | 'goal' | 'neutral' {
  if (operation === null) return 'neutral'
  if (operation.of === 'taste') return 'preference'
  return operation.of === 'goal' ? 'goal' : 'activity'
}
