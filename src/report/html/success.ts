import { groupBy } from '../../base/group-by.js'
import { type Depth, type Interval, memoriesOf, tokensOf } from '../../model/index.js'
import { outcomeBars } from '../charts/bars.js'
import { type Series, xyChart } from '../charts/xy.js'
import type { ReportData, ReportReference } from '../data.js'
import { escapeHtml } from '../escape.js'
import { count, NONE, outcomeWords, percent } from '../format.js'
import { byMemory } from '../sweep.js'
import { hasOwnScore, ownScore } from '../task-table.js'
import { type Point, type Row, sweepOf, type TaskView } from '../view.js'
import { outcomesOf } from './overview.js'
import { anchor, block, charts, figure, legend, more, rate, section, share, table } from './parts.js'

/**
 * Success against k, a small chart a task, with ceilings and published figures behind: the suite's own number where it names one and
 * somebody read, evidence elsewhere.
 */
export function success(data: ReportData, tasks: readonly TaskView[]): string {
  const drawn = tasks.filter((task) => task.ks.length > 0)
  if (drawn.length === 0) return ''
  const figures = drawn.map((task) => chart(data, task))
  const isPublished = figures.some((text) => text.includes('class="name reference"'))
  const own = drawn.filter(hasOwnScore).length
  const title = own === 0 ? 'Evidence success' : own === drawn.length ? 'Success with the answer' : 'Success'
  const published =
    own === drawn.length
      ? 'of the same measure, but on the released data, with other systems, models and judges.'
      : 'a yardstick: they count a question only when a reader also answered it, on the released data, with other systems and models.'
  const intro = [
    'In per cent, with 95 % Wilson intervals.',
    own > 0 &&
      '“Success with the answer” counts a question when every stage passed and the reader answered it, as the paper does.',
    own < drawn.length &&
      '“Evidence success” counts a question when everything needed was retrieved, whoever reads it.',
    'The dashed line is the ceiling: what a perfect search attains when every memory holds one fact.',
    isPublished && `Thin grey lines are published figures, ${published}`,
  ]
  return section('success', `${title} against k`, intro, charts(figures))
}

/** Evidence success against tokens of context, a small chart a task: what a reader has to read is the same for all systems. */
export function budgets(data: ReportData, tasks: readonly TaskView[]): string {
  const drawn = tasks.filter((task) => task.budgets.length > 1)
  if (drawn.length === 0) return ''
  const figures = drawn.map((task) => {
    const all = byMemory(task, sweepOf(data.summary.cells))
    const rows = all.filter((row) => row.budgets.some(({ evidence }) => evidence))
    const series: Series[] = [
      ...rows.map((row, look): Series => {
        const points = row.budgets.flatMap(({ depth, evidence: e }) =>
          e ? [{ x: tokensOf(depth)!, y: e.rate, ci95: e.ci95, bounds: e.bounds }] : [],
        )
        return { name: row.label, look, points }
      }),
      { name: 'ceiling', look: 'ceiling', points: ceilingPoints(task, tokensOf) },
    ]
    const picture = xyChart({
      id: anchor('budgets', task.id),
      title: `${task.name}: evidence success against tokens of context`,
      desc: 'All values are in the table below.',
      x: 'tokens of context',
      ticks: task.budgets,
      series,
    })
    const heads = ['system', ...task.budgets.map((tokens) => `${count(tokens)} tokens`)]
    const body = [
      ...rows.map((row) => [escapeHtml(row.label), ...row.budgets.map(({ evidence }) => rate(evidence))]),
      ['ceiling', ...ceilingPoints(task, tokensOf).map(({ y }) => share(y))],
    ]
    const caption = `${task.name}: evidence success in per cent, 95 % interval`
    return figure(escapeHtml(task.name), picture, table(caption, heads, body))
  })
  return section(
    'budgets',
    'Evidence success against tokens of context',
    [
      'k counts memories whatever their size; here every system fills the same budget: its memories are read in their order',
      'until the first that does not fit.',
      'The dashed line is the ceiling: what a perfect search attains over facts in the words in which they were said.',
    ],
    charts(figures),
  )
}

/** What a chart draws of a point. */
type Measure = (point: Point) => { rate: number; ci95?: Interval; bounds?: Interval } | null

/** What became of questions, by system and k. */
export function outcomes(tasks: readonly TaskView[]): string {
  const body = tasks.map((task) => {
    const bars = task.rows.map(({ label, points }, at) => {
      const title = `${label} on ${task.name}: outcomes by k`
      return `<li><h4>${escapeHtml(label)}</h4>${outcomeBars(anchor('bars', task.id, String(at)), title, points)}</li>`
    })
    const shown = outcomesOf([task])
    const rows = task.rows.flatMap((row) =>
      row.points.map((point) => [
        escapeHtml(row.label),
        point.k === null ? 'all' : String(point.k),
        count(point.n),
        ...shown.map((outcome) => count(point.outcomes[outcome] ?? 0)),
      ]),
    )
    const heads = ['system', 'k', 'questions', ...shown.map(outcomeWords)]
    const values = table(`Outcomes in ${task.name}, questions`, heads, rows)
    const opened = more(`${task.name}: outcomes as a table`, values)
    return block(task.name, '', `<ul class="bars-row">${bars.join('')}</ul>${opened}`)
  })
  return section(
    'outcomes',
    'Outcomes by system and k',
    [
      'Per cent of questions at each k.',
      'More depth can mend what was not retrieved, and may bring outdated memory along; what was not stored stays lost at any k.',
    ],
    legend(outcomesOf(tasks)) + body.join(''),
  )
}

function chart(data: ReportData, task: TaskView): string {
  const own = hasOwnScore(task)
  const measure: Measure = own ? (point) => ownScore(task, point) : (point) => point.evidence
  // Evidence is the same whoever reads it.
  const all = own ? task.rows : byMemory(task, sweepOf(data.summary.cells))
  const rows = all.filter((row) => row.points.some(measure))
  const name = own ? 'success with the answer' : 'evidence success'
  // Questions that need no fact are no part of the ceiling, but of success.
  const ceilings =
    own && rows.some(({ shown }) => shown.evidence?.n !== shown.n - shown.errors) ? [] : ceilingPoints(task, memoriesOf)
  const references = data.references.filter(
    (series) => series.suite === task.suite && series.task === task.name && series.points.length > 0,
  )
  const behind = chosen(references)
  const series: Series[] = [
    ...rows.map((row, look): Series => ({ name: row.label, look, points: pointsOf(row, task.ks, measure) })),
    ...plotted(behind, task.ks),
    { name: 'ceiling', look: 'ceiling', points: ceilings },
  ]
  const words = rows.map((row) => `${row.label} ${percent(measure(row.shown)?.rate)} %`).join(', ')
  const picture = xyChart({
    id: anchor('success', task.id),
    title: `${task.name}: ${name} against k`,
    desc: `At k = ${task.k}: ${words}. All values are in the table below.`,
    x: 'k',
    ticks: task.ks,
    series,
  })
  const caption = `${escapeHtml(task.name)}: ${name}${credit(behind[0])}`
  return figure(caption, picture, values(task, { rows, ceilings, references, name, measure }))
}

function credit(series: ReportReference | undefined): string {
  if (!series) return ''
  const words = [series.source, series.model, series.subset].filter(Boolean).join(', ')
  return ` <span class="ci">grey: ${escapeHtml(words)}</span>`
}

// A fixed-depth system reads the same at any k: a level line.
function pointsOf(row: Row, ks: readonly number[], measure: Measure): Series['points'] {
  return row.points.flatMap((point) => {
    const found = measure(point)
    if (!found) return []
    const { rate: y, ...interval } = found
    if (point.k !== null) return [{ x: point.k, y, ...interval }]
    const begin = ks.length > 1 ? [{ x: ks[0]!, y, unmarked: true }] : []
    return [...begin, { x: ks.at(-1) ?? 1, y, ...interval }]
  })
}

// One model and one subset: more grey lines would hide what was measured. The table has all of them.
function chosen(references: readonly ReportReference[]): ReportReference[] {
  const losses = (series: ReportReference) =>
    series.points.reduce((sum, { counts }) => sum + STAGES.reduce((n, stage) => n + (counts[stage] ?? 0), 0), 0)
  const own = references.filter((series) => series.model === references[0]?.model)
  // A subset in which no stage ever fails (misleading questions) has no evidence to be compared with.
  const subsets = [...groupBy(own, (series) => series.subset).values()]
    .map((series) => ({ series, lost: series.reduce((sum, one) => sum + losses(one), 0) }))
    .sort((a, b) => b.lost - a.lost)
  return subsets[0]?.series.slice(0, 6) ?? []
}

const STAGES = ['not_stored', 'summary_error', 'not_retrieved']

function plotted(references: readonly ReportReference[], ks: readonly number[]): Series[] {
  const [low, high] = [ks[0] ?? 1, ks.at(-1) ?? 1]
  return references.map(({ system, points }) => ({
    name: system,
    look: 'reference',
    points: points.filter(({ k }) => k >= low && k <= high).map(({ k, n, correct }) => ({ x: k, y: correct / n })),
  }))
}

/** The ceilings of a task against memories, or against tokens. */
function ceilingPoints({ ceilings }: TaskView, of: (depth: Depth) => number | null): { x: number; y: number }[] {
  return ceilings.flatMap(({ depth, rate: y }) => (of(depth) === null ? [] : { x: of(depth)!, y }))
}

/** What a chart draws, which its table tells in numbers. */
interface Drawn {
  rows: readonly Row[]
  ceilings: readonly { x: number; y: number }[]
  references: readonly ReportReference[]
  name: string
  measure: Measure
}

function values(task: TaskView, { rows, ceilings, references, name, measure }: Drawn): string {
  const at = (row: Row, k: number) =>
    row.points.find((point) => point.k === k) ?? row.points.find((point) => point.k === null)
  const body = [
    ...rows.map((row) => [escapeHtml(row.label), ...task.ks.map((k) => rate(at(row, k) && measure(at(row, k)!)))]),
    ...(ceilings.length > 0 ? [['ceiling', ...task.ks.map((k) => share(ceilings.find(({ x }) => x === k)?.y))]] : []),
    ...references.map((series) => [
      `${escapeHtml(series.system)} <span class="ci">${escapeHtml([series.model, series.subset, series.source].filter(Boolean).join(', '))}</span>`,
      ...task.ks.map((k) => {
        const point = series.points.find((candidate) => candidate.k === k)
        return point ? share(point.correct / point.n) : NONE
      }),
    ]),
  ]
  const heads = ['system', ...task.ks.map((k) => `k = ${k}`)]
  return table(`${task.name}: ${name} in per cent, 95 % interval`, heads, body)
}
