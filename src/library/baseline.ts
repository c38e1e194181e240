import type { ComparableRun } from '../analysis/comparable.js'
import { compareContestants } from '../analysis/compare-runs.js'
import { pairRuns } from '../analysis/contestants.js'
import { UserError } from '../base/errors.js'
import type { RunStatus } from '../model/index.js'
import { type BaselineGate, type BaselineLimits, evaluateBaseline } from '../report/baseline-gate.js'
import { type ComparableSource, fileOfBaseline, findComparable, headOf, readComparable } from './comparable-run.js'
import type { CompareResult } from './compare-types.js'
import { requireComparable, requirePartWords } from './settings/parts.js'
import { GATES } from './settings/results.js'
import type { HomeOptions, KeptRunOptions, RunOptions } from './types.js'

/** A baseline that was found, before its results are read. */
export interface FoundBaseline extends BaselineLimits {
  source: ComparableSource
  setting: Record<string, string>
  despite: readonly string[]
}

/**
 * Finds a baseline before anything is run, for whoever has none should hear it then; null when none was asked for.
 *
 * @throws UserError when there is none, or it holds nothing that a run could be held against
 */
export async function findBaseline(
  asked: Pick<RunOptions, 'baseline'> & HomeOptions & { saveBaseline?: string },
): Promise<FoundBaseline | null> {
  if (asked.saveBaseline !== undefined) fileOfBaseline(asked.saveBaseline, asked.home)
  if (asked.baseline === undefined) return null
  const { run, ...limits } = GATES.baseline.read(asked.baseline)
  requirePartWords(limits.despite)
  const source = await findComparable({ ...asked, run })
  const { setting, status } = await headOf(source, asked)
  if (status !== 'valid')
    throw new UserError(`The baseline ${run} is a run that is ${status}.`, 'Take one that is valid, or go on with it.')
  return { source, setting, ...limits }
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
  const allowing = (words: readonly string[]) => `--baseline <run>:despite=${words.join('+')}`
  requireComparable([name, setting], ['this run', plan.settingParts], despite, allowing)
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
