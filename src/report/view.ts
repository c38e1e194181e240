import { groupBy } from '../base/group-by.js'
import type { Cell, Contestant, Depth, Interval, Outcome, ReaderRef, Score } from '../model/index.js'
import {
  compareDepths,
  depthKey,
  firstTime,
  isGuess,
  isSameDepth,
  memoriesOf,
  modelOf,
  OUTCOMES,
  placeKey,
  readerKey,
  scoreName,
  systemName,
  tokensOf,
} from '../model/index.js'
import type { ReportData, ReportTask } from './data.js'
import { shortNames } from './format.js'

/** A number of questions that passed, as a rate with its interval. */
export interface Rate {
  n: number
  passed: number
  rate: number
  ci95: Interval
  /** What it would be if every uncertain verdict went one way or the other. */
  bounds: Interval
}

/** One row of a table at one depth: the cells of all trials taken together. */
export interface Point {
  /** Null at other depths than so many memories. */
  k: number | null
  depth: Depth
  trials: number
  /** Questions asked, errors included, over all trials. */
  n: number
  errors: number
  evidence: Rate | null
  /** As its suite counts answers, else accuracy; the task's `answerName` says which. */
  answer: Rate | null
  /** Right answers that its suite does not count, as a share of the questions it counts; null when there are none. */
  uncounted: { name: string; share: number } | null
  outcomes: Partial<Record<Outcome, number>>
  facts: Omit<Cell['facts'], 'bounds'>
  conversations: Cell['conversations']
  noise: Cell['noise']
  tempting: Cell['tempting']
  aboveCeiling: boolean
  /** What a question's retrieved memories cost to read, on average. */
  contextPerQuestion: number | null
  /** Tokens a reader read and wrote for a question, on average. */
  answerPerQuestion: number | null
  memory: Cell['memory']
  scores: readonly Score[]
  /** In USD; null when a price is not known. */
  cost: number | null
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
  ceilings: { k: number; rate: number }[]
  tokenCeilings: { tokens: number; rate: number }[]
}

/** The budget of tokens at which overviews are drawn where no k was run. */
export const USUAL_BUDGET = 1000

/** Arranges the cells of a run by task and system, in the order in which tasks and systems are given. */
export function viewOf(data: ReportData): TaskView[] {
  const label = labeller(data.summary.cells)
  return data.tasks.map((task) => {
    const cells = data.summary.cells.filter((cell) => cell.suite === task.suite && cell.task === task.name)
    const ks = [...new Set(cells.flatMap(({ depth }) => memoriesOf(depth) ?? []))].sort((a, b) => a - b)
    const k = nearest(ks, task.defaultK)
    const budgets = [...new Set(cells.flatMap((cell) => tokensOf(cell.depth) ?? []))].sort((a, b) => a - b)
    const tokens = k === null ? nearest(budgets, USUAL_BUDGET) : null
    const depth = k !== null ? { k } : tokens !== null ? { tokens } : null
    const rows = [...groupBy(cells, rowKey).values()].map((own): Row => {
      const { subject } = own[0]!
      const reader = firstTime(own[0]!.reader)
      const all = [...groupBy(own, (cell) => depthKey(cell.depth)).values()]
        .map(merge)
        .sort((a, b) => compareDepths(a.depth, b.depth))
      const points = all.filter((point) => tokensOf(point.depth) === null)
      const isYardstick = (data.yardsticks ?? []).includes(systemName(subject))
      const kind = isGuess(subject) ? 'guesser' : isYardstick ? 'yardstick' : 'system'
      const budgeted = all.filter((point) => tokensOf(point.depth) !== null)
      const shown =
        all.find((point) => depth !== null && isSameDepth(point.depth, depth)) ??
        points.find((point) => point.k === null) ??
        all[0]!
      return { subject, reader, label: label({ subject, reader }), kind, points, budgets: budgeted, shown }
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
      ...ceilingsOf(data, task, ks, budgets),
    }
  })
}

/** What a row is known by: who is measured and who reads, however often. */
export function rowKey({ subject, reader }: Pick<Row, 'subject' | 'reader'>): string {
  return placeKey({ subject, reader: firstTime(reader) })
}

function ceilingsOf(data: ReportData, task: ReportTask, ks: readonly number[], budgets: readonly number[]) {
  const own = data.ceilings
    .filter((ceiling) => ceiling.suite === task.suite && ceiling.task === task.name)
    .sort((a, b) => compareDepths(a.depth, b.depth))
  return {
    ceilings: own.flatMap(({ depth, rate }) => {
      const k = memoriesOf(depth)
      return k !== null && ks.includes(k) ? [{ k, rate }] : []
    }),
    tokenCeilings: own.flatMap(({ depth, rate }) => {
      const tokens = tokensOf(depth)
      return tokens !== null && budgets.includes(tokens) ? [{ tokens, rate }] : []
    }),
  }
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
export function ceilingAt({ ceilings, tokenCeilings }: TaskView, depth: Depth): number | undefined {
  const [k, tokens] = [memoriesOf(depth), tokensOf(depth)]
  return (ceilings.find((one) => one.k === k) ?? tokenCeilings.find((one) => one.tokens === tokens))?.rate
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
    readers: several(own.flatMap(({ reader }) => (reader ? readerKey(firstTime(reader)) : []))),
  }
}

/** Names somebody by what tells them apart in this run: the system, and model or reader where there are several. */
export function labeller(cells: readonly Cell[]): (of: { subject: Contestant; reader?: ReaderRef | null }) => string {
  const { models, readers } = sweepOf(cells)
  const [modelName, readerName] = [shortNames(models), shortNames(readers)]
  return ({ subject, reader = null }) => {
    if (isGuess(subject)) return subject.guesser
    const readBy = readerName.get(readerKey(firstTime(reader)))
    const parts = [subject.system, modelName.get(subject.model ?? ''), readBy && `read by ${readBy}`]
    return parts.filter(Boolean).join(' · ')
  }
}

/** The stages a fact passes, as shares of all needed facts. */
export function stageRates({ n, stored, faithful, retrieved }: Cell['facts']): StageRates | null {
  if (n === 0) return null
  return {
    stored: stored === null ? null : stored / n,
    faithful: faithful === null ? null : faithful / n,
    retrieved: retrieved / n,
  }
}

/** Shares of facts that came through each stage; null where a stage cannot be seen. */
export interface StageRates {
  stored: number | null
  faithful: number | null
  retrieved: number
}

/**
 * Outcomes with their counts and shares, worst first, without those that did not occur. Shares are of questions that have an outcome:
 * one that needs no fact has none until a reader answers it.
 */
export function outcomeCounts(point: Point): { outcome: Outcome; count: number; share: number }[] {
  const total = OUTCOMES.reduce((sum, outcome) => sum + (point.outcomes[outcome] ?? 0), 0)
  return OUTCOMES.flatMap((outcome) => {
    const count = point.outcomes[outcome] ?? 0
    return count > 0 ? [{ outcome, count, share: count / total }] : []
  })
}

export { groupBy } from '../base/group-by.js'

/** The depth that was run and lies nearest to the one wanted; null when none was. */
export function nearest(ks: readonly number[], wanted: number): number | null {
  return ks.reduce<number | null>(
    (best, k) => (best === null || Math.abs(k - wanted) < Math.abs(best - wanted) ? k : best),
    null,
  )
}

function merge(trials: readonly Cell[]): Point {
  const first = trials[0]!
  const sum = (of: (cell: Cell) => number) => trials.reduce((total, cell) => total + of(cell), 0)
  const n = sum((cell) => cell.n)
  const outcomes: Point['outcomes'] = {}
  for (const outcome of OUTCOMES) {
    const total = sum((cell) => cell.outcomes[outcome] ?? 0)
    if (total > 0) outcomes[outcome] = total
  }
  const measured = n - sum((cell) => cell.errors)
  const context = trials.some((cell) => cell.tokens.context !== undefined)
  const answered = trials.some((cell) => cell.tokens.answer !== undefined)
  const memories = trials.flatMap((cell) => cell.memory ?? [])
  const noises = trials.flatMap((cell) => cell.noise ?? [])
  return {
    k: memoriesOf(first.depth),
    depth: first.depth,
    trials: trials.length,
    n,
    errors: sum((cell) => cell.errors),
    evidence: mergeRates(
      trials.flatMap(({ evidence: e }) =>
        e ? { n: e.n, passed: e.complete, rate: e.rate, ci95: e.ci95, bounds: e.bounds } : [],
      ),
    ),
    answer: mergeRates(
      trials.flatMap(
        ({ answer: a, answerScore }) =>
          answerScore ?? (a ? { n: a.n, passed: a.correct, rate: a.accuracy, ci95: a.ci95, bounds: a.bounds } : []),
      ),
    ),
    uncounted: uncountedIn(trials),
    outcomes,
    facts: {
      n: sum((cell) => cell.facts.n),
      stored: trials.some(({ facts }) => facts.stored === null) ? null : sum((cell) => cell.facts.stored ?? 0),
      faithful: trials.some(({ facts }) => facts.faithful === null) ? null : sum((cell) => cell.facts.faithful ?? 0),
      retrieved: sum((cell) => cell.facts.retrieved),
      uncertain: sum((cell) => cell.facts.uncertain),
    },
    conversations: { n: sum((cell) => cell.conversations.n), lost: sum((cell) => cell.conversations.lost) },
    noise: noises.length === 0 ? null : averageOf(noises, ['memories', 'tokens']),
    tempting: trials.some(({ tempting }) => tempting)
      ? { n: sum((cell) => cell.tempting?.n ?? 0), retrieved: sum((cell) => cell.tempting?.retrieved ?? 0) }
      : null,
    aboveCeiling: trials.some((cell) => cell.aboveCeiling),
    contextPerQuestion: context && measured > 0 ? sum((cell) => cell.tokens.context ?? 0) / measured : null,
    answerPerQuestion: answered && measured > 0 ? sum((cell) => cell.tokens.answer ?? 0) / measured : null,
    memory: memories.length === 0 ? null : averageOf(memories, ['entries', 'tokens', 'tokensPerEntry']),
    scores: meanScores(trials),
    cost: trials.some(({ cost }) => cost === null) ? null : sum((cell) => cell.cost ?? 0),
  }
}

function uncountedIn(trials: readonly Cell[]): Point['uncounted'] {
  const counts = trials.flatMap(({ answerScore }) => answerScore ?? [])
  const sum = (of: (count: NonNullable<Cell['answerScore']>) => number) =>
    counts.reduce((total, count) => total + of(count), 0)
  const n = sum(({ uncounted }) => uncounted.n)
  return n === 0 ? null : { name: counts[0]!.uncounted.name, share: n / sum((count) => count.n) }
}

// Trials ask the same questions again, so they are not more questions: the bounds are averaged, never narrowed.
function mergeRates(rates: readonly Rate[]): Rate | null {
  if (rates.length === 0) return null
  const average = (of: (rate: Rate) => number) => rates.reduce((total, rate) => total + of(rate), 0) / rates.length
  return {
    n: rates.reduce((total, rate) => total + rate.n, 0),
    passed: rates.reduce((total, rate) => total + rate.passed, 0),
    rate: average((rate) => rate.rate),
    ci95: [average((rate) => rate.ci95[0]), average((rate) => rate.ci95[1])],
    bounds: [average((rate) => rate.bounds[0]), average((rate) => rate.bounds[1])],
  }
}

function meanScores(trials: readonly Cell[]): Score[] {
  const all = groupBy(
    trials.flatMap(({ scores }) => scores),
    scoreName,
  )
  return [...all.values()].map((scores) => {
    const values = scores.flatMap(({ value }) => value ?? [])
    const mean = values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length
    return { ...scores[0]!, value: mean }
  })
}

function averageOf<K extends string>(records: readonly Record<K, number>[], names: readonly K[]): Record<K, number> {
  const mean = (name: K) => records.reduce((total, record) => total + record[name], 0) / records.length
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as Record<K, number>
}
