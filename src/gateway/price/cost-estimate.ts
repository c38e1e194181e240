import { addUsage, type LlmRole, type LlmUsage, NO_USAGE } from '../../model/index.js'
import type { PriceTable } from './prices.js'

/** Calls that are planned, all alike. */
export interface PlannedCalls {
  role: LlmRole
  model: string
  calls: number
  /** Tokens of one call. */
  input: number
  output: number
  /** Of `input`, what the provider will have cached. */
  cachedInput?: number
  /** They go out in batches. */
  batched?: boolean
}

export interface Estimate {
  lines: { role: LlmRole; model: string; calls: number; usage: LlmUsage; cost: number | null }[]
  calls: number
  usage: LlmUsage
  /** In USD; null when the price of one model is not known. */
  cost: number | null
  /** Models whose price is not known. */
  unpriced: string[]
}

/** What providers charge for calls in batches. */
export const BATCH_SHARE = 0.5

/** What planned calls would use and cost. */
export function estimateCost(planned: readonly PlannedCalls[], prices: PriceTable): Estimate {
  const lines = planned.map(({ role, model, calls, input, output, cachedInput = 0, batched = false }) => {
    const one = { input, cachedInput, output, reasoning: 0 }
    const cost = prices.cost(model, one)
    const usage = { input: input * calls, cachedInput: cachedInput * calls, output: output * calls, reasoning: 0 }
    return { role, model, calls, usage, cost: cost === null ? null : cost * calls * (batched ? BATCH_SHARE : 1) }
  })
  return {
    lines,
    calls: lines.reduce((sum, { calls }) => sum + calls, 0),
    usage: lines.reduce((sum, { usage }) => addUsage(sum, usage), { ...NO_USAGE }),
    cost: lines.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0),
    unpriced: [...new Set(lines.filter(({ cost }) => cost === null).map(({ model }) => model))],
  }
}
