import { COST_STAGES, type CostRow, totalOf } from '../analysis/costs.js'
import { dollars } from '../base/figures.js'
import { depthMemories, depthTokens, type Spent } from '../model/index.js'
import { quantity } from './format.js'
import type { ReportData } from './report-data.js'
import { labeller, nearestDepth } from './task-view.js'

export { dollars } from '../base/figures.js'

/** A system's bill at one depth, with its name in this run. */
export interface CostLine extends CostRow {
  label: string
  total: Spent
}

/** What models took in one suite. */
export interface SuiteCosts {
  suite: string
  /** At the suite's own depth, or the nearest that was run. */
  shown: CostLine[]
  all: CostLine[]
}

/** Costs by suite, without suites in which no model was called. Yardsticks and systems stand in the order of the run. */
export function costsOf(data: ReportData): SuiteCosts[] {
  const label = labeller(data.summary.cells)
  const rows = (data.costs ?? []).map((row): CostLine => ({ ...row, label: label(row), total: totalOf(row) }))
  return [...new Set(rows.map(({ suite }) => suite))].flatMap((suite) => {
    const all = rows.filter((row) => row.suite === suite)
    if (all.every(({ stages }) => COST_STAGES.every((stage) => stages[stage].tokens === 0))) return []
    const wanted = data.tasks.find((task) => task.suite === suite)?.defaultK ?? 0
    const k = nearestDepth([...new Set(all.flatMap((row) => depthMemories(row.depth) ?? []))], wanted)
    const usual = all.filter(({ depth }) => depth === 'all' || depthMemories(depth) === k)
    // Budgets of tokens stand only for those that were asked at nothing else.
    const others = all.filter(
      (row) => depthTokens(row.depth) !== null && usual.every(({ label }) => label !== row.label),
    )
    return [{ suite, shown: [...usual, ...others], all }]
  })
}

/** Under which name the settings of a run tell the date of its prices. */
export const PRICES = 'prices'

/** On which prices costs rest, in a sentence; null where it was not kept. */
export function priceWords({ settings }: Pick<ReportData, 'settings'>): string | null {
  const date = settings.find(({ label }) => label === PRICES)?.value
  return date === undefined ? null : `USD by the price table of ${date}.`
}

/** Heads a row of costs: with the date of the prices, where that was kept. */
export function costHead({ settings }: Pick<ReportData, 'settings'>): string {
  const date = settings.find(({ label }) => label === PRICES)?.value
  return date === undefined ? 'cost' : `cost (${date})`
}

/** What repairs of unusable replies took in the whole run, in a sentence; null when there were none. */
export function repairWords({ summary: { timing } }: ReportData): string | null {
  const { repairTokens, repairCost } = timing
  if (repairTokens === undefined) return null
  const took = `${quantity(repairTokens)} tokens (${dollars(repairCost ?? null)}) besides, over the whole run`
  return `Replies that could not be used and were asked for again took ${took}; they are in no other number here.`
}

/** An average over questions, or memories. */
export function spentEach({ tokens, cost }: Spent, among: number): Spent {
  return among === 0 ? { tokens: 0, cost: 0 } : { tokens: tokens / among, cost: cost === null ? null : cost / among }
}
