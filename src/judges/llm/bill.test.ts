import { readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { billsOf, totalOf } from '../../../test/judges/bills.js'
import type { Question } from '../../model/index.js'
import { expectedAnswer } from './bill.js'
import { countByLine } from './rehearsal.js'

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
