import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import type { Question } from '../../model/index.js'
import { memfail } from '../../suites/memfail/index.js'
import { createLexicalJudge } from '../lexical/index.js'
import { addSent, expectedAnswer, type JudgeBill, judgeBill, type Protocol } from './bill.js'
import { countByLine } from './rehearsal.js'
import { verbatimCase } from './verbatim.js'

const release = join(import.meta.dirname, '../../../../shared/data/memfail')

async function billsOf(protocol: Protocol, data: string | undefined, k = 5): Promise<Record<string, JudgeBill>> {
  const options = { view: 'released' as const, seed: 42, size: data ? ('paper' as const) : 5, extra: {} }
  const { scenarios } = await memfail.load({ ...options, ...(data && { data }) })
  const lexical = createLexicalJudge()
  const bills: Record<string, JudgeBill> = {}
  for (const scenario of scenarios) {
    const bill = await judgeBill(verbatimCase(scenario, memfail, k), { protocol, lexical })
    bills[scenario.id.replace('memfail/', '')] = bill
  }
  return bills
}

const totalOf = (bills: Record<string, JudgeBill>, part: keyof JudgeBill) =>
  Object.values(bills).reduce((sum, bill) => addSent(sum, bill[part]), { calls: 0, promptTokens: 0, schemaTokens: 0 })

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

describe('the bill over the bundled corpus', () => {
  it('asks for no retrieval but in the protocol of the paper: other judges pay for stages once, whatever the k', async () => {
    const [at1, at5] = [await billsOf('llm', undefined, 1), await billsOf('llm', undefined, 5)]
    expect(totalOf(at1, 'stages')).toEqual(totalOf(at5, 'stages'))
    const [paper1, paper5] = [await billsOf('paper', undefined, 1), await billsOf('paper', undefined, 5)]
    expect(totalOf(paper5, 'stages').promptTokens).toBeGreaterThan(totalOf(paper1, 'stages').promptTokens)
  })
})

describe('tokens of a rehearsal', () => {
  it('are what the encoding gives, though lines are counted one by one', () => {
    for (const file of ['facts.txt', 'answers.txt', '../../../test/fixtures/judges/attacks.json', 'bill.test.ts']) {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8')
      expect(countByLine(text), file).toBe(countTokens(text, { disallowedSpecial: new Set() }))
    }
  })

  it('are for answers of the asked length', () => {
    const question = { gold: { kind: 'yes-no', answer: 'no', text: 'No — it is not raining.' } } as Question
    expect(countTokens(expectedAnswer(question, 150))).toBeCloseTo(150, -1)
    expect(expectedAnswer(question, 150)).toMatch(/^No — it is not raining\. I looked/)
  })
})
