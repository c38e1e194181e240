import type { ComparedContestant } from '../analysis/comparable.js'
import type { Lead } from '../analysis/lead.js'
import { sumOf } from '../base/sums.js'
import { FAILURES, type Failure, isSameDepth, modelOf, readerKey, systemName, withFirstTrial } from '../model/index.js'
import { outcomeAt, shownAt, wayOf } from './fact-way.js'
import { LOSER } from './findings.js'
import { depthWords, percent, percentRange, percents, plural, wordList } from './format.js'
import type { Matrix, MatrixCell, MatrixSystem, MatrixTask } from './matrix.js'
import type { FactTrace, QuestionTrace, ReportData } from './report-data.js'
import { labeller, type Point } from './task-view.js'

/** What a first look tells in words. */
export interface RunStory {
  /** What differs clearly, where facts die, what to try next. */
  sentences: string[]
  example: FailureExample | null
}

/** One failed question, with the fact that was lost. */
export interface FailureExample {
  /** `suite/task`. */
  task: string
  system: string
  question: string
  fact: string
  /** The way of the fact: "stored, faithful, not retrieved at any depth". */
  way: string
  /** What the memory found first; null when it found nothing. */
  instead: string | null
}

/** Names that a sentence takes before it counts the others. */
const MOST_NAMED = 3

/** From how many points more a greater depth is worth a word. */
const WORTH_DEPTH = 0.05

/** The story of a run: three sentences, and one failure to look at. */
export function storyOf(data: ReportData, matrix: Matrix): RunStory {
  const best = leaders(matrix)[0]
  if (!best) return { sentences: ['Nothing was measured.'], example: null }
  const cells = cellsOf(matrix, best)
  const cause = mainCause(cells)
  return {
    sentences: [differences(data, matrix), deaths(matrix), ...(cause ? [advice(best, cells, cause)] : [])],
    example: cause && exampleOf(data, matrix, best, cause),
  }
}

/** Contestants with a number, best first; yardsticks only where there is nobody else. */
function leaders({ systems }: Matrix): MatrixSystem[] {
  const own = systems.filter(({ kind }) => kind === 'system')
  return (own.length > 0 ? own : systems).filter(({ rate }) => rate !== null).sort((a, b) => b.rate! - a.rate!)
}

function cellsOf({ suites, systems }: Matrix, system: MatrixSystem): MatrixCell[] {
  const at = systems.indexOf(system)
  return suites.flatMap(({ tasks }) => tasks.flatMap(({ cells }) => cells[at] ?? []))
}

/** Some systems by name, with their numbers unless these are left out. */
function named(systems: readonly MatrixSystem[], rates = true): string {
  const names = systems.slice(0, MOST_NAMED).map(({ label, rate }) => (rates ? `${label} (${percent(rate)} %)` : label))
  const more = systems.length - names.length
  return wordList(more > 0 ? [...names, plural(more, 'other')] : names)
}

/** Who leads, of whom the paired tests say so, and of whom they cannot tell. */
function differences({ lead }: ReportData, matrix: Matrix): string {
  const [best, ...others] = leaders(matrix)
  const share = `${percent(best!.rate)} % of all questions (${percentRange(best!.ci95)})`
  if (others.length === 0) return `${best!.label} has ${share}${extremes(matrix, best!)}.`
  const systemOf = (one: ComparedContestant) => others.find((other) => isSame(matrix, other, one))
  const tested = (lead && isSame(matrix, best!, lead.leader) ? lead.others : []).flatMap((other) => {
    const system = systemOf(other.contestant)
    return system ? [{ system, ...other }] : []
  })
  const behind = tested.filter(({ isBehind }) => isBehind).map(({ system }) => system)
  const near = others.filter((other) => !behind.includes(other))
  const other = lead ? elsewhere(matrix, best!, lead) : ''
  if (behind.length === 0) return `No system is significantly ahead: ${named([best!, ...near])}${other}.`
  const open = near.length === 0 ? '' : `; of ${named(near, false)} paired tests cannot tell`
  return `${best!.label} leads (${percent(best!.rate)} %), significantly ahead of ${named(behind)}${open}${other}.`
}

/** A task on which somebody else is significantly better than the one that leads. */
function elsewhere(matrix: Matrix, best: MatrixSystem, { beaten }: Lead): string {
  for (const { suite, task, contestant } of beaten) {
    const other = matrix.systems.find((one) => isSame(matrix, one, contestant))
    const line = matrix.suites.find(({ name }) => name === suite)?.tasks.find(({ view }) => view.name === task)
    const [cell, own] = [other, best].map((one) => one && line?.cells[matrix.systems.indexOf(one)])
    if (cell && own) return `; on ${suite}/${task} ${other!.label} wins (${percent(cell.rate)} to ${percent(own.rate)})`
  }
  return ''
}

/** Whether a column of the matrix is this contestant. */
function isSame(matrix: Matrix, system: MatrixSystem, { system: name, model, reader }: ComparedContestant): boolean {
  const [cell] = cellsOf(matrix, system)
  if (!cell) return false
  const { subject, reader: by } = cell.row
  return systemName(subject) === name && modelOf(subject) === model && readerKey(withFirstTrial(by)) === reader
}

function extremes({ suites, systems }: Matrix, only: MatrixSystem): string {
  const at = systems.indexOf(only)
  const told = suites
    .flatMap(({ tasks }) => tasks)
    .filter(({ cells }) => cells[at])
    .sort((a, b) => a.cells[at]!.rate - b.cells[at]!.rate)
  if (told.length < 2) return ''
  const words = ({ view, cells }: MatrixTask) => `${view.id} (${percent(cells[at]!.rate)} %)`
  return `; least on ${words(told[0]!)}, most on ${words(told.at(-1)!)}`
}

/** Failures by the stage that lost them, over all contestants; where it is one system alone, with its name. */
function deaths(matrix: Matrix): string {
  const contestants = leaders(matrix)
  const lost = new Map<Failure, Map<string, number>>()
  for (const system of contestants)
    for (const { row } of cellsOf(matrix, system))
      for (const failure of FAILURES) {
        const n = row.shown.outcomes[failure] ?? 0
        const own = lost.get(failure) ?? new Map<string, number>()
        if (n > 0) lost.set(failure, own.set(system.label, (own.get(system.label) ?? 0) + n))
      }
  const causes = [...lost].map(([failure, own]) => ({ failure, own, n: sumOf([...own.values()]) }))
  const failed = sumOf(causes.map(({ n }) => n))
  if (failed === 0) return 'Nothing was lost on the way to a question.'
  causes.sort((a, b) => b.n - a.n)
  const shares = percents(causes.map(({ n }) => n / failed))
  const told = causes.slice(0, 3).map(({ failure, own }, at) => {
    const only = contestants.length > 1 && own.size === 1 ? ` (${[...own.keys()][0]})` : ''
    return `${LOSER[failure]} ${shares[at]} %${only}`
  })
  return `Facts die at ${told.join(', ')}.`
}

function mainCause(cells: readonly MatrixCell[]): Failure | null {
  const lost = (failure: Failure) => sumOf(cells.map(({ row }) => row.shown.outcomes[failure] ?? 0))
  const worst = FAILURES.reduce((most, next) => (lost(next) > lost(most) ? next : most))
  return lost(worst) > 0 ? worst : null
}

/** What mends a failure, where more depth is not the answer. */
const REMEDY: Record<Failure, string> = {
  not_stored: 'what it needs never enters the store: let it keep more of what is said, or the words themselves',
  summary_error: 'what it keeps is no longer exact: let it keep conditions, numbers and names word for word',
  not_retrieved:
    'the facts are in the store: try another search, such as words and vectors together, or one that follows links',
  unavailable: 'nobody can see where facts are lost: give it dump(), then every stage is told',
  stale_memory: 'outdated facts stand as if they held: let it replace or mark what was corrected',
  stale_answer: 'corrections reach the reader and are passed over: put the newest first, or try memscope redo',
  reasoning_error: 'the evidence is there and the answer is wrong: try another reader with memscope redo',
}

function advice(best: MatrixSystem, cells: readonly MatrixCell[], cause: Failure): string {
  const deeper = cause === 'not_retrieved' ? depthGain(cells) : null
  return deeper ? `Try more depth with ${best.label}: ${deeper}.` : `To try next with ${best.label}: ${REMEDY[cause]}.`
}

/** What the greatest depth that was run would bring; null where that is little. */
function depthGain(cells: readonly MatrixCell[]): string | null {
  const pairs = cells.flatMap(({ row: { shown, points } }) => {
    const deepest = points.at(-1) ?? shown
    return shown.evidence && deepest.evidence ? [{ shown, deepest }] : []
  })
  const rate = (of: (pair: { shown: Point; deepest: Point }) => Point) =>
    sumOf(pairs.map((pair) => of(pair).evidence!.passed)) / sumOf(pairs.map((pair) => of(pair).evidence!.n))
  const [now, then] = [rate(({ shown }) => shown), rate(({ deepest }) => deepest)]
  if (!(then - now >= WORTH_DEPTH)) return null
  const deeper = pairs.filter(({ shown, deepest }) => !isSameDepth(shown.depth, deepest.depth))
  const depths = [...new Set(deeper.map(({ deepest }) => depthWords(deepest.depth)))].join(', ')
  return `evidence ${percent(then)} % instead of ${percent(now)} % at ${depths}`
}

/** The shortest failure of one system at the stage that costs it most. */
function exampleOf(data: ReportData, matrix: Matrix, best: MatrixSystem, cause: Failure): FailureExample | null {
  const label = labeller(data.summary.cells)
  const depths = new Map(matrix.suites.flatMap(({ tasks }) => tasks.map(({ view }) => [view.id, view.depth])))
  let shortest: { trace: QuestionTrace; fact: FactTrace; at: number; length: number } | null = null
  for (const trace of data.questions) {
    const depth = depths.get(`${trace.suite}/${trace.task}`)
    if (depth === undefined || label(trace) !== best.label) continue
    const at = shownAt(trace, depth)
    if (outcomeAt(trace, at) !== cause || trace.facts.some(({ uncertain }) => uncertain)) continue
    const fact = trace.facts.find((one) => !one.derived && isLostAt(cause, one, trace, at))
    if (!fact) continue
    const length = trace.text.length + fact.text.length
    if (!shortest || length < shortest.length) shortest = { trace, fact, at, length }
  }
  if (!shortest) return null
  const { trace, fact, at } = shortest
  return {
    task: `${trace.suite}/${trace.task}`,
    system: best.label,
    question: trace.text,
    fact: fact.text,
    way: wayOf(fact, trace, at)
      .filter(([words, mark]) => mark !== 'off' && words !== 'said')
      .map(([words]) => words)
      .join(', '),
    instead: trace.retrieved.find(({ carries }) => carries.length === 0)?.text ?? null,
  }
}

/** Whether a fact shows why its question failed: it was lost at that stage, or, where the fault is the reader's, went wrong at all. */
function isLostAt(cause: Failure, fact: FactTrace, trace: QuestionTrace, at: number): boolean {
  if (cause === 'not_stored' || cause === 'summary_error') return fact.role === undefined && fact.label === cause
  if (cause === 'not_retrieved')
    return fact.role === undefined && fact.label === 'correct' && fact.retrievedAt[at] === false
  return wayOf(fact, trace, at).some(([, mark]) => mark === 'bad')
}
