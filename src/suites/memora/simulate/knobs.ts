import type { Duration } from '../days.js'
import type { DocumentKind, Taste } from '../trace.js'
import type { Range } from './draw.js'

/** What a session is meant to do; what it comes to depends on what there is. */
export type Act = 'add' | 'update' | 'delete'
export type Weights = Partial<Record<Act, number>>

/** How often things happen in a life, and how. Ranges are drawn from evenly. */
export interface Knobs {
  /** Sessions a week; travel is drawn once for the whole life, on different days. */
  tastes: Record<Taste, { sessions: Range; weights: Weights }>
  todos: { aDay: Range; weights: Weights }
  calendar: { aWeek: Range; weights: Weights }
  documents: Record<DocumentKind, DocumentKnobs>
  /** Documents of each kind that a persona has to write. */
  pool: number
  /** Budgets set on the first day of every week. */
  budgets: Range
  /** Sessions a day in which nothing is remembered. */
  neutral: Range
}

export interface DocumentKnobs {
  aWeek: Range
  weights: Weights
  /** Elements that an update brings, and that a deletion takes away. */
  brings: Range
  takes: Range
  /** Sessions on one document, its first included, after which it is complete. */
  completes: Range
}

/** How tastes change. Flips and replacements are the updates; the other shares say which item they meet. */
export interface Drift {
  /** Share of updates that turn a like into a dislike or back; the others put another item in the place of a like. */
  flips: number
  /** Share of replacements that go on where the last one in the domain ended: interest moves from item to item. */
  follows: number
  /** Share of updates that take back an earlier one: the item is liked as before, or has its old place again. */
  reversals: number
}

export const DRIFT: Drift = { flips: 0.3, follows: 0.2, reversals: 0.15 }

/** Which settings a life of so many days has: up to 10 days those of the week, up to 45 those of the month, else of the quarter. */
export function timelineOf(days: number): Duration {
  if (days <= 10) return 'weekly'
  return days <= 45 ? 'monthly' : 'quarterly'
}

const even: Weights = { add: 0.3, update: 0.4, delete: 0.3 }
const growing: Weights = { add: 0.4, update: 0.3, delete: 0.3 }
const revising: Weights = { add: 0.2, update: 0.4, delete: 0.4 }
const shrinking: Weights = { add: 0.2, update: 0.3, delete: 0.5 }
const todo: Weights = { add: 0.5, delete: 0.5 }
const post = { weights: { add: 1 }, brings: [1, 3], takes: [1, 1], completes: [1, 1] } as const

/**
 * The settings published beside the generator of the published data, fitted to that data where lives with them miss its numbers. Months:
 * 6 to 10 neutral sessions a day (published: 4 to 6), and proposals, e-mails and notes complete after 5–6, 2–3 and 3–5 sessions (3–4, 1–2,
 * 1–2), as seen in a published month. Quarters, from totals: 4.5 neutral sessions and 2 todos a day (2 and 3), 26.5 sessions on movies,
 * books and music and 39.5 on documents a week (30.5 and 45), 155 sessions a persona that change documents; how these sums split is a guess
 * near the published proportions. Weeks: e-mails and notes lose more than the published weights let them, as seen in five published weeks.
 */
export const KNOBS: Record<Duration, Knobs> = {
  weekly: {
    tastes: {
      movies: { sessions: [6, 8], weights: even },
      books: { sessions: [6, 8], weights: even },
      music: { sessions: [6, 8], weights: even },
      travel: { sessions: [10, 12], weights: even },
    },
    todos: { aDay: [2, 4], weights: todo },
    calendar: { aWeek: [3, 4], weights: { add: 0.4, update: 0.4, delete: 0.2 } },
    documents: {
      proposal: { aWeek: [6, 8], weights: revising, brings: [1, 4], takes: [1, 3], completes: [3, 4] },
      email: { aWeek: [6, 8], weights: shrinking, brings: [1, 3], takes: [1, 2], completes: [1, 3] },
      notes: { aWeek: [6, 8], weights: shrinking, brings: [1, 3], takes: [1, 3], completes: [1, 3] },
      post: { aWeek: [1, 2], ...post },
    },
    pool: 2,
    budgets: [1, 3],
    neutral: [5, 8],
  },
  monthly: {
    tastes: {
      movies: { sessions: [4, 6], weights: even },
      books: { sessions: [4, 6], weights: even },
      music: { sessions: [4, 6], weights: even },
      travel: { sessions: [10, 12], weights: even },
    },
    todos: { aDay: [2, 4], weights: todo },
    calendar: { aWeek: [2, 3], weights: { add: 0.4, update: 0.4, delete: 0.2 } },
    documents: {
      proposal: { aWeek: [6, 8], weights: revising, brings: [1, 4], takes: [1, 3], completes: [5, 6] },
      email: { aWeek: [6, 8], weights: revising, brings: [1, 4], takes: [1, 2], completes: [2, 3] },
      notes: { aWeek: [6, 8], weights: revising, brings: [1, 3], takes: [1, 3], completes: [3, 5] },
      post: { aWeek: [1, 5], ...post },
    },
    pool: 6,
    budgets: [1, 3],
    neutral: [6, 10],
  },
  quarterly: {
    tastes: {
      movies: { sessions: [8, 10], weights: growing },
      books: { sessions: [8, 9], weights: growing },
      music: { sessions: [8, 10], weights: even },
      travel: { sessions: [10, 12], weights: { add: 0.5, update: 0.4, delete: 0.1 } },
    },
    todos: { aDay: [1, 3], weights: todo },
    calendar: { aWeek: [1, 2], weights: { add: 0.5, update: 0.3, delete: 0.2 } },
    documents: {
      proposal: { aWeek: [10, 13], weights: growing, brings: [1, 4], takes: [1, 3], completes: [6, 7] },
      email: { aWeek: [10, 13], weights: growing, brings: [1, 4], takes: [1, 2], completes: [2, 4] },
      notes: { aWeek: [10, 13], weights: growing, brings: [1, 3], takes: [1, 3], completes: [3, 5] },
      post: { aWeek: [1, 8], ...post },
    },
    pool: 10,
    budgets: [1, 3],
    neutral: [3, 6],
  },
}
