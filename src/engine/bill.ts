import { AsyncLocalStorage } from 'node:async_hooks'
import { type Llm, LlmError, type MemorySystem, type Spent } from '../model/index.js'
import { isFatal } from './fatal.js'
import { withMethods } from './with-methods.js'

/** Tokens by role and what they cost; the cost is unknown once one price is. Repairs of unusable replies are told apart. */
export interface Bill {
  tokens: Record<string, number>
  cost: number | null
  /** Absent when there were none. */
  repairs?: Spent
}

/** What whoever works at the moment spends. `kept`: a reply came from the cache or a cassette, so that its time says nothing. */
interface Tab {
  bill: Bill
  fatal: unknown
  kept: boolean
}

const current = new AsyncLocalStorage<Tab>()

/** A bill on which nothing stands yet. */
export function newBill(): Bill {
  return { tokens: {}, cost: 0 }
}

/**
 * Runs work; whatever metered models spend in it, however deep, goes on this bill. A call that failed in a way that ends the run does so
 * even if the system swallowed the error: what it did without the reply is no result.
 */
export async function billedTo<T>(bill: Bill, work: () => Promise<T>): Promise<T> {
  return (await runBilled(bill, work)).result
}

/** Runs work on a bill, and times it; null when a reply came from the cache. */
export async function runBilled<T>(bill: Bill, work: () => Promise<T>): Promise<{ result: T; ms: number | null }> {
  const tab: Tab = { bill, fatal: undefined, kept: false }
  const started = performance.now()
  const result = await current.run(tab, work).catch((error: unknown) => {
    throw tab.fatal ?? error
  })
  if (tab.fatal !== undefined) throw tab.fatal
  return { result, ms: tab.kept ? null : roundedMs(performance.now() - started) }
}

/** Milliseconds as they are kept: to the hundredth. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 100) / 100
}

/** An equal share of a bill for each of several verdicts; nothing when no model was asked. */
function shareOf({ tokens, cost, repairs }: Bill, among: number): { took?: Spent; repairs?: Spent } {
  if (among === 0) return {}
  const share = (spent: Spent): Spent => ({
    tokens: spent.tokens / among,
    cost: spent.cost === null ? null : spent.cost / among,
  })
  const took = { tokens: Object.values(tokens).reduce((sum, spent) => sum + spent, 0), cost }
  return {
    ...((took.tokens > 0 || took.cost !== 0) && { took: share(took) }),
    ...(repairs && { repairs: share(repairs) }),
  }
}

/** Runs judging work; `tookEach(n)` is the share of each of n verdicts. */
export async function billShared<T>(work: () => Promise<T>) {
  const bill = newBill()
  const { result, ms } = await runBilled(bill, work)
  return { result, tookEach: (among: number) => ({ ...shareOf(bill, among), ...(ms !== null && { ms }) }) }
}

/** The same model, with everything it spends put on the bill of whoever called. Trials are kept apart in the cache. */
export function metered(llm: Llm, trial: number): Llm {
  return {
    model: llm.model,
    async generate(request, options) {
      const tab = current.getStore()
      const reply = await llm.generate(request, { trial, ...options }).catch((error: unknown) => {
        if (tab && isFatal(error)) tab.fatal ??= error
        if (tab && error instanceof LlmError) addRepairs(tab.bill, error.took)
        throw error
      })
      if (tab) {
        const { bill } = tab
        tab.kept ||= reply.cached
        bill.tokens[options.role] = (bill.tokens[options.role] ?? 0) + reply.usage.input + reply.usage.output
        bill.cost = sumOf(bill.cost, reply.cost)
        addRepairs(bill, reply.repairsTook)
      }
      return reply
    },
  }
}

/** The same memory, of which nobody knows what its calls took: it was run elsewhere. */
export function unmetered(system: MemorySystem): MemorySystem {
  return withMethods(system, (_, work) => (...given) => {
    const tab = current.getStore()
    if (tab) {
      tab.kept = true
      tab.bill.cost = null
    }
    return work(...given)
  })
}

function addRepairs(bill: Bill, took: Spent | undefined): void {
  if (!took) return
  const { tokens, cost } = bill.repairs ?? { tokens: 0, cost: 0 }
  bill.repairs = { tokens: tokens + took.tokens, cost: sumOf(cost, took.cost) }
}

/** Prices are told in parts of a dollar that are no smaller. Sums of whole ones are the same in whatever order replies come. */
const GRAINS = 1e12

function sumOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.round((a + b) * GRAINS) / GRAINS
}
