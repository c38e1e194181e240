import type { OverallRow } from '../../model/index.js'
import type { ReportData, ReportFigure } from '../data.js'
import { html } from '../escape.js'
import { NONE, percent, wholePercent } from '../format.js'
import { groupBy, type Point, type Row, type TaskView } from '../view.js'
import { more, table } from './parts.js'

type Scores = Record<string, number | null>

/** Published durations by their days; any other is named by its days, such as `4d`. */
const DAYS: Record<string, number> = { weekly: 7, monthly: 28, quarterly: 92 }

/** The durations of a suite's lives in a run, shortest first. */
function durationsOf({ breakdowns }: ReportData, suite: string): string[] {
  const own = breakdowns.filter((row) => row.suite === suite && row.tag === 'duration').map(({ value }) => value)
  const days = (name: string) => DAYS[name] ?? Number.parseInt(name, 10)
  return [...new Set(own)].sort((a, b) => days(a) - days(b))
}

/** Scores by task and duration as the paper has them, ours first: its Tables 3, 4, 5 and 1. */
export function durationTables(
  data: ReportData,
  suite: string,
  published: readonly ReportFigure[],
  tasks: readonly TaskView[],
): string {
  const durations = durationsOf(data, suite)
  const at = (scores: Scores | undefined, name: string, duration: string) =>
    scores?.[`${name}_${duration}`] ?? (durations.length === 1 ? scores?.[name] : undefined) ?? null
  const own = rowsOf(tasks)
  const read = own.some(({ scores }) => [...scores.values()].some(({ fama }) => fama != null))
  const score = read ? 'fama' : 'evidence_presence'
  const columns = tasks.flatMap(({ name }) => durations.map((duration) => ({ task: name, duration })))
  const mine = own.map(({ head, scores }) => [
    head,
    ...columns.map(({ task, duration }) =>
      beside(at(scores.get(task), score, duration), at(scores.get(task), 'fama_null', duration)),
    ),
  ])
  const theirs = byRow(of(published, 'fama'), ['duration']).map(({ head, figures }) => [
    head,
    ...columns.map(({ task, duration }) =>
      share(figures.find((one) => one.task === task && one.at?.duration === duration)?.value),
    ),
  ])
  const heads = ['system', ...columns.map(({ task, duration }) => `${task} ${duration}`)]
  const first = draw(
    `${suite}: FAMA in per cent by task and duration; beside ours, small, what an empty answer gets${read ? '' : '. Nobody answered: ours is the share of needed facts retrieved, mean over questions'}`,
    heads,
    [...mine, ...theirs],
  )
  const sheet = { ours: overall(data, suite), durations, at, published }
  return [first, sums(tasks, own, published), parts(sheet), loads(sheet)].join('')
}

interface Own {
  head: string
  row: Row
  k: number | null
  /** By task. */
  scores: Map<string, Scores>
}

/** Every system at every depth, with its scores on each task. */
function rowsOf(tasks: readonly TaskView[]): Own[] {
  return (tasks[0]?.rows ?? []).flatMap((row) =>
    row.points.map(({ k }) => {
      const point = (task: TaskView): Point | undefined =>
        task.rows.find(({ label }) => label === row.label)?.points.find((one) => one.k === k)
      const scores = new Map(tasks.map((task) => [task.name, point(task)?.scores ?? {}]))
      return { head: headOf(row.label, k), row, k, scores }
    }),
  )
}

/** Table 4: FAMA summed over the three durations. */
function sums(tasks: readonly TaskView[], own: readonly Own[], published: readonly ReportFigure[]): string {
  const mine = own.flatMap(({ head, scores }) => {
    const values = tasks.map(({ name }) => scores.get(name)?.fama_sum ?? null)
    return values.every((value) => value === null) ? [] : [[head, ...values.map((value) => wholePercent(value))]]
  })
  const theirs = byRow(of(published, 'fama_sum'), ['duration']).map(({ head, figures }) => [
    head,
    ...tasks.map(({ name }) => wholePercent(figures.find(({ task }) => task === name)?.value)),
  ])
  if (mine.length === 0) return ''
  const title = 'FAMA in per cent, summed over durations'
  return more(title, draw(title, ['system', ...tasks.map(({ name }) => name)], [...mine, ...theirs]))
}

/** What a table over all tasks is made of: our rows, and the published figures. */
interface Sheet {
  ours: readonly OverallRow[]
  durations: readonly string[]
  at(scores: Scores | undefined, name: string, duration: string): number | null
  published: readonly ReportFigure[]
}

/** Table 5: presence summed over tasks, and by how much forgetting reduces it. */
function parts({ ours, durations, at, published }: Sheet): string {
  const cell = (sum: number | null | undefined, less: number | null | undefined) =>
    sum == null ? NONE : `${wholePercent(sum)} (${wholePercent(less)})`
  const mine = ours.flatMap((row) => {
    const cells = durations.map((one) => cell(at(row.scores, 'mpa_sum', one), at(row.scores, 'reduction_sum', one)))
    return cells.every((text) => text === NONE) ? [] : [[headOf(nameOf(row), row.k), ...cells]]
  })
  const both = [...of(published, 'mpa_sum'), ...of(published, 'reduction_sum')]
  const theirs = byRow(both, ['duration']).map(({ head, figures }) => {
    const value = (score: string, duration: string) =>
      figures.find((one) => one.score === score && one.at?.duration === duration)?.value
    return [head, ...durations.map((one) => cell(value('mpa_sum', one), value('reduction_sum', one)))]
  })
  if (mine.length + theirs.length === 0) return ''
  const title = 'Presence in per cent, summed over tasks, and what forgetting takes from it'
  return more(title, draw(title, ['system', ...durations], [...mine, ...theirs]))
}

/** Table 1: sessions that a question rests on, and sessions that changed something it asks for. */
function loads({ ours, durations, at, published }: Sheet): string {
  const names = ['consolidation', 'mutation']
  const cell = (mean: number | null | undefined, most: number | null | undefined) =>
    mean == null ? NONE : `${mean.toFixed(1)}, at most ${most ?? NONE}`
  const rows = [
    ['these lives', (name: string, duration: string) => at(ours[0]?.scores, name, duration)] as const,
    [
      'published',
      (name: string, duration: string) => of(published, name).find((one) => one.at?.duration === duration)?.value,
    ] as const,
  ]
  const title = 'Sessions a question rests on, and sessions that changed what it asks for'
  const columns = names.flatMap((name) => durations.map((duration) => ({ name, duration })))
  return more(
    title,
    draw(
      `${title}: mean and most`,
      ['', ...columns.map(({ name, duration }) => `${name} ${duration}`)],
      rows.map(([head, value]) => [
        head,
        ...columns.map(({ name, duration }) => cell(value(name, duration), value(`${name}_max`, duration))),
      ]),
    ),
  )
}

function overall({ summary }: ReportData, suite: string): OverallRow[] {
  return (summary.overall ?? []).filter((row) => row.suite === suite)
}

function nameOf({ system, model, reader }: OverallRow): string {
  return [system, model, reader === 'none' ? null : `read by ${reader}`].filter(Boolean).join(' · ')
}

function of(published: readonly ReportFigure[], score: string): ReportFigure[] {
  return published.filter((one) => one.score === score)
}

/** Published figures of one system, one row; `across` are the settings that columns tell apart. */
function byRow(
  figures: readonly ReportFigure[],
  across: readonly string[],
): { head: string; figures: ReportFigure[] }[] {
  const settings = ({ at = {} }: ReportFigure) => Object.entries(at).filter(([key]) => !across.includes(key))
  return [
    ...groupBy(figures, (one) => JSON.stringify([one.source, one.system, one.model, settings(one)])).values(),
  ].map((own) => {
    const { source, system, model } = own[0]!
    const words = [model, ...settings(own[0]!).map(([key, value]) => `${key} ${value}`), source].filter(Boolean)
    return { head: `${html(system)} <span class="ci">${html(words.join(', '))}</span>`, figures: own }
  })
}

function headOf(label: string, k: number | null): string {
  return `<b>${html(label)}</b> <span class="ci">${k === null ? 'all' : `k = ${k}`}</span>`
}

function beside(value: number | null, empty: number | null): string {
  return value === null ? NONE : `${share(value)} <span class="ci">${share(empty)}</span>`
}

function draw(caption: string, heads: readonly string[], rows: readonly string[][]): string {
  return table(
    caption,
    heads.map((head, at) => ({ head, num: at > 0 })),
    rows,
  )
}

function share(value: number | null | undefined): string {
  return html(value != null && value < 0 ? `−${percent(-value)}` : percent(value))
}
