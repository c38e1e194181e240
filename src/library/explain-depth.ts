import { UserError } from '../base/errors.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { depthOf, FIXED_DEPTH, tokensOf } from '../model/index.js'

/** The depth at which each task is explained, and how it is told. */
export interface ExplainedDepths {
  /** Whether failures of a task at a depth are explained. Those of systems of fixed depth always are. */
  has(suite: string, task: string, depth: number): boolean
  /** Such as `k = 5`; empty when all systems have a fixed depth. */
  words: string
  /** Tasks that were not asked at the depth that was named, each in a sentence. */
  leftOut: string[]
}

/**
 * Which depths of a run are explained: the one that was named, else for every task the suite's default if it was run, else the deepest k,
 * else the largest budget of tokens.
 *
 * @param named a depth as plans have it; null when none was named
 * @throws UserError when the depth was never run: nothing is known of it
 */
export function explainedDepths(plan: Plan, named: number | null): ExplainedDepths {
  const run = depthsByTask(plan.lives)
  if (named !== null && ![...run.values()].some(({ depths }) => depths.has(named))) throw neverRun(named, run)
  const chosen = new Map<string, number>()
  const leftOut: string[] = []
  for (const [key, { task, life, depths }] of run) {
    if (depths.size === 0) continue
    if (named === null) chosen.set(key, defaultOf(life, depths))
    else if (depths.has(named)) chosen.set(key, named)
    else leftOut.push(`${task} was not asked at ${wordsOf(named)}, only at ${listed(depths)}: it is left out.`)
  }
  return {
    has: (suite, task, depth) => depth === FIXED_DEPTH || chosen.get(keyOf(suite, task)) === depth,
    words: chosenWords(chosen, run),
    leftOut,
  }
}

/** A depth of a plan, in words. */
function wordsOf(depth: number): string {
  const tokens = tokensOf(depthOf(depth))
  return tokens === null ? `k = ${depth}` : `${tokens} tokens`
}

type RunDepths = Map<string, { task: string; life: PlannedLife; depths: Set<number> }>

/** The depths at which each task was asked, without the fixed one. References are never explained. */
function depthsByTask(lives: readonly PlannedLife[]): RunDepths {
  const run: RunDepths = new Map()
  for (const life of lives) {
    if (life.subject.definition.class === 'reference') continue
    for (const { question, ks } of life.asks) {
      const key = keyOf(life.suite.name, question.task)
      const own = run.get(key) ?? { task: `${life.suite.name}/${question.task}`, life, depths: new Set<number>() }
      for (const k of ks) if (k !== FIXED_DEPTH) own.depths.add(k)
      run.set(key, own)
    }
  }
  return run
}

function defaultOf({ suite }: PlannedLife, depths: ReadonlySet<number>): number {
  const usual = suite.defaultK.find((k) => depths.has(k))
  const ks = [...depths].filter((depth) => depth > 0)
  return usual ?? (ks.length > 0 ? Math.max(...ks) : Math.min(...depths))
}

function neverRun(named: number, run: RunDepths): UserError {
  const tasks = [...run.values()].filter(({ depths }) => depths.size > 0)
  if (tasks.length === 0) {
    return new UserError(
      `Nothing was asked at ${wordsOf(named)}: the systems of this run have a fixed depth.`,
      'Leave out --k and --token-budget.',
    )
  }
  const all = new Set(tasks.flatMap(({ depths }) => [...depths]))
  const usual = defaultOf(tasks[0]!.life, tasks[0]!.depths)
  const tokens = tokensOf(depthOf(usual))
  return new UserError(
    `Nothing was asked at ${wordsOf(named)}, so nothing is known of it. This run was asked at ${listed(all)}.`,
    `Type ${tokens === null ? `--k ${usual}` : `--token-budget ${tokens}`}, or go on with the run: memscope run --resume <run> with the depth added.`,
  )
}

function listed(depths: ReadonlySet<number>): string {
  const ks = [...depths].filter((depth) => depth > 0).sort((a, b) => a - b)
  const budgets = [...depths].filter((depth) => depth < 0).map((depth) => -depth)
  budgets.sort((a, b) => a - b)
  return [
    ...(ks.length > 0 ? [`k = ${ks.join(', ')}`] : []),
    ...(budgets.length > 0 ? [`${budgets.join(', ')} tokens`] : []),
  ].join(' and ')
}

/** One depth where all tasks have the same, else each with the tasks it is for. */
function chosenWords(chosen: ReadonlyMap<string, number>, run: RunDepths): string {
  const tasks = new Map<number, string[]>()
  for (const [key, depth] of chosen) tasks.set(depth, [...(tasks.get(depth) ?? []), run.get(key)!.task])
  if (tasks.size <= 1) return [...tasks.keys()].map(wordsOf).join('')
  return [...tasks].map(([depth, names]) => `${wordsOf(depth)} (${names.join(', ')})`).join(', ')
}

function keyOf(suite: string, task: string): string {
  return JSON.stringify([suite, task])
}
