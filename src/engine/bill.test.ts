import { describe, expect, it } from 'vitest'
import { type Llm, NO_USAGE } from '../model/index.js'
import { billedTo, metered, newBill, shareOf } from './bill.js'

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
    const bill = newBill()
    const judge = metered(llm(0.4), 0)
    await billedTo(bill, async () => {
      await judge.generate({ messages: [] }, { role: 'judge' })
      await judge.generate({ messages: [] }, { role: 'judge' })
    })
    expect(shareOf(bill, 4)).toEqual({ took: { tokens: 50, cost: 0.2 } })
  })

  it('has no price when one is not known, and is absent when no model was asked', async () => {
    const bill = newBill()
    await billedTo(bill, () => metered(llm(null), 0).generate({ messages: [] }, { role: 'judge' }))
    expect(shareOf(bill, 2)).toEqual({ took: { tokens: 50, cost: null } })
    expect(shareOf(newBill(), 2)).toEqual({})
    expect(shareOf(bill, 0)).toEqual({})
  })
})
