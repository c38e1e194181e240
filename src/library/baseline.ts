import type { ComparableRun } from '../analysis/comparable.js'
import { compareContestants } from '../analysis/compare-runs.js'
import { pairRuns } from '../analysis/contestants.js'
import { UserError } from '../base/errors.js'
import { requireComparable, requirePartWords } from '../engine/setting-parts.js'
import type { RunStatus } from '../model/index.js'
import { type BaselineGate, type BaselineLimits, evaluateBaseline } from '../report/baseline-gate.js'
import { type ComparableSource, fileOfBaseline, findComparable, headOf, readComparable } from './comparable-run.js'
import type { BaselineOptions, CompareResult } from './compare-types.js'
import { listOf } from './request.js'
import type { HomeOptions, KeptRunOptions } from './types.js'

/** A baseline that was found, before its results are read. */
export interface FoundBaseline extends BaselineLimits {
  source: ComparableSource
  setting: Record<string, string>
  despite: readonly string[]
}

/** Points that a task may lose unless told otherwise. */
const MAX_LOSS = 5

/**
 * Finds a baseline before anything is run, for whoever has none should hear it then; null when none was asked for.
 *
 * @throws UserError when there is none, or it holds nothing that a run could be held against
 */
export async function findBaseline(asked: BaselineOptions & HomeOptions): Promise<FoundBaseline | null> {
  const { baseline, maxLoss = MAX_LOSS, undecided = 'pass', home, saveBaseline } = asked
  if (saveBaseline !== undefined) fileOfBaseline(saveBaseline, home)
  const despite = listOf(asked.despite) ?? []
  if (baseline === undefined) {
    const lonely = (['maxLoss', 'undecided', 'despite'] as const).find((option) => asked[option] !== undefined)
    if (lonely === undefined) return null
    const flag = lonely === 'maxLoss' ? 'max-loss' : lonely
    throw new UserError(`--${flag} says something of --baseline, which is missing.`, 'Name a run: --baseline <run>')
  }
  requirePartWords(despite)
  const loss = Number(maxLoss)
  if (String(maxLoss).trim() === '' || !(loss >= 0 && loss <= 100))
    throw new UserError(`Expected --max-loss to be points from 0 to 100, got "${maxLoss}".`)
  if (undecided !== 'pass' && undecided !== 'fail')
    throw new UserError(`Expected --undecided pass or fail, got "${undecided}".`)
  const source = await findComparable({ ...asked, run: baseline })
  const { setting, status } = await headOf(source, asked)
  if (status !== 'valid')
    throw new UserError(
      `The baseline ${baseline} is a run that is ${status}.`,
      'Take one that is valid, or go on with it.',
    )
  return { source, setting, despite, maxLoss: loss / 100, undecided }
}

/** Refuses a baseline of another setting, and the run itself. */
export function requireBaseline(
  { source, setting, despite }: FoundBaseline,
  plan: { settingParts: Record<string, string> },
  run?: string,
): void {
  if ('run' in source && source.run === run)
    throw new UserError(`The run ${run} would be its own baseline.`, 'Name another; memscope runs lists them.')
  const name = 'run' in source ? `The baseline ${source.run}` : `The baseline ${source.file}`
  requireComparable([name, setting], ['this run', plan.settingParts], despite)
}

/** Holds a run against its baseline, system by system. */
export async function againstBaseline(
  found: FoundBaseline,
  now: ComparableRun,
  status: RunStatus,
  options: Omit<KeptRunOptions, 'run'>,
): Promise<CompareResult & { gate: BaselineGate }> {
  const before = await readComparable(found.source, { ...options, despite: found.despite })
  const { pairs, alone } = pairRuns(before, now)
  const comparisons = pairs.map(([a, b]) => compareContestants([before, a], [now, b]))
  return { comparisons, alone, gate: evaluateBaseline({ comparisons, alone }, status, found) }
}
