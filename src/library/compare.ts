import type { ComparableRun } from '../analysis/comparable.js'
import { compareContestants } from '../analysis/compare-runs.js'
import { type ContestantPairs, pairRuns, pairSystems } from '../analysis/contestants.js'
import { UserError } from '../base/errors.js'
import type { Depth } from '../model/index.js'
import { comparisonHtml, comparisonJson, comparisonMarkdown, comparisonText } from '../report/comparison.js'
import { findComparable, readComparable } from './comparable-run.js'
import type { CompareOptions, CompareResult } from './compare-types.js'
import { hearControl, stoppable } from './control.js'
import { notesTo } from './kept-run.js'
import { checkOutputs, writeTo } from './publish.js'
import { requireComparable, requirePartWords } from './settings/parts.js'
import { depthFrom, listOf } from './settings/values.js'
import type { Control } from './types.js'

const USAGE = 'Usage: memscope compare <run> <run>…, or memscope compare <run> --systems a,b'

/** Two systems, or two versions of one, on the same questions. */
export async function compare(asked: CompareOptions, control: Control = {}): Promise<CompareResult> {
  checkOutputs(asked)
  const [names = [], systems = [], despite = []] = [asked.runs, asked.systems, asked.despite].map(listOf)
  requirePartWords(despite)
  const depth = depthFrom(asked, 'compared')
  requireEnough(names, systems)
  const told = hearControl(control)
  return stoppable(told, async () => {
    const runs: ComparableRun[] = []
    for (const run of names) {
      told.stopIfAsked(null)
      const found = await findComparable({ ...asked, run })
      runs.push(await readComparable(found, { ...asked, despite, note: notesTo(told) }))
    }
    const compared = compareRead(runs, systems, despite, depth)
    const { text } = asked
    if (text) await text.write(comparisonText(compared, { color: text.color ?? false, width: text.width ?? 100 }))
    await writeTo(asked.html, (write) => write(comparisonHtml(compared)))
    await writeTo(asked.md, (write) => write(comparisonMarkdown(compared)))
    await writeTo(asked.json, (write) => write(comparisonJson(compared)))
    return compared
  })
}

/** Compares runs that were read already: the first with each other one, or systems of one run. */
export function compareRead(
  [first, ...others]: readonly ComparableRun[],
  systems: readonly string[],
  despite: readonly string[],
  depth: Depth | null = null,
): CompareResult {
  const compared: CompareResult = { comparisons: [], alone: [] }
  const add = (other: ComparableRun, { pairs, alone }: ContestantPairs) => {
    compared.alone.push(...alone)
    for (const [a, b] of pairs) compared.comparisons.push(compareContestants([first!, a], [other, b], depth))
  }
  if (others.length === 0) {
    const [own, ...rivals] = systems
    for (const rival of rivals) add(first!, pairSystems([first!, own!], [first!, rival]))
  }
  for (const [i, other] of others.entries()) {
    requireComparable([first!.run, first!.setting], [other.run, other.setting], despite)
    add(
      other,
      systems.length > 0 ? pairSystems([first!, systems[0]!], [other, systems[i + 1]!]) : pairRuns(first!, other),
    )
  }
  return compared
}

/** Refuses a comparison of fewer than two. */
export function requireEnough(runs: readonly string[], systems: readonly string[]): void {
  if (runs.length === 0) throw new UserError('What is to be compared?', USAGE)
  if (runs.length === 1 && systems.length < 2)
    throw new UserError('One run has to be compared with another, or two of its systems with each other.', USAGE)
  if (new Set(systems).size < systems.length && runs.length === 1)
    throw new UserError('A system is named twice.', 'Within one run, name systems that differ.')
  if (runs.length > 1 && systems.length > 0 && systems.length !== runs.length)
    throw new UserError(
      `There are ${runs.length} runs and ${systems.length} systems.`,
      'Of several runs name one system each, in their order, or none.',
    )
}
