import { outcomeBars } from '../charts/bars.js'
import type { Series } from '../charts/xy.js'
import { xyChart } from '../charts/xy.js'
import type { ReportData, ReportReference } from '../data.js'
import { html } from '../escape.js'
import { count, NONE, outcomeWords, percent } from '../format.js'
import { byMemory } from '../sweep.js'
import { groupBy, type Row, sweepOf, type TaskView } from '../view.js'
import { outcomesOf } from './overview.js'
import { anchor, legend, more, rate, section, share, table } from './parts.js'

/** Evidence success against k, a small chart a task, with ceilings and published figures behind. */
export function success(data: ReportData, tasks: readonly TaskView[]): string {
  const charts = tasks.filter((task) => task.ks.length > 0).map((task) => chart(data, task))
  if (charts.length === 0) return ''
  const published = charts.some((text) => text.includes('class="name reference"'))
  return section(
    'success',
    'Success against k',
    `Evidence success in per cent, with 95 % Wilson intervals. The dashed line is the ceiling: what a perfect search attains when every memory holds one fact.${
      published
        ? ' Thin grey lines are published figures, a yardstick and not the same measure: they count a question only when a reader also answered it, on the released data, with other systems and models.'
        : ''
    }`,
    `<div class="charts">${charts.join('')}</div>`,
  )
}

/** What became of questions, by system and k. */
export function outcomes(tasks: readonly TaskView[]): string {
  const body = tasks.map((task) => {
    const bars = task.rows.map(
      (row, at) =>
        `<li><h4>${html(row.label)}</h4>${outcomeBars({
          id: anchor('bars', task.id, String(at)),
          title: `${row.label} on ${task.name}: outcomes by k`,
          points: row.points,
        })}</li>`,
    )
    const shown = outcomesOf([task])
    const rows = task.rows.flatMap((row) =>
      row.points.map((point) => [
        html(row.label),
        point.k === null ? 'all' : String(point.k),
        count(point.n),
        ...shown.map((outcome) => count(point.outcomes[outcome] ?? 0)),
      ]),
    )
    const heads = ['k', 'questions', ...shown.map(outcomeWords)].map((head) => ({ head, num: true }))
    return `<div class="task"><h3>${html(task.name)}</h3><ul class="bars-row">${bars.join('')}</ul>${more(
      `${task.name}: outcomes as a table`,
      table(`Outcomes in ${task.name}, questions`, [{ head: 'system' }, ...heads], rows),
    )}</div>`
  })
  return section(
    'outcomes',
    'Outcomes by system and k',
    'Per cent of questions at each k. More depth can mend what was not retrieved, and may bring outdated memory along; what was not stored stays lost at any k.',
    legend(outcomesOf(tasks)) + body.join(''),
  )
}

function chart(data: ReportData, task: TaskView): string {
  const rows = byMemory(task, sweepOf(data.summary.cells)).filter((row) => row.points.some((point) => point.evidence))
  const references = data.references.filter(
    (series) => series.suite === task.suite && series.task === task.name && series.points.length > 0,
  )
  const behind = chosen(references)
  const series: Series[] = [
    ...rows.map((row, look): Series => ({ name: row.label, look, points: pointsOf(row, task.ks) })),
    ...plotted(behind, task.ks),
    { name: 'ceiling', look: 'ceiling', points: task.ceilings.map(({ k, rate }) => ({ x: k, y: rate })) },
  ]
  const words = rows.map((row) => `${row.label} ${percent(row.shown.evidence?.rate)} %`).join(', ')
  const picture = xyChart({
    id: anchor('success', task.id),
    title: `${task.name}: evidence success against k`,
    desc: `At k = ${task.k}: ${words}. All values are in the table below.`,
    x: 'k',
    ticks: task.ks,
    series,
  })
  return `<figure><figcaption>${html(task.name)}${credit(behind[0])}</figcaption>${picture}${more('as a table', values(task, rows, references))}</figure>`
}

function credit(series: ReportReference | undefined): string {
  if (!series) return ''
  const words = [series.source, series.model, series.subset].filter(Boolean).join(', ')
  return ` <span class="ci">grey: ${html(words)}</span>`
}

// A fixed-depth system reads the same at any k: a level line.
function pointsOf(row: Row, ks: readonly number[]): Series['points'] {
  return row.points.flatMap((point) => {
    if (!point.evidence) return []
    const { rate: y, ci95 } = point.evidence
    if (point.k !== null) return [{ x: point.k, y, ci95 }]
    return ks.length > 1
      ? [
          { x: ks[0]!, y, unmarked: true },
          { x: ks.at(-1)!, y, ci95 },
        ]
      : [{ x: ks[0] ?? 1, y, ci95 }]
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
  const low = ks[0] ?? 1
  const high = ks.at(-1) ?? 1
  return references.map(({ system, points }) => ({
    name: system,
    look: 'reference',
    points: points.filter(({ k }) => k >= low && k <= high).map(({ k, n, correct }) => ({ x: k, y: correct / n })),
  }))
}

function values(task: TaskView, rows: readonly Row[], references: readonly ReportReference[]): string {
  const at = (row: Row, k: number) =>
    row.points.find((point) => point.k === k) ?? row.points.find((point) => point.k === null)
  const body = [
    ...rows.map((row) => [html(row.label), ...task.ks.map((k) => rate(at(row, k)?.evidence ?? null))]),
    ...(task.ceilings.length > 0
      ? [['ceiling', ...task.ks.map((k) => share(task.ceilings.find((ceiling) => ceiling.k === k)?.rate))]]
      : []),
    ...references.map((series) => [
      `${html(series.system)} <span class="ci">${html([series.model, series.subset, series.source].filter(Boolean).join(', '))}</span>`,
      ...task.ks.map((k) => {
        const point = series.points.find((candidate) => candidate.k === k)
        return point ? share(point.correct / point.n) : NONE
      }),
    ]),
  ]
  const heads = task.ks.map((k) => ({ head: `k = ${k}`, num: true }))
  return table(`${task.name}: evidence success in per cent, 95 % interval`, [{ head: 'system' }, ...heads], body)
}
