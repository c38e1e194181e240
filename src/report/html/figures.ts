import type { OverallRow } from '../../model/index.js'
import { type Series, xyChart } from '../charts/xy.js'
import type { ReportData, ReportFigure } from '../data.js'
import { html } from '../escape.js'
import { NONE } from '../format.js'
import { groupBy, labeller, type Row, type TaskView } from '../view.js'
import { durationTables } from './durations.js'
import { anchor, more, section, table } from './parts.js'

/** A setting that a paper varies, as a quantity for an axis: conversation tokens of an episode, days of a life. */
const AXES: Record<string, { words: string; of: Record<string, number> }> = {
  filler: {
    words: 'tokens of conversation (no filler, 32K, 128K)',
    of: { none: 3_000, '32k': 35_000, '128k': 131_000 },
  },
  duration: { words: 'days of a life', of: { weekly: 7, monthly: 28, quarterly: 92 } },
}

/** Suites' own scores with the published figures beside them: tables, and charts of what the papers vary. */
export function figures(data: ReportData, tasks: readonly TaskView[]): string {
  const body = [...new Set(tasks.map(({ suite }) => suite))].flatMap((suite) => {
    const published = data.figures.filter((figure) => figure.suite === suite && fitsRun(data, figure))
    if (published.length === 0) return []
    const own = tasks.filter((task) => task.suite === suite)
    const names = [...new Set(published.map(({ score }) => score))]
    const charts = [...againstDepth(published, own), ...againstSetting(data, published, own)]
    // Figures by duration are one table with a column for each.
    const tables = names.includes('fama')
      ? durationTables(data, suite, published, own)
      : names.map((name) => scoreTable(data, suite, name, published, own)).join('')
    return [
      `<div class="task"><h3>${html(suite)}</h3>${tables}</div>`,
      charts.length > 0 ? `<div class="charts">${charts.join('')}</div>` : '',
    ]
  })
  if (body.length === 0) return ''
  const reader = data.summary.cells.some((cell) => cell.reader !== 'none')
  return section(
    'figures',
    'Beside the papers',
    `Scores as the papers define them, in per cent, with published figures below ours. ${
      reader
        ? 'Both are about answers.'
        : 'Ours are about evidence, for nobody read it; theirs are about answers, which can only be worse than the evidence behind them.'
    } Theirs come from other data, models and judges.`,
    body.join(''),
  )
}

/** A figure measured in a setting that this run has, or that this run does not vary. */
function fitsRun({ breakdowns }: ReportData, { suite, at = {} }: ReportFigure): boolean {
  return Object.entries(at).every(([tag, value]) => {
    const seen = breakdowns.filter((row) => row.suite === suite && row.tag === tag)
    // Sums over several values are told as `a+b`.
    return seen.length === 0 || value.split('+').every((one) => seen.some((row) => row.value === one))
  })
}

function scoreTable(
  data: ReportData,
  suite: string,
  name: string,
  published: readonly ReportFigure[],
  tasks: readonly TaskView[],
): string {
  const figures = published.filter(({ score }) => score === name)
  const inPaper = new Set(figures.map(({ task }) => task))
  const ours = tasks.filter((task) => task.rows.some(({ points }) => points.some(({ scores }) => scores[name] != null)))
  const columns = [...ours.map((task) => task.name), ...(inPaper.has('overall') ? ['overall'] : [])].filter(
    (task) => name !== 'score' || inPaper.has(task),
  )
  if (columns.length === 0) return ''
  const total = overallOf(data, suite)
  const rows = ours[0]?.rows ?? []
  const mine = rows.flatMap((row) =>
    row.points.map((point) => [
      `<b>${html(row.label)}</b> <span class="ci">${point.k === null ? 'all' : `k = ${point.k}`}</span>`,
      ...columns.map((column) => {
        if (column === 'overall') return name === 'score' ? percent(total(row, point.k)) : NONE
        const task = ours.find((one) => one.name === column)
        const other = task?.rows.find(({ label }) => label === row.label)?.points.find(({ k }) => k === point.k)
        return percent(other?.scores[name])
      }),
    ]),
  )
  if (name === 'usd_per_episode') return ''
  const heads = [{ head: 'system' }, ...columns.map((head) => ({ head, num: true }))]
  const [first, ...further] = [...groupBy(figures, ({ source }) => source)].map(([source, list]) => ({
    source,
    rows: publishedRows(list, columns),
  }))
  const all = table(`${suite}: ${name} in per cent, ours and published`, heads, [...mine, ...first!.rows])
  const others = further.map(({ source, rows: theirs }) => more(source, table(`${source}: ${name}`, heads, theirs)))
  return name === 'score' ? all + others.join('') : more(`${name}: ours and published`, all + others.join(''))
}

function publishedRows(figures: readonly ReportFigure[], columns: readonly string[]): string[][] {
  return [...groupBy(figures, ({ system, model, at }) => JSON.stringify([system, model, at]))].map(([, own]) => {
    const { source, system, model, at = {} } = own[0]!
    const setting = [model, ...Object.entries(at).map(([key, value]) => `${key} ${value}`), source].filter(Boolean)
    return [
      `${html(system)} <span class="ci">${html(setting.join(', '))}</span>`,
      ...columns.map((column) => percent(own.find(({ task }) => task === column)?.value)),
    ]
  })
}

/** Our score over all tasks, the paper's way of averaging. */
function overallOf({ summary }: ReportData, suite: string): (row: Row, k: number | null) => number | null {
  const rows = (summary.overall ?? []).filter((row: OverallRow) => row.suite === suite)
  return (row, k) => {
    const found = rows.find(
      (one) =>
        one.system === row.system && one.model === (row.model ?? null) && one.reader === row.reader && one.k === k,
    )
    return found?.scores.macro ?? null
  }
}

/** Scores against k, where the paper tells them at several. */
function againstDepth(published: readonly ReportFigure[], tasks: readonly TaskView[]): string[] {
  const deep = published.filter(({ at }) => at?.k !== undefined)
  return [...groupBy(deep, ({ task, score }) => `${task} ${score}`).values()].flatMap((own) => {
    const { task: name, score } = own[0]!
    const task = tasks.find((one) => one.name === name)
    if (!task || task.ks.length < 2) return []
    const ours = task.rows.map(
      (row, look): Series => ({
        name: row.label,
        look,
        points: row.points.flatMap(({ k, scores }) =>
          k !== null && scores[score] != null ? [{ x: k, y: scores[score] }] : [],
        ),
      }),
    )
    const theirs = [...groupBy(own, ({ system }) => system)].map(
      ([system, list]): Series => ({
        name: `${system} (paper)`,
        look: 'reference',
        points: list.map(({ at, value }) => ({ x: Number(at!.k), y: value })).sort((a, b) => a.x - b.x),
      }),
    )
    return [chart(`${name}: ${score} against k`, 'k', task.ks, [...ours, ...theirs])]
  })
}

/** Evidence against what a paper varies besides depth, where this run varies it too. */
function againstSetting(data: ReportData, published: readonly ReportFigure[], tasks: readonly TaskView[]): string[] {
  const label = labeller(data.summary.cells)
  return Object.entries(AXES).flatMap(([tag, { words, of }]) =>
    tasks.flatMap((task) => {
      const own = data.breakdowns.filter(
        (row) =>
          row.suite === task.suite && row.task === task.name && row.tag === tag && (row.k === null || row.k === task.k),
      )
      if (new Set(own.map(({ value }) => value)).size < 2) return []
      const ours = [...groupBy(own, label)].map(
        ([name, list], look): Series => ({
          name,
          look,
          points: list
            .flatMap(({ value, complete, n, ci95 }) => (of[value] ? [{ x: of[value], y: complete / n, ci95 }] : []))
            .sort((a, b) => a.x - b.x),
        }),
      )
      const beside = published.filter(
        ({ task: name, at }) => name === task.name && at?.[tag] !== undefined && at.k === undefined,
      )
      const theirs = [...groupBy(beside, ({ system, score, model }) => `${system} ${score} ${model ?? ''}`)]
        .filter(([, list]) => list.length > 1)
        .map(([, list]): Series => {
          const { system, score } = list[0]!
          return {
            name: `${system} (paper${score === 'trivial' ? ', trivial' : ''})`,
            look: 'reference',
            points: list
              .flatMap(({ at, value }) => (of[at![tag]!] ? [{ x: of[at![tag]!]!, y: value }] : []))
              .sort((a, b) => a.x - b.x),
          }
        })
      return [chart(`${task.name}: evidence against ${tag}`, words, Object.values(of), [...ours, ...theirs])]
    }),
  )
}

function chart(title: string, x: string, ticks: number[], series: Series[]): string {
  const drawn = series.filter(({ points }) => points.length > 0)
  const desc = drawn.map(({ name, points }) => `${name} ${percent(points.at(-1)!.y)} %`).join(', ')
  return `<figure><figcaption>${html(title)}</figcaption>${xyChart({ id: anchor('figures', title), title, desc, x, ticks, series: drawn })}</figure>`
}

function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : (100 * value).toFixed(0)
}
