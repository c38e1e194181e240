import { afterEach, describe, expect, it, vi } from 'vitest'
import { hangsEnd } from '../../test/gateway/hangs.js'
import { ask, Harness, SPEC } from '../../test/gateway/harness.js'
import { Random } from '../base/random.js'
import type { Gateway } from './gateway.js'
import { type Prices, priceTable } from './price/prices.js'
import type { ScriptedOptions } from './scripted/index.js'

const running: Harness[] = []
const start = async (options: ScriptedOptions) => {
  const harness = await Harness.start(options)
  running.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

const PRICES = { [SPEC]: { input: 1000, output: 5000, maxOutput: 4000 } }
const billOf = (harness: Harness) => priceTable(PRICES).cost(SPEC, harness.model.stats.billed)!

describe('a budget', () => {
  it.each([
    ['without faults', {}],
    ['with faults of every kind', { rate: 0.3, seed: 5, slowMs: 5 }],
  ])('is never exceeded by 64 calls at a time of unforeseeable length, %s', async (_, faults) => {
    const random = new Random(7)
    const harness = await start({
      rules: [],
      otherwise: () => ({ text: 'ok', usage: { output: 1 + random.below(100) } }),
      latencyMs: 2,
      faults,
    })
    const budgetUsd = 12
    const clock = hangsEnd(harness.model)
    const gateway = harness.open({ prices: PRICES, budgetUsd, concurrency: 64, clock })
    const llm = gateway.llm(SPEC)
    const calls = Array.from({ length: 300 }, (_, i) =>
      llm.generate({ messages: ask(`call ${i}`), maxTokens: 100 }, { role: 'answer' }).then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    )
    const ends = await Promise.all(calls)
    expect(new Set(ends)).toEqual(new Set(['done', 'budget']))
    expect(billOf(harness)).toBeLessThanOrEqual(budgetUsd)
    const { budget, total, lines } = gateway.usage()
    expect(budget!.spent).toBeLessThanOrEqual(budgetUsd)
    expect(billOf(harness)).toBeLessThanOrEqual(budget!.spent + 1e-9)
    expect(total.paid.cost! + lines[0]!.unconfirmed).toBeCloseTo(budget!.spent, 6)
    // It is used, too: what is left is less than a call may cost.
    expect(budget!.spent).toBeGreaterThan(budgetUsd - 0.7)
  })

  it('is not touched by replies that were kept', async () => {
    const harness = await start({ rules: [], otherwise: 'ok' })
    const options = { prices: PRICES, budgetUsd: 0.6 }
    const request = { messages: ask('same'), maxTokens: 100 }
    const first = await harness.open(options).llm(SPEC).generate(request, { role: 'answer' })
    const again = harness.open({ ...options, budgetUsd: 0 })
    expect((await again.llm(SPEC).generate(request, { role: 'answer' })).cost).toBe(first.cost)
    expect(again.usage().budget).toEqual({ cap: 0, spent: 0 })
  })

  it('goes on from what earlier sittings have spent, one that was killed in a call included', async () => {
    const harness = await start({ rules: [], otherwise: 'ok', faults: { at: { 2: 'hang' } } })
    const options = { prices: PRICES, budgetUsd: 1, account: 'run 1' }
    const say = (gateway: Gateway, content: string) =>
      gateway.llm(SPEC).generate({ messages: ask(content), maxTokens: 100 }, { role: 'answer' })
    const killed = harness.open(options)
    const first = await say(killed, 'first')
    void say(killed, 'hangs').catch(() => {})
    await vi.waitUntil(() => harness.model.stats.calls === 2, { timeout: 60_000 })
    // As if the process ended here: nothing of the second call was ever settled.
    const resumed = harness.open(options)
    expect(resumed.usage().budget!.spent).toBeGreaterThan(first.cost! + 0.5)
    expect((await say(resumed, 'first')).cached).toBe(true)
    await expect(say(resumed, 'third')).rejects.toMatchObject({ code: 'budget' })
    const other = harness.open({ ...options, account: 'run 2' })
    expect((await say(other, 'fourth')).text).toBe('ok')
    expect(other.usage().budget!.spent).toBeCloseTo(other.usage().total.paid.cost!, 12)
    const again = harness.open({ ...options, account: 'run 2' })
    expect(again.usage().budget!.spent).toBeCloseTo(other.usage().budget!.spent, 12)
  })

  it('cannot be kept without a price or a bound for the reply, and says which', async () => {
    const harness = await start({ rules: [], otherwise: 'ok' })
    const say = async (prices: Prices) =>
      harness
        .open({ prices, budgetUsd: 5 })
        .llm(SPEC)
        .generate({ messages: ask('hi') }, { role: 'answer' })
    await expect(say({})).rejects.toThrow('price must be known')
    await expect(say({ [SPEC]: { input: 1, output: 1 } })).rejects.toThrow('how long replies')
    await expect(say(PRICES)).rejects.toThrow('may cost up to $20')
    const embedder = harness.open({ prices: {}, budgetUsd: 5 }).embedder(SPEC, { dimensions: 4 })
    await expect(embedder).rejects.toThrow('price must be known')
    expect(harness.model.stats.calls).toBe(0)
  })
})
