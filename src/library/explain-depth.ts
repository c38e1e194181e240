import { UserError } from '../base/errors.js'
import { entryOf, groupBy } from '../base/group-by.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { compareDepths, type Depth, depthKey, depthMemories, depthTokens, isSameDepth } from '../model/index.js'

/** The depth at which each task is explained, and how it is told. */
export interface ExplainedDepths {
  /** Whether failures of a task at a depth are explained. Those of systems of fixed depth always are. */
  has(suite: string, task: string, depth: Depth): boolean
  /** Such as `k = 5`; empty when all systems have a fixed depth. */
  words: string
  /** Tasks that were not asked at the depth that was named, each in a sentence. */
  leftOut: string[]
}

/**
 * Which depths of a run are explained: the one that was named, else for every task the suite's default if it was run, else the deepest k,
 * else the largest budget of tokens. One that was never run is refused.
 */
export function explainedDepths(plan: Plan, named: Depth | null): ExplainedDepths {
  const run = depthsByTask(plan.lives)
  if (named !== null && ![...run.values()].some(({ depths }) => has(depths, named))) throw neverRun(named, run)
  const chosen = new Map<string, Depth>()
  const leftOut: string[] = []
  for (const [task, { life, depths }] of run) {
    if (depths.length === 0) continue
    if (named === null) chosen.set(task, defaultOf(life, depths))
    else if (has(depths, named)) chosen.set(task, named)
    else leftOut.push(`${task} was not asked at ${wordsOf(named)}, only at ${listed(depths)}: it is left out.`)
  }
  return {
    has(suite, task, depth) {
      const own = chosen.get(`${suite}/${task}`)
      return depth === 'all' || (own !== undefined && isSameDepth(own, depth))
    },
    words: chosenWords(chosen),
    leftOut,
  }
}

function has(depths: readonly Depth[], depth: Depth): boolean {
  return depths.some((one) => isSameDepth(one, depth))
}

/** A depth that is not fixed, in words. */
function wordsOf(depth: Depth): string {
  const tokens = depthTokens(depth)
  return tokens === null ? `k = ${depthMemories(depth)}` : `${tokens} tokens`
}

/** By task, as `suite/task`. */
type RunDepths = Map<string, { life: PlannedLife; depths: Depth[] }>

/** The depths at which each task was asked, without the fixed one. References are never explained. */
function depthsByTask(lives: readonly PlannedLife[]): RunDepths {
  const run: RunDepths = new Map()
  for (const life of lives) {
    if (life.subject.definition.class === 'reference') continue
    for (const { question, depths } of life.asks) {
      const own = entryOf(run, `${life.suite.name}/${question.task}`, () => ({ life, depths: [] }))
      for (const depth of depths) if (depth !== 'all' && !has(own.depths, depth)) own.depths.push(depth)
    }
  }
  return run
}

function defaultOf({ suite }: PlannedLife, depths: readonly Depth[]): Depth {
  const usual = suite.defaultK.find((k) => has(depths, { k }))
  if (usual !== undefined) return { k: usual }
  const sorted = depths.toSorted(compareDepths)
  return sorted.findLast((depth) => depthMemories(depth) !== null) ?? sorted.at(-1)!
}

function neverRun(named: Depth, run: RunDepths): UserError {
  const tasks = [...run.values()].filter(({ depths }) => depths.length > 0)
  if (tasks.length === 0)
    return new UserError(
      `Nothing was asked at ${wordsOf(named)}: the systems of this run have a fixed depth.`,
      'Leave out --k and --token-budget.',
    )
  const all = tasks.flatMap(({ depths }) => depths)
  const usual = defaultOf(tasks[0]!.life, tasks[0]!.depths)
  const tokens = depthTokens(usual)
  const flag = tokens === null ? `--k ${depthMemories(usual)}` : `--token-budget ${tokens}`
  return new UserError(
    `Nothing was asked at ${wordsOf(named)}, so nothing is known of it. This run was asked at ${listed(all)}.`,
    `Type ${flag}, or go on with the run: memscope run --resume <run> with the depth added.`,
  )
}

function listed(depths: readonly Depth[]): string {
  const distinct = [...new Map(depths.toSorted(compareDepths).map((depth) => [depthKey(depth), depth])).values()]
  const ks = distinct.flatMap((depth) => depthMemories(depth) ?? []).join(', ')
  const budgets = distinct.flatMap((depth) => depthTokens(depth) ?? []).join(', ')
  return [ks && `k = ${ks}`, budgets && `${budgets} tokens`].filter(Boolean).join(' and ')
}

/** One depth where all tasks have the same, else each with the tasks it is for. */
function chosenWords(chosen: ReadonlyMap<string, Depth>): string {
  const tasks = groupBy(chosen, ([, depth]) => wordsOf(depth))
  if (tasks.size <= 1) return [...tasks.keys()].join('')
  return [...tasks].map(([words, own]) => `${words} (${own.map(([task]) => task).join(', ')})`).join(', ')
}
