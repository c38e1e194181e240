import type { TaskComparison } from '../analysis/compare-runs.js'
import { contestantWords } from '../analysis/contestants.js'
import { depthKey, type RunStatus } from '../model/index.js'
import { type ComparedSystems, pointsRange, verdictWords } from './comparison.js'
import { count, percent, plural, signedPoints } from './format.js'
import { firstLines, type GateResult } from './gate.js'

/** What a run may lose against its baseline. */
export interface BaselineLimits {
  /** The most that a task may lose, as a share, whether by chance or not. */
  maxLoss: number
  /** What becomes of it when a loss can be neither found nor ruled out. */
  undecided: 'pass' | 'fail'
}

/** One task of one system against the baseline. `open`: a loss beyond the limit can be neither found nor ruled out. */
export interface BaselineCheck {
  name: string
  state: 'held' | 'open' | 'lost'
  failed: boolean
  message: string
}

export interface BaselineGate extends GateResult {
  checks: BaselineCheck[]
}

/**
 * Decides `--baseline`: a task that is worse by test fails, and so does one that lost more than it may, be it by chance. What is undecided is
 * told, and fails where that is asked for. A run that is not valid cannot stand.
 */
export function evaluateBaseline(compared: ComparedSystems, status: RunStatus, limits: BaselineLimits): BaselineGate {
  const checks = compared.comparisons.flatMap(({ b, tasks }) =>
    tasks.map((task) => checkOf(task, contestantWords(b), limits)),
  )
  const against = [...new Set(compared.comparisons.map(({ a }) => a.run))].join(', ')
  const lost = checks.filter(({ state }) => state === 'lost')
  const open = checks.filter(({ state }) => state === 'open')
  const failing = checks.filter(({ failed }) => failed)
  const unsure = open.length > 0 ? `; cannot tell in ${count(open.length)}` : ''
  const left = compared.comparisons.flatMap(({ leftOut }) => leftOut)
  const told = [...lost, ...open].map(({ message }) => message)
  const message = firstLines([...told, ...left, ...compared.alone])
  const end = (ok: boolean, title: string, words: string): BaselineGate => {
    return { ok, status: ok ? 'passed' : 'failed', title, message: words, checks }
  }
  if (status !== 'valid')
    return end(
      false,
      `Baseline failed: the run is ${status}`,
      `A run that is ${status} cannot be held against another.`,
    )
  if (checks.length === 0) return end(false, 'Baseline failed: nothing could be compared', message)
  const tasks = plural(checks.length, 'task')
  if (failing.length > 0)
    return end(false, `Baseline failed: ${count(failing.length)} of ${tasks} against ${against}${unsure}`, message)
  const held = `No task is worse, none lost more than ${signedPoints(limits.maxLoss).slice(1)} points.`
  return end(
    true,
    `Baseline held: ${tasks} against ${against}${unsure}`,
    firstLines([held, ...told, ...left, ...compared.alone]),
  )
}

function checkOf(task: TaskComparison, who: string, { maxLoss, undecided }: BaselineLimits): BaselineCheck {
  const depth = task.depths[1] === 'all' ? '' : `@${depthKey(task.depths[1])}`
  const name = `${task.suite}/${task.task}:${who}${depth}`
  const numbers = `${task.measure} ${percent(task.a)} → ${percent(task.b)}, ${signedPoints(task.difference)} points (${pointsRange(task.ci95)})`
  const isBeyond = task.difference < -maxLoss - 1e-9
  if (task.verdict === 'worse') return { name, state: 'lost', failed: true, message: `${name}: worse: ${numbers}` }
  if (isBeyond) {
    const why = `lost more than ${signedPoints(maxLoss).slice(1)} points, which may be chance`
    return { name, state: 'lost', failed: true, message: `${name}: ${why}: ${numbers}` }
  }
  const isOpen = task.verdict === 'undecided' && task.ci95[0] < -maxLoss
  const state = isOpen ? 'open' : 'held'
  const failed = isOpen && undecided === 'fail'
  return { name, state, failed, message: `${name}: ${verdictWords(task)}: ${numbers}` }
}
