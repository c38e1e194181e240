import type { Depth } from './depth.js'
import type { Score } from './score.js'
import type { Interval } from './summary.js'

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
  overall: readonly { label: string; k: number | null; scores: readonly Score[] }[]
  tags: readonly TagResults[]
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

/** Rates, from 0 to 1, against a positive quantity on a logarithmic axis. Published series are drawn back. */
export interface SuiteChart {
  kind: 'chart'
  title: string
  x: string
  ticks: readonly number[]
  series: readonly ChartSeries[]
}

export interface ChartSeries {
  name: string
  published?: true
  points: readonly { x: number; y: number; ci95?: Interval }[]
}

/** Amounts of money on one axis, and the same as a table. */
export interface SuiteAmounts {
  kind: 'amounts'
  title: string
  amounts: readonly { name: string; usd: number; published?: true }[]
  note: string
  table: SuiteTable
}

/** Parts that are shown once somebody asks for them. */
export interface SuiteFold {
  kind: 'fold'
  title: string
  parts: readonly SuitePart[]
}

/** Something a suite has drawn in reports. All of it is data: every format draws it in its way, and escapes it. */
export type SuitePart = SuiteTable | SuiteChart | SuiteAmounts | SuiteFold

/** A section of a suite's own in reports. */
export interface SuiteSection {
  /** For links, of lower-case letters. */
  id: string
  title: string
  intro?: string
  parts: readonly SuitePart[]
}
