import type { Depth } from './depth.js'
import type { Outcome, Score } from './score.js'
import type { Interval, PairAgreement } from './summary.js'

/** What a system got on a task at one depth. */
export interface PointResults {
  /** Memories asked for; null at other depths. */
  k: number | null
  depth: Depth
  evidence: { rate: number; ci95: Interval } | null
  answer: { rate: number; ci95: Interval } | null
  scores: readonly Score[]
}

/** A system on a task. Yardsticks, such as a memory that is given gold, are set apart. */
export interface RowResults {
  label: string
  kind: 'system' | 'yardstick' | 'guesser'
  /** By k; a fixed-depth system has one point. */
  points: readonly PointResults[]
  /** The point that overviews show. */
  shown: PointResults
}

/** A task that was run. */
export interface TaskResults {
  name: string
  /** The k of overviews, and all that were run. */
  k: number | null
  ks: readonly number[]
  rows: readonly RowResults[]
}

/** Evidence success on the questions that carry one value of one tag. */
export interface TagResults {
  task: string
  tag: string
  value: string
  label: string
  k: number | null
  n: number
  complete: number
  ci95: Interval
}

/** What a memory costs in USD over one scenario, from its first conversation to its last answer. Judging is no part of it. */
export interface ScenarioCost {
  ingest: number
  /** Retrieving and answering all questions. */
  inference: number
  total: number
}

/** What a suite's own tables and charts are made of: all results of a run that are its own. */
export interface SuiteResults {
  suite: string
  tasks: readonly TaskResults[]
  overall: readonly { label: string; depth: Depth; k: number | null; scores: readonly Score[] }[]
  tags: readonly TagResults[]
  /** Conversations in which something was changed or taken back: how many, after how many the store was another, and its tokens around them. */
  changes: readonly { label: string; n: number; written: number; before: number; after: number }[]
  /** How pairs of judges of a panel agreed on questions that carry one value of one tag. */
  agreement: readonly ({ tag: string; value: string; on: 'facts' | 'answers' } & PairAgreement)[]
  /** Where prices are known, at the depth of overviews. */
  costs: readonly { label: string; depth: Depth; cost: ScenarioCost }[]
}

/** A cell of a table: what it says, and beside it, small, something to compare it with. */
export type TableCell = string | { text: string; beside?: string; strong?: true }

/** A table. Its first columns are names, as many as `names` says or one; the others are numbers. */
export interface SuiteTable {
  kind: 'table'
  title: string
  columns: readonly string[]
  names?: number
  rows: readonly (readonly TableCell[])[]
}

/** Rates, from 0 to 1, against a positive quantity on a logarithmic axis; marked at `ticks`, else at round numbers. */
export interface SuiteChart {
  kind: 'chart'
  title: string
  x: string
  ticks?: readonly number[]
  series: readonly ChartSeries[]
  note?: string
}

/** A line of a chart. Published series and ceilings are drawn back; points of a loose one are not joined. */
export interface ChartSeries {
  name: string
  published?: true
  ceiling?: true
  loose?: true
  points: readonly ChartPoint[]
}

/** `bounds`: what it would be if every uncertain verdict went one way or the other. An unmarked point only leads a line. */
export interface ChartPoint {
  x: number
  y: number
  ci95?: Interval
  bounds?: Interval
  unmarked?: true
}

/** Values by name, a line each on one axis, in groups: shares from 0 to 1, differences of them around 0, USD (on a logarithmic axis) or amounts of anything. */
export interface SuiteDots {
  kind: 'dots'
  title: string
  unit: 'share' | 'points' | 'usd' | 'amount'
  groups: readonly { name: string; dots: readonly ChartDot[] }[]
  note?: string
  /** The same in numbers; one is made of the dots unless given. */
  table?: SuiteTable
}

/** `spread`: how far it may be off, or how far apart the values lie of which it is the middle. */
export interface ChartDot {
  name: string
  value: number
  spread?: Interval
  published?: true
}

/** What became of wholes: a bar each, of shares that add up to 1. */
export interface SuiteStack {
  kind: 'stack'
  title: string
  bars: readonly { name: string; beside?: string; parts: readonly { outcome: Outcome; share: number }[] }[]
}

/** Parts that are shown once somebody asks for them. */
export interface SuiteFold {
  kind: 'fold'
  title: string
  parts: readonly SuitePart[]
}

/** Something a suite has drawn in reports. All of it is data: every format draws it in its way, and escapes it. */
export type SuitePart = SuiteTable | SuiteChart | SuiteDots | SuiteStack | SuiteFold

/** A section of a suite's own in reports. */
export interface SuiteSection {
  /** For links, of lower-case letters. */
  id: string
  title: string
  intro?: string
  parts: readonly SuitePart[]
}

/**
 * How things of a scenario depend on one another, for those who look at it. `changed`: what changes; `reached`: what the change should reach.
 * `facts` are those that say the state of a thing, or what it should have become.
 */
export interface SuiteGraph {
  nodes: readonly {
    id: string
    label: string
    note?: string
    state?: 'changed' | 'reached'
    facts: readonly string[]
  }[]
  /** `words`: what is said of the dependency. */
  edges: readonly { from: string; to: string; words?: string }[]
}
