import { entryOf, groupBy } from '../base/group-by.js'
import { compareDepths, type Depth, depthKey, depthMemories, readDepth } from '../model/depth.js'
import type { Outcome } from '../model/score.js'
import {
  type ComparableRun,
  type ComparedContestant,
  type ComparedQuestion,
  type ComparedResult,
  type ComparedSpending,
  NO_READER,
} from './comparable.js'
import { ALPHA, comparePaired, holmCorrection, type PairedResult, type PairedValue, questionsNeeded } from './paired.js'

/** `equal`: not one question came out otherwise. `undecided`: the difference may be chance. */
export type ComparisonVerdict = 'better' | 'worse' | 'equal' | 'undecided'

/** A question that came out otherwise; `moved`: no better and no worse, but it failed at another stage. */
export interface Flip {
  change: 'gained' | 'lost' | 'moved'
  scenario: string
  question: string
  text: string
  from: Outcome | null
  to: Outcome | null
  a: number
  b: number
}

/** What one question took on average; null where it is not known. */
export interface SpentEach {
  tokens: number
  context: number
  cost: number | null
  storeMs: number | null
  retrieveMs: number | null
  answerMs: number | null
}

/** One task under two systems. */
export interface TaskComparison extends PairedResult {
  suite: string
  task: string
  /** At which depth each was asked; they differ only where one has a fixed depth. */
  depths: [a: Depth, b: Depth]
  /** What is counted: `evidence`, `answer`, or the suite's own score by its name. */
  measure: string
  /** What clusters are called. */
  unit: string
  /** `p`, corrected over the tasks; null where nothing can be decided. */
  corrected: number | null
  verdict: ComparisonVerdict
  /** What would tell; null unless undecided. */
  needed: { questions: number; difference: number } | null
  /** Questions that only one of them has. */
  unpaired: { a: number; b: number }
  /** Questions of both that could not be measured in one of them. */
  unmeasured: number
  flips: Flip[]
  spent: { a: SpentEach | null; b: SpentEach | null }
}

/** A contestant with its run, and when the prices of that run were looked up. */
export type ComparedSide = ComparedContestant & { run: string; prices?: string }

/** Two systems, task by task. */
export interface SystemComparison {
  a: ComparedSide
  b: ComparedSide
  tasks: TaskComparison[]
  /** Tasks that could not be compared, each in a sentence. */
  leftOut: string[]
}

/** A contestant by its run and its place in it. */
type Side = readonly [run: ComparableRun, contestant: number]

/** One task of two contestants, before anything is decided: what both got, question by question. */
interface PairedTask {
  values: PairedValue[]
  task: TaskComparison
}

/**
 * Compares two contestants, paired by question over what both were asked. Every task is compared at one depth: the one that is named, else the
 * suite's own, else the deepest that both have. Tasks that can be decided are corrected for one another.
 */
export function compareContestants(a: Side, b: Side, named: Depth | null = null): SystemComparison {
  const { open, leftOut } = pairTasks(a, b, named)
  const decidable = open.filter(({ task }) => task.by === 'cluster')
  for (const [i, corrected] of holmCorrection(decidable.map(({ task }) => task.p)).entries())
    decidable[i]!.task.corrected = corrected
  for (const { task, values } of open) {
    task.verdict = verdictOf(task)
    if (task.verdict === 'undecided') task.needed = questionsNeeded(values, decidable.length)
  }
  const who = ([{ run, prices, contestants }, at]: Side): ComparedSide => ({
    ...contestants[at]!,
    run,
    ...(prices !== undefined && { prices }),
  })
  return { a: who(a), b: who(b), tasks: open.map(({ task }) => task), leftOut }
}

/** Tasks of both, paired by question, and why others were left out. */
export function pairTasks(a: Side, b: Side, named: Depth | null = null): { open: PairedTask[]; leftOut: string[] } {
  const [first, second] = [resultsOf(a), resultsOf(b)]
  const leftOut: string[] = []
  const open: PairedTask[] = []
  for (const { name: suite, defaultK, tasks, cluster, own } of a[0].suites)
    for (const task of tasks) {
      const place = `${suite}/${task}`
      const [ours, theirs] = [first.get(place), second.get(place)]
      if (!ours && !theirs) continue
      const depths = ours && theirs && commonDepths([...ours.keys()], [...theirs.keys()], defaultK, named)
      if (!depths) {
        const only =
          ours && theirs
            ? named
              ? `was not asked at ${depthKey(named)}`
              : 'was asked at no common depth'
            : `is only in ${(ours ? a : b)[0].run}`
        leftOut.push(`${place} ${only}.`)
        continue
      }
      const asked = [ours.get(depthKey(depths[0]))!, theirs.get(depthKey(depths[1]))!] as const
      const measure = measureOf([a, b], asked, own)
      const paired = pairUp([a[0], b[0]], asked, measure.of)
      const values = paired.common.map(({ question, a, b }) => ({
        cluster: question.cluster,
        a: a.value!,
        b: b.value!,
      }))
      const spentAt = (side: Side, depth: Depth) => spentEach(side, suite, task, depth)
      open.push({
        values,
        task: {
          suite,
          task,
          depths,
          measure: measure.name,
          unit: cluster,
          ...comparePaired(values),
          corrected: null,
          verdict: 'undecided',
          needed: null,
          unpaired: paired.unpaired,
          unmeasured: paired.unmeasured,
          flips: flipsOf(paired.common),
          spent: { a: spentAt(a, depths[0]), b: spentAt(b, depths[1]) },
        },
      })
    }
  return { open, leftOut }
}

function verdictOf({ corrected, difference, changed, n }: TaskComparison): ComparisonVerdict {
  if (n > 0 && changed === 0) return 'equal'
  if (corrected === null || corrected > ALPHA) return 'undecided'
  return difference > 0 ? 'better' : 'worse'
}

type Asked = Map<string, ComparedResult[]>

/** Results of a contestant by task and depth. */
function resultsOf([run, contestant]: Side): Map<string, Asked> {
  const tasks = new Map<string, Asked>()
  for (const result of run.results) {
    if (result.contestant !== contestant) continue
    const { suite, task } = run.questions[result.question]!
    const depths = entryOf(tasks, `${suite}/${task}`, () => new Map<string, ComparedResult[]>())
    entryOf(depths, result.depth, () => []).push(result)
  }
  return tasks
}

/** The depths at which a task is compared; null where there are none. Who has a fixed depth is compared with the other's usual one. */
function commonDepths(
  a: readonly string[],
  b: readonly string[],
  usual: readonly number[],
  named: Depth | null,
): [Depth, Depth] | null {
  const isFixed = (depths: readonly string[]) => depths.every((depth) => depth === 'all')
  if (isFixed(a) && isFixed(b)) return ['all', 'all']
  const free = isFixed(a) ? b : isFixed(b) ? a : a.filter((depth) => b.includes(depth))
  const depths = free.filter((depth) => depth !== 'all').map(readDepth)
  const sorted = depths.toSorted(compareDepths)
  const deepest = sorted.filter((depth) => depthMemories(depth) !== null).at(-1) ?? sorted.at(-1)
  const own = usual.map((k) => depths.find((depth) => depthMemories(depth) === k)).find((depth) => depth !== undefined)
  const chosen = named ? depths.find((depth) => depthKey(depth) === depthKey(named)) : (own ?? deepest)
  return chosen === undefined ? null : [isFixed(a) ? 'all' : chosen, isFixed(b) ? 'all' : chosen]
}

type Value = (result: ComparedResult) => number | null

/** Evidence where one of them was not read; else what the suite counts, or the answers where it counts none. */
function measureOf(
  sides: readonly Side[],
  asked: readonly ComparedResult[][],
  own: string | null,
): { name: string; of: Value } {
  if (sides.some(([run, at]) => run.contestants[at]!.reader === NO_READER))
    return { name: 'evidence', of: ({ evidence }) => evidence }
  const counted = own !== null && asked.flat().some((result) => result.own !== null)
  return counted ? { name: own, of: (result) => result.own } : { name: 'answer', of: ({ answer }) => answer }
}

interface Outcomes {
  value: number | null
  outcome: Outcome | null
}

interface Common {
  question: ComparedQuestion
  a: Outcomes
  b: Outcomes
}

/** The same questions of both, each with its mean over all trials; an outcome is that of the first. */
function pairUp(
  runs: readonly [ComparableRun, ComparableRun],
  asked: readonly [ComparedResult[], ComparedResult[]],
  of: Value,
): { common: Common[]; unpaired: { a: number; b: number }; unmeasured: number } {
  const [ours, theirs] = ([0, 1] as const).map((side) => {
    const byQuestion = groupBy(asked[side], ({ question }) => question)
    return new Map(
      [...byQuestion].map(([at, own]) => [keyOf(runs[side].questions[at]!), { at, ...outcomesOf(own, of) }]),
    )
  }) as [Map<string, Outcomes & { at: number }>, Map<string, Outcomes & { at: number }>]
  const both = [...ours].flatMap(([key, a]) => {
    const b = theirs.get(key)
    return b ? [{ question: runs[0].questions[a.at]!, a, b }] : []
  })
  const common = both.filter(({ a, b }) => a.value !== null && b.value !== null)
  // What neither was asked to show, such as evidence for what needs none, is nothing that is missing.
  const unmeasured = both.filter(({ a, b }) => (a.value === null) !== (b.value === null)).length
  return { common, unpaired: { a: ours.size - both.length, b: theirs.size - both.length }, unmeasured }
}

function keyOf({ suite, scenario, id, print }: ComparedQuestion): string {
  return JSON.stringify([suite, scenario, id, print])
}

function outcomesOf(trials: readonly ComparedResult[], of: Value): Outcomes {
  const values = trials.flatMap((result) => of(result) ?? [])
  const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length
  return { value, outcome: trials[0]?.outcome ?? null }
}

const ORDER = { lost: 0, gained: 1, moved: 2 }

/** What came out otherwise: losses first, then gains, then what failed elsewhere. */
function flipsOf(common: readonly Common[]): Flip[] {
  const flips = common.flatMap(({ question, a, b }): Flip[] => {
    const step = b.value! - a.value!
    if (Math.abs(step) < 1e-12 && a.outcome === b.outcome) return []
    const change = Math.abs(step) < 1e-12 ? 'moved' : step > 0 ? 'gained' : 'lost'
    const { scenario, id, text } = question
    return [{ change, scenario, question: id, text, from: a.outcome, to: b.outcome, a: a.value!, b: b.value! }]
  })
  return flips.sort((x, y) => ORDER[x.change] - ORDER[y.change])
}

function spentEach([run, contestant]: Side, suite: string, task: string, depth: Depth): SpentEach | null {
  const isHere = (row: ComparedSpending) =>
    row.contestant === contestant && row.suite === suite && row.task === task && row.depth === depthKey(depth)
  const found = run.spending.find(isHere)
  if (!found || found.n === 0) return null
  const { n, tokens, cost, ms } = found
  const { context = 0, ...spent } = tokens
  const all = Object.values(spent).reduce((sum, one) => sum + one, 0)
  const times = { storeMs: ms.store, retrieveMs: ms.retrieve, answerMs: ms.answer }
  return { tokens: all / n, context: context / n, cost: cost === null ? null : cost / n, ...times }
}
