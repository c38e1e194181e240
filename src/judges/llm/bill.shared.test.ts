import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { billsOf, totalOf } from '../../../test/judges/bills.js'

const release = join(import.meta.dirname, '../../../../shared/data/memfail')

describe.skipIf(!existsSync(release))('the bill over the published data (skipped when ../shared is absent)', () => {
  it('of the protocol of the paper has its calls, and its tokens within 5 %', async () => {
    const bills = await billsOf('paper', release)
    expect(Object.fromEntries(Object.entries(bills).map(([task, { total }]) => [task, total.calls]))).toEqual({
      'conditional-easy': 400,
      'conditional-hard': 400,
      coexisting: 1120,
      persona: 61,
      'long-hop': 822,
    })
    const { calls, promptTokens: tokens } = totalOf(bills, 'total')
    expect(calls).toBe(2803)
    expect(Math.abs(tokens / 13_003_111 - 1)).toBeLessThan(0.05)
  })

  it('of a model is at most 0.6 M tokens', async () => {
    expect(totalOf(await billsOf('llm', release), 'total').promptTokens).toBeLessThanOrEqual(600_000)
  })

  it('of rules with a model for the rest is at most 0.12 M tokens, 0.02 M of them for the stages', async () => {
    const bills = await billsOf('hybrid', release)
    expect(totalOf(bills, 'total').promptTokens).toBeLessThanOrEqual(120_000)
    expect(totalOf(bills, 'stages').promptTokens).toBeLessThanOrEqual(20_000)
    expect(totalOf(bills, 'answers').promptTokens).toBeGreaterThan(0)
  })
})
