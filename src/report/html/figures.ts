import type { OverallRow } from '../../model/index.js'
import type { ReportData, ReportFigure } from '../data.js'
import { html } from '../escape.js'
import { NONE, wholePercent } from '../format.js'
import { groupBy, type Row, type TaskView } from '../view.js'
import { durationTables } from './durations.js'
import { episodeCosts } from './episode-costs.js'
import { againstDepth, againstSetting, scoreAt } from './figure-charts.js'
import { more, section, table } from './parts.js'

/** The score that is money and no share. */
const COST = 'usd_per_episode'

/** Suites' own scores with the published figures beside them: tables, and charts of what the papers vary. */
export function figures(data: ReportData, tasks: readonly TaskView[]): string {
  const body = [...new Set(tasks.map(({ suite }) => suite))].flatMap((suite) => {
    const published = data.figures.filter((figure) => figure.suite === suite && fitsRun(data, figure))
    if (published.length === 0) return []
    const own = tasks.filter((task) => task.suite === suite)
    const priced = published.filter(({ score }) => score === COST)
    const names = [...new Set(published.map(({ score }) => score))].filter((name) => name !== COST)
    names.sort((a, b) => Number(b === 'score') - Number(a === 'score'))
    const charts = [...againstDepth(published, own, fillersOf(data, suite)), ...againstSetting(data, published, own)]
    // Figures by duration are one table with a column for each.
    const tables = names.includes('fama')
      ? durationTables(data, suite, published, own)
      : names.map((name) => scoreTable(data, suite, name, published, own)).join('')
    return [
      `<div class="task"><h3>${html(suite)}</h3>${tables}</div>`,
      charts.length > 0 ? `<div class="charts">${charts.join('')}</div>` : '',
      priced.length > 0 ? episodeCosts(data, suite, priced) : '',
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

/** What scores besides the main one are called. */
const FOLDED: Readonly<Record<string, string>> = {
  trivial: 'Passed without having known (trivial passes)',
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
  const amounts = fillersOf(data, suite)
  const mine = rows.flatMap((row) =>
    row.points.flatMap((point) =>
      // Figures are told for one amount of filler: ours never are means over several.
      (amounts.length > 0 ? amounts : [null]).map((filler) => [
        `<b>${html(row.label)}</b> <span class="ci">${[point.k === null ? 'all' : `k = ${point.k}`, ...(filler === null ? [] : [`filler ${html(filler)}`])].join(', ')}</span>`,
        ...columns.map((column) => {
          if (column === 'overall') return name === 'score' ? wholePercent(total(row, point.k, filler)) : NONE
          const task = ours.find((one) => one.name === column)
          const other = task?.rows.find(({ label }) => label === row.label)?.points.find(({ k }) => k === point.k)
          return wholePercent(other?.scores[scoreAt(name, filler)])
        }),
      ]),
    ),
  )
  const heads = [{ head: 'system' }, ...columns.map((head) => ({ head, num: true }))]
  const [first, ...further] = [...groupBy(figures, ({ source }) => source)].map(([source, list]) => ({
    source,
    rows: publishedRows(list, columns),
  }))
  const all = table(`${suite}: ${name} in per cent, ours and published`, heads, [...mine, ...first!.rows])
  const others = further.map(({ source, rows: theirs }) => more(source, table(`${source}: ${name}`, heads, theirs)))
  return name === 'score' ? all + others.join('') : more(FOLDED[name] ?? name, all + others.join(''))
}

function publishedRows(figures: readonly ReportFigure[], columns: readonly string[]): string[][] {
  return [...groupBy(figures, ({ system, model, at }) => JSON.stringify([system, model, at]))].map(([, own]) => {
    const { source, system, model, at = {} } = own[0]!
    const setting = [model, ...Object.entries(at).map(([key, value]) => `${key} ${value}`), source].filter(Boolean)
    return [
      `${html(system)} <span class="ci">${html(setting.join(', '))}</span>`,
      ...columns.map((column) => wholePercent(own.find(({ task }) => task === column)?.value)),
    ]
  })
}

/** Our score over all tasks, the paper's way of averaging. */
function overallOf(
  { summary }: ReportData,
  suite: string,
): (row: Row, k: number | null, filler: string | null) => number | null {
  const rows = (summary.overall ?? []).filter((row: OverallRow) => row.suite === suite)
  return (row, k, filler) => {
    const found = rows.find(
      (one) =>
        one.system === row.system && one.model === (row.model ?? null) && one.reader === row.reader && one.k === k,
    )
    return found?.scores[scoreAt('macro', filler)] ?? null
  }
}

/** The amounts of filler of a suite's episodes, where a run has several. */
function fillersOf({ breakdowns }: ReportData, suite: string): string[] {
  const own = breakdowns.filter((row) => row.suite === suite && row.tag === 'filler').map(({ value }) => value)
  return new Set(own).size > 1 ? [...new Set(own)] : []
}
