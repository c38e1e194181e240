import { entryOf } from '../../base/group-by.js'
import { addUsage, type LlmRole, type LlmUsage, NO_USAGE } from '../../model/index.js'
import type { Budget } from './budget.js'

/** Calls, tokens and money. `cost` is null as soon as the price of one of the calls is not known. */
export interface Tally {
  calls: number
  usage: LlmUsage
  cost: number | null
}

/** What one model did in one role. The tally itself is as if nothing had been cached; `paid` is what really went out. */
export interface UsageLine extends Tally {
  role: LlmRole
  model: string
  paid: Tally
  /** USD of tries that brought no reply but may be on the bill, at most. */
  unconfirmed: number
  retries: number
  /** Unusable replies that were sent back or asked for anew. */
  repairs: number
  errors: number
}

export interface UsageReport {
  /** By role and model, in a fixed order. */
  lines: UsageLine[]
  total: Tally & { paid: Tally }
  budget: { cap: number; spent: number } | null
}

/** Keeps count of all traffic by role and model. */
export class Meter {
  readonly #lines = new Map<string, UsageLine>()

  line(role: LlmRole, model: string): UsageLine {
    const counts = { unconfirmed: 0, retries: 0, repairs: 0, errors: 0 }
    const fresh = () => ({ role, model, ...emptyTally(), paid: emptyTally(), ...counts })
    return entryOf(this.#lines, `${role} ${model}`, fresh)
  }

  report(budget: Pick<Budget, 'cap' | 'spent'> | null): UsageReport {
    const lines = [...this.#lines.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, line]) => structuredClone(line))
    const total = { ...emptyTally(), paid: emptyTally() }
    for (const line of lines) {
      addTo(total, line)
      addTo(total.paid, line.paid)
    }
    return { lines, total, budget: budget && { cap: budget.cap, spent: budget.spent } }
  }
}

/** Adds a call to a tally. */
export function addTo(
  tally: Tally,
  { calls = 1, usage, cost }: { calls?: number; usage: LlmUsage; cost: number | null },
): void {
  tally.calls += calls
  tally.usage = addUsage(tally.usage, usage)
  tally.cost = tally.cost === null || cost === null ? null : tally.cost + cost
}

function emptyTally(): Tally {
  return { calls: 0, usage: { ...NO_USAGE }, cost: 0 }
}
