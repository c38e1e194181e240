import { groupBy } from '../base/group-by.js'
import { meanOf, sumOf } from '../base/sums.js'
import type { Cell, Contestant, Depth, FactCounts, Interval, Outcome, ReaderRef, Score } from '../model/index.js'
import {
  compareDepths,
  depthKey,
  depthMemories,
  depthTokens,
  isGuess,
  isSameDepth,
  modelOf,
  OUTCOMES,
  placeKey,
  readerKey,
  scoreName,
  systemName,
  withFirstTrial,
} from '../model/index.js'
import { shortNames } from './format.js'
import type { ReportData, ReportTask } from './report-data.js'

/** A number of questions that passed, as a rate with its interval. */
export interface Rate {
  n: number
  passed: number
  rate: number
  ci95: Interval
  /** What it would be if every uncertain verdict went one way or the other. */
  bounds: Interval
  /** Questions besides that could not be measured. */
  errors?: number
}

/** What trials keep of their cells when they are taken together. */
type Kept = 'depth' | 'n' | 'errors' | 'outcomes' | 'conversations' | 'noise' | 'tempting' | 'memory' | 'cost'

/** One row of a table at one depth: the cells of all trials taken together. */
export interface Point extends Pick<Cell, Kept | 'scores'> {
  /** Null at other depths than so many memories. */
  k: number | null
  trials: number
  evidence: Rate | null
  /** As its suite counts answers, else accuracy; the task's `answerName` says which. */
  answer: Rate | null
  /** Right answers that its suite does not count, as a share of the questions it counts; null when there are none. */
  uncounted: { name: string; share: number } | null
  facts: FactCounts
  aboveCeiling: boolean
  answerAboveCeiling: boolean
  /** What a question's retrieved memories cost to read, on average. */
  contextPerQuestion: number | null
}

/** A contestant with its reader on one task. */
export interface Row {
  subject: Contestant
  reader: ReaderRef | null
  label: string
  kind: 'system' | 'yardstick' | 'guesser'
  /** By k; a fixed-depth system has one point with `k: null`. */
  points: Point[]
  /** By tokens of context, where those were asked for. */
  budgets: Point[]
  /** The point that overviews show: at the task's depth, or the only one. */
  shown: Point
  /** What must be known of its system. */
  remarks: readonly string[]
}

/** A task with its rows, ready to be drawn. */
export interface TaskView extends ReportTask {
  id: string
  ks: number[]
  /** The k of overviews: the default, or the nearest that was run. Null where none was. */
  k: number | null
  /** Budgets of tokens that were run. */
  budgets: number[]
  /** The depth of overviews: at `k`, or else a budget of tokens; null where every system has a fixed one. */
  depth: Depth | null
  rows: Row[]
  guessers: Row[]
  /** What heads the column of answers: `answer` for accuracy, or the name of the suite's own score. */
  answerName: string
  /** At the depths that were run, in their order. */
  ceilings: { depth: Depth; rate: number }[]
}

/** The budget of tokens at which overviews are drawn where no k was run. */
export const USUAL_BUDGET = 1000

/** Arranges the cells of a run by task and system, in the order in which tasks and systems are given. */
export function taskViews(data: ReportData): TaskView[] {
  const label = labeller(data.summary.cells)
  return data.tasks.map((task) => {
    const cells = data.summary.cells.filter((cell) => cell.suite === task.suite && cell.task === task.name)
    const ks = [...new Set(cells.flatMap(({ depth }) => depthMemories(depth) ?? []))].sort((a, b) => a - b)
    const k = nearestDepth(ks, task.defaultK)
    const budgets = [...new Set(cells.flatMap((cell) => depthTokens(cell.depth) ?? []))].sort((a, b) => a - b)
    const tokens = k === null ? nearestDepth(budgets, USUAL_BUDGET) : null
    const depth = k !== null ? { k } : tokens !== null ? { tokens } : null
    const rows = [...groupBy(cells, rowKey).values()].map((own): Row => {
      const { subject } = own[0]!
      const reader = withFirstTrial(own[0]!.reader)
      const all = [...groupBy(own, (cell) => depthKey(cell.depth)).values()]
        .map(merge)
        .sort((a, b) => compareDepths(a.depth, b.depth))
      const points = all.filter((point) => depthTokens(point.depth) === null)
      const isYardstick = (data.yardsticks ?? []).includes(systemName(subject))
      const kind = isGuess(subject) ? 'guesser' : isYardstick ? 'yardstick' : 'system'
      const budgeted = all.filter((point) => depthTokens(point.depth) !== null)
      const shown =
        all.find((point) => depth !== null && isSameDepth(point.depth, depth)) ??
        points.find((point) => point.k === null) ??
        all[0]!
      const remarks = own[0]!.remarks ?? []
      return { subject, reader, label: label({ subject, reader }), kind, points, budgets: budgeted, shown, remarks }
    })
    return {
      ...task,
      id: `${task.suite}/${task.name}`,
      ks,
      k,
      budgets,
      depth,
      rows: [...rows.filter((row) => row.kind === 'system'), ...rows.filter((row) => row.kind === 'yardstick')],
      guessers: rows.filter((row) => row.kind === 'guesser'),
      answerName: cells.find((cell) => cell.answerScore)?.answerScore?.score ?? 'answer',
      ceilings: data.ceilings
        .filter((one) => one.suite === task.suite && one.task === task.name)
        .filter(({ depth }) => ks.includes(depthMemories(depth) ?? 0) || budgets.includes(depthTokens(depth) ?? 0))
        .sort((a, b) => compareDepths(a.depth, b.depth)),
    }
  })
}

/** What a row is known by: who is measured and who reads, however often. */
export function rowKey({ subject, reader }: Pick<Row, 'subject' | 'reader'>): string {
  return placeKey({ subject, reader: withFirstTrial(reader) })
}

/** The depths of a task in the order of columns: memories, then tokens. */
export function depthsIn({ ks, budgets }: TaskView): Depth[] {
  return [...ks.map((k) => ({ k })), ...budgets.map((tokens) => ({ tokens }))]
}

/** A row at a depth. At the depth of overviews a system of fixed depth stands with its only point. */
export function pointAt(row: Row, task: TaskView, depth: Depth): Point | undefined {
  if (task.depth !== null && isSameDepth(depth, task.depth)) return row.shown
  return [...row.points, ...row.budgets].find((point) => isSameDepth(point.depth, depth))
}

/** The ceiling of a task at a depth; undefined where there is none. */
export function ceilingAt({ ceilings }: TaskView, depth: Depth): number | undefined {
  return ceilings.find((one) => isSameDepth(one.depth, depth))?.rate
}

/** What a run sweeps over: models inside systems, readers, both or neither. Empty lists where there is only one. */
export interface Sweep {
  models: string[]
  readers: string[]
}

/** The models and readers of a run, in the order in which they were run, where there is more than one. */
export function sweepOf(cells: readonly Cell[]): Sweep {
  const own = cells.filter(({ subject }) => !isGuess(subject))
  const several = (names: string[]) => (new Set(names).size > 1 ? [...new Set(names)] : [])
  return {
    models: several(own.flatMap(({ subject }) => modelOf(subject) ?? [])),
    readers: several(own.flatMap(({ reader }) => (reader ? readerKey(withFirstTrial(reader)) : []))),
  }
}

/** Names somebody by what tells them apart in this run: the system, and model or reader where there are several. */
export function labeller(cells: readonly Cell[]): (of: { subject: Contestant; reader?: ReaderRef | null }) => string {
  const { models, readers } = sweepOf(cells)
  const [modelName, readerName] = [shortNames(models), shortNames(readers)]
  return ({ subject, reader = null }) => {
    if (isGuess(subject)) return subject.guesser
    const readBy = readerName.get(readerKey(withFirstTrial(reader)))
    const parts = [subject.system, modelName.get(subject.model ?? ''), readBy && `read by ${readBy}`]
    return parts.filter(Boolean).join(' · ')
  }
}

/** The stages a fact passes, as shares of all needed facts; null where a stage cannot be seen. */
export function stageRates({ n, stored, faithful, retrieved }: FactCounts) {
  const share = (part: number | null) => (part === null ? null : part / n)
  return n === 0 ? null : { stored: share(stored), faithful: share(faithful), retrieved: retrieved / n }
}

/**
 * Outcomes with their counts and shares, worst first, without those that did not occur. Shares are of questions that have an outcome:
 * one that needs no fact has none until a reader answers it.
 */
export function outcomeCounts(point: Pick<Point, 'outcomes'>): { outcome: Outcome; count: number; share: number }[] {
  const total = OUTCOMES.reduce((sum, outcome) => sum + (point.outcomes[outcome] ?? 0), 0)
  return OUTCOMES.flatMap((outcome) => {
    const count = point.outcomes[outcome] ?? 0
    return count > 0 ? [{ outcome, count, share: count / total }] : []
  })
}

/** The depth that was run and lies nearest to the one wanted; null when none was. */
export function nearestDepth(ks: readonly number[], wanted: number): number | null {
  const far = (k: number) => Math.abs(k - wanted)
  return ks.reduce<number | null>((best, k) => (best === null || far(k) < far(best) ? k : best), null)
}

function merge(trials: readonly Cell[]): Point {
  const { depth } = trials[0]!
  const sum = (of: (cell: Cell) => number) => sumOf(trials.map(of))
  const known = (of: (cell: Cell) => number | null) =>
    trials.some((cell) => of(cell) === null) ? null : sum((cell) => of(cell)!)
  const outcomes: Point['outcomes'] = {}
  for (const outcome of OUTCOMES) {
    const n = sum((cell) => cell.outcomes[outcome] ?? 0)
    if (n > 0) outcomes[outcome] = n
  }
  const [n, errors] = [sum((cell) => cell.n), sum((cell) => cell.errors)]
  const isRead = n > errors && trials.some(({ tokens }) => tokens.context !== undefined)
  return {
    k: depthMemories(depth),
    depth,
    trials: trials.length,
    n,
    errors,
    outcomes,
    evidence: mergeRates(trials.flatMap(({ evidence: e }) => (e ? { ...e, passed: e.complete } : []))),
    answer: mergeRates(
      trials.flatMap(
        ({ answer: a, answerScore }) => answerScore ?? (a ? { ...a, passed: a.correct, rate: a.accuracy } : []),
      ),
    ),
    uncounted: uncountedIn(trials.flatMap(({ answerScore }) => answerScore ?? [])),
    facts: {
      n: sum(({ facts }) => facts.n),
      stored: known(({ facts }) => facts.stored),
      faithful: known(({ facts }) => facts.faithful),
      retrieved: sum(({ facts }) => facts.retrieved),
      uncertain: sum(({ facts }) => facts.uncertain),
    },
    conversations: { n: sum((cell) => cell.conversations.n), lost: sum((cell) => cell.conversations.lost) },
    noise: averageOf(trials.flatMap(({ noise }) => noise ?? [])),
    tempting: trials.some(({ tempting }) => tempting)
      ? { n: sum((cell) => cell.tempting?.n ?? 0), retrieved: sum((cell) => cell.tempting?.retrieved ?? 0) }
      : null,
    aboveCeiling: trials.some((cell) => cell.aboveCeiling),
    answerAboveCeiling: trials.some((cell) => cell.answerAboveCeiling),
    contextPerQuestion: isRead ? sum(({ tokens }) => tokens.context ?? 0) / (n - errors) : null,
    memory: averageOf(trials.flatMap(({ memory }) => memory ?? [])),
    scores: meanScores(trials),
    cost: known(({ cost }) => cost),
  }
}

function uncountedIn(counts: readonly NonNullable<Cell['answerScore']>[]): Point['uncounted'] {
  const n = sumOf(counts.map(({ uncounted }) => uncounted.n))
  return n === 0 ? null : { name: counts[0]!.uncounted.name, share: n / sumOf(counts.map((count) => count.n)) }
}

// Trials ask the same questions again, so they are not more questions: the bounds are averaged, never narrowed.
function mergeRates(rates: readonly Rate[]): Rate | null {
  if (rates.length === 0) return null
  const errors = sumOf(rates.map((rate) => rate.errors ?? 0))
  return {
    ...(errors > 0 && { errors }),
    n: sumOf(rates.map(({ n }) => n)),
    passed: sumOf(rates.map(({ passed }) => passed)),
    rate: meanOf(rates.map(({ rate }) => rate)),
    ci95: [meanOf(rates.map(({ ci95 }) => ci95[0])), meanOf(rates.map(({ ci95 }) => ci95[1]))],
    bounds: [meanOf(rates.map(({ bounds }) => bounds[0])), meanOf(rates.map(({ bounds }) => bounds[1]))],
  }
}

function meanScores(trials: readonly Cell[]): Score[] {
  const all = trials.flatMap(({ scores }) => scores)
  return [...groupBy(all, scoreName).values()].map((scores) => {
    const values = scores.flatMap(({ value }) => value ?? [])
    return { ...scores[0]!, value: values.length === 0 ? null : meanOf(values) }
  })
}

/** Number by number; null of nothing. */
function averageOf<T extends Record<keyof T, number>>(records: readonly T[]): T | null {
  if (records.length === 0) return null
  const names = Object.keys(records[0]!) as (keyof T)[]
  return Object.fromEntries(names.map((name) => [name, meanOf(records.map((record) => record[name]))])) as T
}
