import { AsyncLocalStorage } from 'node:async_hooks'
import type { Llm } from '../model/index.js'

/** Tokens by role and what they cost; the cost is unknown once one price is. */
export interface Bill {
  tokens: Record<string, number>
  cost: number | null
}

const current = new AsyncLocalStorage<Bill>()

export function newBill(): Bill {
  return { tokens: {}, cost: 0 }
}

/** Runs work; whatever metered models spend in it, however deep, goes on this bill. */
export function billedTo<T>(bill: Bill, work: () => Promise<T>): Promise<T> {
  return current.run(bill, work)
}

/** The same model, with everything it spends put on the bill of whoever called. Trials are kept apart in the cache. */
export function metered(llm: Llm, trial: number): Llm {
  return {
    model: llm.model,
    async generate(request, options) {
      const reply = await llm.generate(request, { trial, ...options })
      const bill = current.getStore()
      if (bill) {
        bill.tokens[options.role] = (bill.tokens[options.role] ?? 0) + reply.usage.input + reply.usage.output
        bill.cost = bill.cost === null || reply.cost === null ? null : bill.cost + reply.cost
      }
      return reply
    },
  }
}
