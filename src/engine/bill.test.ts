import { describe, expect, it } from 'vitest'
import { type Llm, LlmError, NO_USAGE } from '../model/index.js'
import { billedTo, billShared, metered, newBill } from './bill.js'

const llm = (cost: number | null): Llm => ({
  model: 'm',
  generate: async () => ({
    text: '',
    object: undefined as never,
    toolCalls: [],
    finish: 'stop',
    usage: { ...NO_USAGE, input: 80, output: 20 },
    cost,
    cached: true,
    repairs: 0,
  }),
})

describe('the share of a verdict', () => {
  it('is equal for all that came of the same calls, and costs what is not cached', async () => {
    const judge = metered(llm(0.4), 0)
    const { tookEach } = await billShared(async () => {
      await judge.generate({ messages: [] }, { role: 'judge' })
      await judge.generate({ messages: [] }, { role: 'judge' })
    })
    expect(tookEach(4)).toEqual({ took: { tokens: 50, cost: 0.2 } })
  })

  it('leaves out what repairs took, which has a share of its own, also when no reply could be used', async () => {
    const repaired: Llm = {
      model: 'm',
      generate: async (request, options) => {
        if (options.label === 'spoilt') throw new LlmError('unparsable', '', '', undefined, { tokens: 30, cost: 0.3 })
        return { ...(await llm(0.4).generate(request, options)), repairsTook: { tokens: 10, cost: 0.1 } }
      },
    }
    const { tookEach } = await billShared(async () => {
      await metered(repaired, 0).generate({ messages: [] }, { role: 'judge' })
      await metered(repaired, 0)
        .generate({ messages: [] }, { role: 'judge', label: 'spoilt' })
        .catch(() => 0)
    })
    expect(tookEach(2)).toEqual({ took: { tokens: 50, cost: 0.2 }, repairs: { tokens: 20, cost: 0.2 } })
  })

  it('is the same in whatever order replies come', async () => {
    const costs = [0.1, 0.2, 0.3, 0.0000007, 0.000001]
    const sums = [costs, [...costs].reverse(), [0.3, 0.000001, 0.1, 0.0000007, 0.2]].map(async (order) => {
      const bill = newBill()
      for (const cost of order)
        await billedTo(bill, () => metered(llm(cost), 0).generate({ messages: [] }, { role: 'ingest' }))
      return bill.cost
    })
    expect(new Set(await Promise.all(sums)).size).toBe(1)
  })

  it('has no price when one is not known, and is absent when no model was asked', async () => {
    const priceless = await billShared(() => metered(llm(null), 0).generate({ messages: [] }, { role: 'judge' }))
    expect(priceless.tookEach(2)).toEqual({ took: { tokens: 50, cost: null } })
    expect(priceless.tookEach(0)).toEqual({})
    const { tookEach } = await billShared(async () => {})
    expect(tookEach(2)).toEqual({ ms: expect.any(Number) })
  })
})
