import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../base/errors.js'
import { Budget } from './budget.js'
import { estimateCost } from './cost-estimate.js'
import { priceTable } from './prices.js'
import { boundRequestTokens, countRequestTokens } from './prompt-tokens.js'

const usage = (input: number, output: number, cachedInput = 0) => ({ input, cachedInput, output, reasoning: 0 })

describe('prices', () => {
  const prices = priceTable()

  it('are found by model, whatever the provider, date, vendor or dots', () => {
    const same = [
      'openai:gpt-5-mini',
      'openai:gpt-5-mini-2025-08-07',
      'openrouter:openai/gpt-5-mini',
      'openai-compatible:gpt-5-mini',
    ]
    for (const spec of same) expect(prices.find(spec)?.input, spec).toBe(0.25)
    expect(prices.find('anthropic:claude-haiku-4-5-20251001')).toBe(
      prices.find('openrouter:anthropic/claude-haiku-4.5'),
    )
    expect(prices.find('google:gemini-3.1-pro-preview')?.output).toBe(12)
    expect(prices.find('openai:gpt-4.1-nano')?.input).toBe(0.1)
    expect(prices.find('openai:text-embedding-3-small')?.dimensions).toBe(1536)
  })

  it('are there for the models that the papers name, with their sources', () => {
    const priced = {
      'openai:gpt-5.2-2025-12-11': [1.75, 14],
      'anthropic:claude-sonnet-4-20250514': [3, 15],
      'anthropic:claude-sonnet-4-5-20250929': [3, 15],
      'google:gemini-3-pro-preview': [2, 12],
      'openai:gpt-4o': [2.5, 10],
      'openai:gpt-4o-mini': [0.15, 0.6],
      'openai:gpt-4.1': [2, 8],
      'openai:gpt-4.1-mini': [0.4, 1.6],
      'openai:gpt-5': [1.25, 10],
      'openai:gpt-5-mini+low': [0.25, 2],
      'openai:gpt-5.4-mini': [0.75, 4.5],
      'anthropic:claude-haiku-4-5': [1, 5],
      'anthropic:claude-sonnet-4-6': [3, 15],
      'anthropic:claude-opus-4-7': [5, 25],
      'google:gemini-2.5-flash': [0.3, 2.5],
      'google:gemini-3.1-pro-preview': [2, 12],
      'openrouter:z-ai/glm-5.1': [1.4, 4.4],
      'openai:text-embedding-3-small': [0.02, 0],
      'openrouter:qwen/qwen3-32b': [0.29, 0.59],
    }
    for (const [spec, [input, output]] of Object.entries(priced)) {
      expect(prices.find(spec), spec).toMatchObject({
        input,
        output,
        source: expect.stringMatching(/\w\.\w|OpenAI|Google/),
      })
    }
    expect(prices.updated).toMatch(/^20\d\d-\d\d-\d\d$/)
  })

  it('tell what is read from and written to caches, and long prompts, apart', () => {
    const written = { ...usage(1_000_000, 0, 100_000), cacheWrite: 400_000 }
    expect(prices.cost('anthropic:claude-haiku-4-5', written)).toBeCloseTo(0.5 + 0.01 + 0.5)
    expect(prices.cost('openai:gpt-5-mini', usage(1_000_000, 0))).toBeCloseTo(0.25)
    expect(prices.cost('openai:gpt-5-mini', usage(1_000_000, 100_000, 400_000))).toBeCloseTo(0.15 + 0.01 + 0.2)
    expect(prices.cost('google:gemini-3.1-pro-preview', usage(300_000, 0))).toBeCloseTo(1.2)
  })

  it('that are not known make a cost that is not known, never nothing', () => {
    expect(prices.cost('ollama:qwen3', usage(10, 10))).toBeNull()
    const half = priceTable({ half: { input: 1, output: null } })
    expect(half.cost('lab:half', usage(10, 10))).toBeNull()
    const lines = [
      { role: 'judge', model: 'openai:gpt-5-mini', calls: 2, input: 1000, output: 10 },
      { role: 'answer', model: 'ollama:qwen3', calls: 1, input: 5, output: 5 },
    ] as const
    expect(estimateCost(lines, prices)).toMatchObject({ calls: 3, cost: null, unpriced: ['ollama:qwen3'] })
    expect(estimateCost(lines.slice(0, 1), prices).cost).toBeCloseTo(0.00054)
  })

  it('can be given by the user, as a file, and are checked', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'memscope-prices-')), 'prices.json')
    writeFileSync(file, '{ "ollama:qwen3": { "input": 0, "output": 0 }, "gpt-5-mini": { "input": 9, "output": 9 } }')
    const own = priceTable(file)
    expect(own.cost('ollama:qwen3', usage(10, 10))).toBe(0)
    expect(own.cost('openai:gpt-5-mini', usage(1e6, 0))).toBe(9)
    writeFileSync(file, '{ "x": { "input": "cheap" } }')
    expect(() => priceTable(file)).toThrow(UserError)
    expect(() => priceTable('/nowhere/prices.json')).toThrow(UserError)
  })
})

describe('token bounds', () => {
  it('by bytes are never below the count', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { minLength: 1, maxLength: 4 }), (texts) => {
        const request = { messages: texts.map((content) => ({ role: 'user' as const, content })) }
        expect(boundRequestTokens(request)).toBeGreaterThanOrEqual(countRequestTokens(request))
      }),
    )
  })
})

describe('Budget', () => {
  it('is never exceeded, whatever is set aside, paid, lost or given back, and in whatever order', async () => {
    const step = fc.record({
      most: fc.double({ min: 0, max: 3, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.constantFrom('settle', 'settle', 'release', 'forfeit'),
      ticks: fc.nat(4),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: 10, noNaN: true }),
        fc.array(step, { maxLength: 40 }),
        async (cap, steps) => {
          const budget = new Budget(cap)
          let paid = 0
          await Promise.all(
            steps.map(async ({ most, share, end, ticks }) => {
              const held = await budget.reserve(most, 'a call').catch(() => null)
              if (!held) return
              expect(budget.spent + budget.reserved).toBeLessThanOrEqual(cap + 1e-9)
              for (let i = 0; i < ticks; i++) await null
              if (end === 'settle') {
                paid += most * share
                held.settle(most * share)
              } else if (end === 'forfeit') {
                paid += most
                held.forfeit()
              } else held.release()
            }),
          )
          expect(paid).toBeLessThanOrEqual(cap + 1e-9)
          expect(budget.spent).toBeCloseTo(paid, 9)
          expect(budget.reserved).toBeCloseTo(0, 9)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('lets a call wait for money that others have set aside and may not need', async () => {
    const budget = new Budget(1)
    const first = await budget.reserve(0.8, 'first')
    let granted = false
    const second = budget.reserve(0.8, 'second').then((held) => {
      granted = true
      return held
    })
    await null
    expect(granted).toBe(false)
    first.settle(0.1)
    await second
    expect(granted).toBe(true)
  })

  it('refuses at once what would not fit even alone, and says what is left', async () => {
    const budget = new Budget(1)
    ;(await budget.reserve(0.5, 'before')).settle(0.5)
    await expect(budget.reserve(0.6, 'The call')).rejects.toMatchObject({ code: 'budget' })
    await expect(budget.reserve(0.6, 'The call')).rejects.toThrow(
      'up to $0.6000, but of the budget of $1.0000 $0.5000 is spent',
    )
  })
})
