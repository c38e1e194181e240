import { NONE, signedPercent, wholePercent } from '../../base/figures.js'
import {
  type ChartDot,
  type PublishedFigure,
  type Score,
  type SuiteDots,
  type SuitePart,
  type SuiteResults,
  type SuiteTable,
  scoreValue,
  type TableCell,
  type TaskResults,
} from '../../model/index.js'
import { chartsAgainst, fitsRun, kappaDots, ownHead, publishedRows, readFigures } from '../beside-papers.js'
import { DAYS, type Duration } from './days.js'

/**
 * The paper's figures, as shares of 1: Table 3 (`fama` by task and duration), Table 4 (the same summed over durations), Table 5 (`mpa`
 * and its reduction summed over tasks), Table 1 (sessions to be considered, and changes). What the paper calls MemoryOS is the system
 * MemOS, to which its code speaks.
 */
const figures = (): PublishedFigure[] => readFigures(new URL('./figures.json', import.meta.url))

interface Sheet extends SuiteResults {
  durations: readonly string[]
  published: readonly PublishedFigure[]
  /** A score of one duration, where the run has one or several. */
  at(scores: readonly Score[] | undefined, name: string, duration: string): number | null
}

/** Scores by task and duration as the paper has them, ours first: its Tables 3, 4, 5 and 1; and evidence against the days of a life. */
export function memoraBesidePaper(results: SuiteResults, all: readonly PublishedFigure[] = figures()): SuitePart[] {
  const published = all.filter((figure) => fitsRun(results, figure))
  if (published.length === 0) return []
  const durations = durationsOf(results)
  const at: Sheet['at'] = (scores = [], name, duration) =>
    scoreValue(scores, name, duration) ?? (durations.length === 1 ? scoreValue(scores, name) : null)
  const sheet: Sheet = { ...results, durations, published, at }
  return [
    byTask(sheet),
    ...folded('FAMA in per cent, summed over durations', sums(sheet)),
    ...folded('Presence in per cent, summed over tasks, and what forgetting takes from it', parts(sheet)),
    ...folded(
      'Sessions a question rests on, and sessions that changed what it asks for',
      loads(sheet),
      ': mean and most',
    ),
    ...spreads(sheet),
    ...kappaDots(results, 'duration', durations),
    ...chartsAgainst({ tag: 'duration', words: 'days of a life', of: DAYS }, results, published),
  ]
}

/** The durations of the lives in a run, shortest first. */
function durationsOf({ tags }: SuiteResults): string[] {
  const days = (name: string) => DAYS[name as Duration] ?? Number.parseInt(name, 10)
  const own = tags.filter(({ tag }) => tag === 'duration').map(({ value }) => value)
  return [...new Set(own)].sort((a, b) => days(a) - days(b))
}

type Body = Pick<SuiteTable, 'columns' | 'rows'> | null

function folded(title: string, body: Body, more = ''): SuitePart[] {
  return body === null ? [] : [{ kind: 'fold', title, parts: [{ kind: 'table', title: `${title}${more}`, ...body }] }]
}

/** Every system at every depth, with its scores on each task. */
function rowsOf({ tasks }: Sheet): { head: TableCell; of(task: string): readonly Score[] }[] {
  return (tasks[0]?.rows ?? []).flatMap(({ label, points }) =>
    points.map((point) => ({
      head: ownHead(label, point),
      of: (name: string) =>
        tasks
          .find((task) => task.name === name)
          ?.rows.find((row) => row.label === label)
          ?.points.find(({ k }) => k === point.k)?.scores ?? [],
    })),
  )
}

/** Table 3: FAMA by task and duration. */
function byTask(sheet: Sheet): SuiteTable {
  const { suite, tasks, durations, at } = sheet
  const own = rowsOf(sheet)
  const read = own.some(({ of }) => tasks.some(({ name }) => scoreValue(of(name), 'fama') !== null))
  const score = read ? 'fama' : 'evidence_presence'
  const unread = read ? '' : '. Nobody answered: ours is the share of needed facts retrieved, mean over questions'
  const columns = tasks.flatMap(({ name }) => durations.map((duration) => ({ task: name, duration })))
  const cell = (value: number | null, empty: number | null): TableCell =>
    value === null ? NONE : { text: signedPercent(value), beside: signedPercent(empty) }
  return {
    kind: 'table',
    title: `${suite}: FAMA in per cent by task and duration; beside ours, small, what an empty answer gets${unread}`,
    columns: ['system', ...columns.map(({ task, duration }) => `${task} ${duration}`)],
    rows: [
      ...own.map(({ head, of }) => [
        head,
        ...columns.map(({ task, duration }) =>
          cell(at(of(task), score, duration), at(of(task), 'fama_null', duration)),
        ),
      ]),
      ...theirRows(sheet, ['fama'], (figures) =>
        columns.map(({ task, duration }) =>
          signedPercent(figures.find((one) => one.task === task && one.at?.duration === duration)?.value),
        ),
      ),
    ],
  }
}

/** Figures 3 and 4: a score's mean and how far it spreads, by task over durations and by duration over tasks. */
function spreads(sheet: Sheet): SuiteDots[] {
  const { suite, tasks, durations, at } = sheet
  const rows = tasks[0]?.rows ?? []
  const score = (label: string, task: TaskResults, duration: string, name: string) =>
    at(task.rows.find((row) => row.label === label)?.shown.scores, name, duration)
  const read = rows.some(({ shown }) => scoreValue(shown.scores, 'fama') !== null)
  const [name, words] = read ? ['fama', 'FAMA'] : ['evidence_presence', 'needed facts retrieved']
  const dots = (values: (label: string) => (number | null)[]) =>
    rows.flatMap(({ label }): ChartDot[] => {
      const known = values(label).filter((value) => value !== null)
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length
      const off = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length - 1))
      if (known.length === 0) return []
      return [{ name: label, value: mean, ...(known.length > 1 && { spread: [mean - off, mean + off] as const }) }]
    })
  const byTask = tasks.map((task) => ({
    name: task.name,
    dots: dots((label) => durations.map((duration) => score(label, task, duration, name))),
  }))
  const byDuration = durations.map((duration) => ({
    name: duration,
    dots: dots((label) => tasks.map((task) => score(label, task, duration, name))),
  }))
  const isMeasured = (group: { dots: ChartDot[] }) => group.dots.length > 0
  const title = (over: string) => `${suite}: ${words}, mean and standard deviation over ${over}`
  return [
    { kind: 'dots' as const, title: title('durations'), unit: 'share' as const, groups: byTask.filter(isMeasured) },
    { kind: 'dots' as const, title: title('tasks'), unit: 'share' as const, groups: byDuration.filter(isMeasured) },
  ].filter(({ groups }) => groups.some((group) => group.dots.some(({ spread }) => spread)))
}

/** Table 4: FAMA summed over the three durations. */
function sums(sheet: Sheet): Body {
  const { tasks } = sheet
  const mine = rowsOf(sheet).flatMap(({ head, of }) => {
    const values = tasks.map(({ name }) => scoreValue(of(name), 'fama_sum'))
    return values.every((value) => value === null) ? [] : [[head, ...values.map(wholePercent)]]
  })
  if (mine.length === 0) return null
  const theirs = theirRows(sheet, ['fama_sum'], (figures) =>
    tasks.map(({ name }) => wholePercent(figures.find(({ task }) => task === name)?.value)),
  )
  return { columns: ['system', ...tasks.map(({ name }) => name)], rows: [...mine, ...theirs] }
}

/** Table 5: presence summed over tasks, and by how much forgetting reduces it. */
function parts(sheet: Sheet): Body {
  const { overall, durations, at } = sheet
  const cell = (sum: number | null | undefined, less: number | null | undefined) =>
    sum == null ? NONE : `${wholePercent(sum)} (${wholePercent(less)})`
  const mine = overall.flatMap((row) => {
    const cells = durations.map((one) => cell(at(row.scores, 'mpa_sum', one), at(row.scores, 'reduction_sum', one)))
    return cells.every((text) => text === NONE) ? [] : [[ownHead(row.label, row), ...cells]]
  })
  const theirs = theirRows(sheet, ['mpa_sum', 'reduction_sum'], (figures) => {
    const value = (score: string, duration: string) =>
      figures.find((one) => one.score === score && one.at?.duration === duration)?.value
    return durations.map((one) => cell(value('mpa_sum', one), value('reduction_sum', one)))
  })
  return mine.length + theirs.length === 0 ? null : { columns: ['system', ...durations], rows: [...mine, ...theirs] }
}

/** Table 1: sessions that a question rests on, and sessions that changed something it asks for. */
function loads({ overall, durations, at, published }: Sheet): Body {
  const names = ['consolidation', 'mutation']
  const columns = names.flatMap((name) => durations.map((duration) => ({ name, duration })))
  const row = (head: string, value: (name: string, duration: string) => number | null | undefined) => [
    head,
    ...columns.map(({ name, duration }) => {
      const [mean, most] = [value(name, duration), value(`${name}_max`, duration)]
      return mean == null ? NONE : `${mean.toFixed(1)}, at most ${most ?? NONE}`
    }),
  ]
  return {
    columns: ['', ...columns.map(({ name, duration }) => `${name} ${duration}`)],
    rows: [
      row('these lives', (name, duration) => at(overall[0]?.scores, name, duration)),
      row(
        'published',
        (name, duration) => published.find((one) => one.score === name && one.at?.duration === duration)?.value,
      ),
    ],
  }
}

function theirRows(
  { published }: Sheet,
  scores: readonly string[],
  cells: (figures: PublishedFigure[]) => string[],
): TableCell[][] {
  const own = published.filter(({ score }) => scores.includes(score))
  return publishedRows(own, ['duration']).map(({ head, figures: told }) => [head, ...cells(told)])
}
