import { describe, expect, it } from 'vitest'
import { atMost } from '../base/at-most.js'
import { UserError } from '../base/errors.js'
import { type Llm, LlmError } from '../model/index.js'
import { billedTo, metered, newBill } from './bill.js'
import { isFatal } from './fatal.js'

const spent = new LlmError('budget', 'The budget is spent.', '')
const broke: Llm = { model: 'broke', generate: () => Promise.reject(spent) }
const ask = () => metered(broke, 0).generate({ messages: [] }, { role: 'ingest' })

describe('isFatal', () => {
  it('is true of what ends a run, also inside an error that wraps it, and of nothing else', () => {
    const wrapped = new Error('storing failed', { cause: spent })
    expect([spent, wrapped, new UserError('full')].every(isFatal)).toBe(true)
    const results = [new LlmError('unparsable', '', ''), new LlmError('provider', '', ''), new Error('mine'), 'text']
    expect(results.some(isFatal)).toBe(false)
  })
})

describe('billedTo', () => {
  it('ends the run when the budget is spent, though the system swallows or renames the error', async () => {
    await expect(billedTo(newBill(), () => ask().then(String, () => 'went on without'))).rejects.toBe(spent)
    const renaming = () =>
      ask().then(String, () => {
        throw new Error('something else')
      })
    await expect(billedTo(newBill(), renaming)).rejects.toBe(spent)
  })
})

describe('atMost', () => {
  it('never runs more at a time, keeps the order, and goes on after failures', async () => {
    const working = atMost(2)
    const begun: number[] = []
    let running = 0
    let peak = 0
    const results = await Promise.allSettled(
      Array.from({ length: 7 }, (_, i) =>
        working(async () => {
          begun.push(i)
          peak = Math.max(peak, ++running)
          await new Promise((resume) => setTimeout(resume, 1))
          running--
          if (i % 3 === 0) throw new Error(String(i))
        }),
      ),
    )
    expect([peak, running]).toEqual([2, 0])
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3)
  })
})
