import { afterAll, describe, expect, it } from 'vitest'
import { actingModel, SPEC } from '../bench/llm-model.js'
import { type Rule, ScriptedModel } from '../src/gateway/index.js'
import { countRequestTokens } from '../src/gateway/price/prompt-tokens.js'
import { Stage } from './llm.js'

const SUITES = {
  memfail: ['--suite', 'memfail', '--size', '6'],
  memora: ['--suite', 'memora', '--days', '7', '--size', '1', '--limit', '3'],
  meme: ['--suite', 'meme', '--size', '2', '--filler', '8k'],
}

const SYSTEMS = {
  bm25: ['--system', 'bm25'],
  'full-context': ['--system', 'full-context'],
  digest: ['--system', 'digest'],
  'md-flat': ['--system', 'md-flat', '--model', 'rehearsal:demo'],
}

/** A judge that finds every criterion met. */
const criteria: Rule = {
  when: { text: /each of the criteria 1 to (\d+)\./ },
  reply: ({ groups: [, last] }) => ({
    json: {
      verdicts: Array.from({ length: Number(last) }, (_, i) => ({ id: i + 1, reason: 'It says so.', answer: 'yes' })),
    },
  }),
}

const stages: Stage[] = []

afterAll(() => Promise.all(stages.map(({ server }) => server.close())))

/** Calls and tokens of a line of an estimate, from the least to the most. */
function told(text: string, who: string): { calls: number[]; input: number[] } {
  const line = new RegExp(`^${who}: (.*) calls, (.*) tokens in, `, 'm').exec(text)
  const span = (words: string | undefined) => (words?.match(/[\d,]+/g) ?? []).map((n) => Number(n.replaceAll(',', '')))
  return { calls: span(line?.[1]), input: span(line?.[2]) }
}

/** What really came, by role. */
function asked({ model }: Stage): Record<'answer' | 'judge', { calls: number; input: number }> {
  const sums = { answer: { calls: 0, input: 0 }, judge: { calls: 0, input: 0 } }
  for (const { request } of model.requests) {
    if (!('messages' in request)) continue
    const sum = sums[request.format ? 'judge' : 'answer']
    sum.calls++
    sum.input += countRequestTokens(request)
  }
  return sums
}

describe('an estimate is what the run then asks, within a tenth', () => {
  // Every suite with what is dear in it, and every kind of system.
  const cases = [
    ['memfail', 'bm25'],
    ['memfail', 'md-flat'],
    ['memora', 'full-context'],
    ['memora', 'digest'],
    ['meme', 'full-context'],
    ['meme', 'bm25'],
  ] as const
  it.each(cases)(
    '%s with %s',
    async (suite, system) => {
      const stage = await Stage.open(new ScriptedModel({ rules: [criteria, ...actingModel().options.rules] }))
      stages.push(stage)
      const what = [
        ...SUITES[suite],
        ...SYSTEMS[system],
        ...['--reader', SPEC, '--judge', `llm:${SPEC}`, '--prices', stage.prices],
      ]
      const { out, code } = await stage.play(['run', ...what, '--estimate'])
      expect(code).toBe(0)
      expect(stage.model.requests).toEqual([])
      const { code: ended } = await stage.play(['run', ...what, '--quiet'])
      expect(ended).toBe(0)
      const real = asked(stage)
      for (const [who, role] of [
        ['Readers', 'answer'],
        ['Judges', 'judge'],
      ] as const) {
        const { calls, input } = told(out, who)
        expect(real[role].calls).toBeGreaterThanOrEqual(0.9 * Math.min(...calls))
        expect(real[role].calls).toBeLessThanOrEqual(1.1 * Math.max(...calls))
        expect(real[role].input).toBeGreaterThanOrEqual(0.9 * Math.min(...input))
        expect(real[role].input).toBeLessThanOrEqual(1.1 * Math.max(...input))
      }
    },
    300_000,
  )
})
