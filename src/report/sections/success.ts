import { groupBy } from '../../base/group-by.js'
import {
  type ChartPoint,
  type ChartSeries,
  type Depth,
  depthMemories,
  depthTokens,
  type Interval,
  type SuiteChart,
  type SuiteSection,
} from '../../model/index.js'
import type { ReportData, ReportReference } from '../report-data.js'
import { byMemory } from '../sweep.js'
import { hasOwnScore, ownScore } from '../task-table.js'
import { type Point, type Row, sweepOf, type TaskView } from '../task-view.js'

/** What a chart draws of a point. */
type Measure = (point: Point) => { rate: number; ci95?: Interval; bounds?: Interval } | null

/**
 * Success against k and against tokens, with ceilings and published figures behind: the suite's own number where it names one and somebody
 * read, evidence elsewhere.
 */
export function successSections(data: ReportData, tasks: readonly TaskView[]): SuiteSection[] {
  const charts = tasks.flatMap((task) => [...againstMemories(data, task), ...againstTokens(data, task)])
  if (charts.length === 0) return []
  const own = tasks.filter(hasOwnScore).length
  const intro = [
    'In per cent, with 95 % intervals.',
    own > 0 &&
      '“Success with the answer” counts a question when every stage passed and the reader answered it, as the paper does.',
    own < tasks.length && '“Evidence” counts a question when everything needed was retrieved, whoever reads it.',
    'The dashed line is the ceiling: what a perfect search attains when every memory holds one fact.',
    charts.some(({ series }) => series.some(({ published }) => published)) &&
      'Thin grey lines are published figures: they count a question when a reader also answered it, on the released data, with other systems and models.',
  ]
  return [{ id: 'success', title: 'Success against depth', intro: intro.filter(Boolean).join(' '), parts: charts }]
}

/** What is drawn of a task, and by whom: evidence is the same whoever reads it. */
function drawnOf(data: ReportData, task: TaskView): { name: string; measure: Measure; rows: Row[] } {
  if (hasOwnScore(task))
    return { name: 'success with the answer', measure: (point) => ownScore(task, point), rows: task.rows }
  const rows = byMemory(task, sweepOf(data.summary.cells))
  return { name: 'evidence', measure: (point) => point.evidence, rows }
}

function againstMemories(data: ReportData, task: TaskView): SuiteChart[] {
  const { name, measure, rows } = drawnOf(data, task)
  const own = rows.filter(({ points }) => points.some(measure))
  if (task.ks.length < 2 || own.length === 0) return []
  // Questions that need no fact are no part of the ceiling, but of success.
  const limited = !hasOwnScore(task) || own.every(({ shown }) => shown.evidence?.n === shown.n - shown.errors)
  const series: ChartSeries[] = [
    ...own.map((row) => ({ name: row.label, points: depthPoints(row, task.ks, measure) })),
    ...published(data, task),
    ...(limited ? ceiling(task, depthMemories) : []),
  ]
  return [{ kind: 'chart', title: `${task.id}: ${name} against k`, x: 'k', ticks: task.ks, series }]
}

/** Against budgets of tokens where these were run, else against what was retrieved at every k. */
function againstTokens(data: ReportData, task: TaskView): SuiteChart[] {
  const { name, measure, rows } = drawnOf(data, task)
  const budgeted = task.budgets.length > 1
  const series = rows.flatMap((row): ChartSeries[] => {
    const points = (budgeted ? row.budgets : row.points).flatMap((point) => {
      const value = measure(point)
      const x = budgeted ? depthTokens(point.depth) : point.contextPerQuestion
      return value && x ? [pointOf(x, value)] : []
    })
    return points.length === 0 ? [] : [{ name: row.label, points }]
  })
  if (series.length === 0) return []
  const x = budgeted ? 'tokens of context' : 'tokens retrieved per question'
  return [
    {
      kind: 'chart',
      title: `${task.id}: ${name} against tokens`,
      x,
      ...(budgeted && { ticks: task.budgets }),
      series: [...series, ...(budgeted ? ceiling(task, depthTokens) : [])],
    },
  ]
}

function pointOf(x: number, { rate, ci95, bounds }: NonNullable<ReturnType<Measure>>): ChartPoint {
  return { x, y: rate, ...(ci95 && { ci95 }), ...(bounds && { bounds }) }
}

// A fixed-depth system reads the same at any k: a level line.
function depthPoints(row: Row, ks: readonly number[], measure: Measure): ChartPoint[] {
  return row.points.flatMap((point): ChartPoint[] => {
    const value = measure(point)
    if (!value) return []
    if (point.k !== null) return [pointOf(point.k, value)]
    const begin = ks.length > 1 ? [{ x: ks[0]!, y: value.rate, unmarked: true as const }] : []
    return [...begin, pointOf(ks.at(-1) ?? 1, value)]
  })
}

function ceiling({ ceilings }: TaskView, of: (depth: Depth) => number | null): ChartSeries[] {
  const points = ceilings.flatMap(({ depth, rate: y }) => (of(depth) === null ? [] : { x: of(depth)!, y }))
  return points.length === 0 ? [] : [{ name: 'ceiling', ceiling: true, points }]
}

const STAGES = ['not_stored', 'summary_error', 'not_retrieved']

// One model and one subset, at most six lines: more would hide what was measured.
function published({ references }: ReportData, { suite, name, ks }: TaskView): ChartSeries[] {
  const own = references.filter((series) => series.suite === suite && series.task === name && series.points.length > 0)
  const lost = (series: ReportReference) =>
    series.points.reduce((sum, { counts }) => sum + STAGES.reduce((n, stage) => n + (counts[stage] ?? 0), 0), 0)
  // A subset in which no stage ever fails (misleading questions) has no evidence to be compared with.
  const [shown] = [...groupBy(own, ({ model, subset }) => `${model} ${subset}`).values()]
    .filter(([first]) => first!.model === own[0]?.model)
    .map((list) => ({ list, lost: list.reduce((sum, one) => sum + lost(one), 0) }))
    .sort((a, b) => b.lost - a.lost)
  return (shown?.list ?? []).slice(0, 6).map(({ system, points }) => ({
    name: system,
    published: true as const,
    points: points.filter(({ k }) => ks.includes(k)).map(({ k, n, correct }) => ({ x: k, y: correct / n })),
  }))
}
