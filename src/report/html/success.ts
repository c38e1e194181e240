import { outcomeBars } from '../charts/bars.js'
import type { Series } from '../charts/xy.js'
import { xyChart } from '../charts/xy.js'
import type { ReportData, ReportReference } from '../data.js'
import { html } from '../escape.js'
import { count, NONE, outcomeWords, percent } from '../format.js'
import type { Row, TaskView } from '../view.js'
import { outcomesOf } from './overview.js'
import { anchor, legend, more, rate, section, table } from './parts.js'

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
        ? ' Thin grey lines are published figures. They count a question only when a reader also answered it, over other systems and models: the same questions, but not the same measure.'
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
    'Per cent of questions at each k. More depth can only mend what was not retrieved; what was not stored stays lost at any k.',
    legend(outcomesOf(tasks)) + body.join(''),
  )
}

function chart(data: ReportData, task: TaskView): string {
  const rows = task.rows.filter((row) => row.points.some((point) => point.evidence))
  const references = data.references.filter(
    (series) => series.suite === task.suite && series.task === task.name && series.points.length > 0,
  )
  const series: Series[] = [
    ...rows.map((row, look): Series => ({ name: row.label, look, points: pointsOf(row, task.ks) })),
    ...plotted(references, task.ks),
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
  return `<figure><figcaption>${html(task.name)}</figcaption>${picture}${more('as a table', values(task, rows, references))}</figure>`
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

// More grey lines than these would hide what was measured; the table has all of them.
function plotted(references: readonly ReportReference[], ks: readonly number[]): Series[] {
  const model = references[0]?.model
  const low = ks[0] ?? 1
  const high = ks.at(-1) ?? 1
  return references
    .filter((series) => series.model === model)
    .map(
      (series): Series => ({
        name: series.subset ? `${series.system}, ${series.subset}` : series.system,
        look: 'reference',
        points: series.points
          .filter(({ k }) => k >= low && k <= high)
          .map(({ k, n, correct }) => ({ x: k, y: correct / n })),
      }),
    )
    .slice(0, 5)
}

function values(task: TaskView, rows: readonly Row[], references: readonly ReportReference[]): string {
  const at = (row: Row, k: number) =>
    row.points.find((point) => point.k === k) ?? row.points.find((point) => point.k === null)
  const body = [
    ...rows.map((row) => [html(row.label), ...task.ks.map((k) => rate(at(row, k)?.evidence ?? null))]),
    ...(task.ceilings.length > 0
      ? [['ceiling', ...task.ks.map((k) => percent(task.ceilings.find((ceiling) => ceiling.k === k)?.rate))]]
      : []),
    ...references.map((series) => [
      `${html(series.system)} <span class="ci">${html([series.model, series.subset, series.source].filter(Boolean).join(', '))}</span>`,
      ...task.ks.map((k) => {
        const point = series.points.find((candidate) => candidate.k === k)
        return point ? percent(point.correct / point.n) : NONE
      }),
    ]),
  ]
  const heads = task.ks.map((k) => ({ head: `k = ${k}`, num: true }))
  return table(`${task.name}: evidence success in per cent, 95 % interval`, [{ head: 'system' }, ...heads], body)
}
