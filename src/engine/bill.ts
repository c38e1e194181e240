import { AsyncLocalStorage } from 'node:async_hooks'
import type { Llm, Spent } from '../model/index.js'
import { isFatal } from './fatal.js'

/** Tokens by role and what they cost; the cost is unknown once one price is. */
export interface Bill {
  tokens: Record<string, number>
  cost: number | null
}

const current = new AsyncLocalStorage<{ bill: Bill; fatal: unknown }>()

export function newBill(): Bill {
  return { tokens: {}, cost: 0 }
}

/**
 * Runs work; whatever metered models spend in it, however deep, goes on this bill. A call that failed in a way that ends the run does so
 * even if the system swallowed the error: what it did without the reply is no result.
 */
export async function billedTo<T>(bill: Bill, work: () => Promise<T>): Promise<T> {
  const tab = { bill, fatal: undefined as unknown }
  const result = await current.run(tab, work).catch((error: unknown) => {
    throw tab.fatal ?? error
  })
  if (tab.fatal !== undefined) throw tab.fatal
  return result
}

/** An equal share of a bill for each of several verdicts; nothing when no model was asked. */
export function shareOf(bill: Bill, among: number): { took?: Spent } {
  const tokens = Object.values(bill.tokens).reduce((sum, spent) => sum + spent, 0)
  if (among === 0 || (tokens === 0 && bill.cost === 0)) return {}
  return { took: { tokens: tokens / among, cost: bill.cost === null ? null : bill.cost / among } }
}

/** The same model, with everything it spends put on the bill of whoever called. Trials are kept apart in the cache. */
export function metered(llm: Llm, trial: number): Llm {
  return {
    model: llm.model,
    async generate(request, options) {
      const tab = current.getStore()
      const reply = await llm.generate(request, { trial, ...options }).catch((error: unknown) => {
        if (tab && isFatal(error)) tab.fatal ??= error
        throw error
      })
      if (tab) {
        const { bill } = tab
        bill.tokens[options.role] = (bill.tokens[options.role] ?? 0) + reply.usage.input + reply.usage.output
        bill.cost = bill.cost === null || reply.cost === null ? null : bill.cost + reply.cost
      }
      return reply
    },
  }
}
