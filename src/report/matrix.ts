import { wilson } from '../base/intervals.js'
import type { Depth, Interval } from '../model/index.js'
import { hasLostMuch } from './cautions.js'
import { costHead, costsOf } from './cost-lines.js'
import { largestLoss } from './findings.js'
import type { ReportData } from './report-data.js'
import { ownScore } from './task-table.js'
import { ceilingAt, type Point, type Row, type TaskView, taskViews } from './task-view.js'

/** A run on one screen: tasks down, systems across, one number in every cell. */
export interface Matrix {
  suites: MatrixSuite[]
  /** Systems, then yardsticks. */
  systems: MatrixSystem[]
  /** Heads the row of costs, with the date of the prices. */
  costHead: string
}

/** A suite's tasks, and the depth at which they are shown; null where every system has a fixed one. */
export interface MatrixSuite {
  name: string
  depth: Depth | null
  tasks: MatrixTask[]
}

/** A line of the matrix. */
export interface MatrixTask {
  view: TaskView
  /** What the number is: `evidence` without a reader, with one the suite's own score. */
  measure: string
  /** Questions behind the number, at most. */
  n: number
  ceiling: number | undefined
  /** Who answers best without any memory. */
  guesser: { label: string; rate: number } | null
  /** One for every system; null where it was not measured. */
  cells: (MatrixCell | null)[]
}

/** One system on one task at the suite's depth. */
export interface MatrixCell {
  row: Row
  rate: number
  ci95?: Interval
  n: number
  loss: ReturnType<typeof largestLoss>
  mark: CellMark
}

/** What must be known of a number before it is compared; empty for nothing. */
export type CellMark = '' | keyof typeof MARK_WORDS

/** Marks of cells, in words. */
export const MARK_WORDS = {
  '!': 'conversations lost',
  '?': 'errors',
  '^': 'above the ceiling',
  '~': 'uncertain',
} as const

/** A system over all tasks together. */
export interface MatrixSystem {
  label: string
  kind: Row['kind']
  n: number
  /** Over all questions, whatever their task; null where nothing was measured. */
  rate: number | null
  /** Of scores that are no shares it is wider than it need be: none spreads more than a share does. */
  ci95: Interval | null
  /** Tokens of context that a question was given, on average. */
  tokens: number | null
  /** In USD for everything at the depths shown; null when a price is not known. */
  cost: number | null
}

/** From how far apart bounds are told on a first look. */
const WIDE_BOUNDS = 0.05

/** Arranges a run as one matrix. */
export function matrixOf(data: ReportData, views: readonly TaskView[] = taskViews(data)): Matrix {
  const rows = views.flatMap((view) => view.rows)
  const order = [...rows.filter(({ kind }) => kind === 'system'), ...rows.filter(({ kind }) => kind !== 'system')]
  const labels = [...new Set(order.map(({ label }) => label))]
  const tasks = views.map((view) => matrixTask(view, labels))
  const suites = [...new Set(views.map(({ suite }) => suite))].map((name) => {
    const own = tasks.filter(({ view }) => view.suite === name)
    return { name, depth: own[0]!.view.depth, tasks: own }
  })
  const costs = costsOf(data).flatMap(({ shown }) => shown)
  const systems = labels.map((label, at) => {
    const bills = costs.filter((line) => line.label === label).map(({ total }) => total.cost)
    const cost = bills.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
    const kind = order.find((row) => row.label === label)!.kind
    return { label, kind, cost, ...overall(tasks.flatMap(({ cells }) => cells[at] ?? [])) }
  })
  return { suites, systems, costHead: costHead(data) }
}

function matrixTask(view: TaskView, labels: readonly string[]): MatrixTask {
  const own = view.rows.some(({ shown }) => ownScore(view, shown)) ? view.ownScore : undefined
  const read = view.rows.some(({ shown }) => shown.answer)
  const numberOf = (point: Point): Pick<MatrixCell, 'rate' | 'ci95' | 'n'> | null => {
    if (own !== undefined) {
      const score = ownScore(view, point)
      return score && { ...score, n: (point.n - point.errors) / point.trials }
    }
    const rate = read ? point.answer : point.evidence
    return rate && { rate: rate.rate, ci95: rate.ci95, n: rate.n / point.trials }
  }
  const cells = labels.map((label) => {
    const row = view.rows.find((one) => one.label === label)
    const number = row ? numberOf(row.shown) : null
    return row && number ? { row, ...number, loss: largestLoss(row.shown), mark: markOf(row.shown, read) } : null
  })
  const guesses = view.guessers.flatMap(({ label, shown }) => (shown.answer ? { label, rate: shown.answer.rate } : []))
  return {
    view,
    measure: own ?? (read ? view.answerName : 'evidence'),
    n: Math.max(0, ...cells.map((cell) => cell?.n ?? 0)),
    ceiling: view.depth === null ? undefined : ceilingAt(view, view.depth),
    guesser: guesses.reduce<MatrixTask['guesser']>((best, one) => (best && best.rate >= one.rate ? best : one), null),
    cells,
  }
}

function markOf(point: Point, read: boolean): CellMark {
  if (hasLostMuch(point)) return '!'
  if (point.errors > 0) return '?'
  if (point.aboveCeiling || (read && point.answerAboveCeiling)) return '^'
  const bounds = (read ? point.answer : point.evidence)?.bounds
  return bounds && bounds[1] - bounds[0] >= WIDE_BOUNDS ? '~' : ''
}

function overall(cells: readonly MatrixCell[]): Pick<MatrixSystem, 'n' | 'rate' | 'ci95' | 'tokens'> {
  const sum = (of: (cell: MatrixCell) => number) => cells.reduce((total, cell) => total + of(cell), 0)
  const n = sum((cell) => cell.n)
  const rate = n === 0 ? null : sum((cell) => cell.rate * cell.n) / n
  const read = cells.filter(({ row }) => row.shown.contextPerQuestion !== null)
  const asked = read.reduce((total, { row }) => total + row.shown.n, 0)
  const tokens = read.reduce((total, { row }) => total + row.shown.contextPerQuestion! * row.shown.n, 0)
  return {
    n,
    rate,
    tokens: asked === 0 ? null : tokens / asked,
    ci95: rate === null ? null : wilson(rate * n, n),
  }
}

/** All cells of a matrix that were measured. */
export function cellsIn({ suites }: Matrix): MatrixCell[] {
  return suites.flatMap(({ tasks }) => tasks.flatMap(({ cells }) => cells.flatMap((cell) => cell ?? [])))
}

/** The marks that stand in it, in the order in which they are told. */
export function marksIn(matrix: Matrix): (keyof typeof MARK_WORDS)[] {
  const used = new Set<CellMark>(cellsIn(matrix).map(({ mark }) => mark))
  return (Object.keys(MARK_WORDS) as (keyof typeof MARK_WORDS)[]).filter((mark) => used.has(mark))
}

/** What the numbers of a run are, every measure with the suites it is of: `evidence`, or `success (one), grade (two)`. */
export function measureWords({ suites }: Matrix): string {
  const bySuite = suites.map(({ name, tasks }) => ({ name, measures: new Set(tasks.map(({ measure }) => measure)) }))
  const all = [...new Set(bySuite.flatMap(({ measures }) => [...measures]))]
  if (all.length < 2) return all[0] ?? 'evidence'
  return all
    .map((measure) => {
      const own = bySuite.filter(({ measures }) => measures.has(measure)).map(({ name }) => name)
      return `${measure} (${own.join(', ')})`
    })
    .join(', ')
}
