import { describe, expect, it } from 'vitest'
import { blocksOf, honestReply, itemsOf } from '../../../bench/reading-model.js'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import type { AnswerCase, Criterion } from '../../model/index.js'
import { createLlmJudge } from './index.js'

const criterion = (i: number, text: string, expected: 'yes' | 'no' = 'yes'): Criterion => ({
  id: `c${i}`,
  text,
  type: expected === 'yes' ? 'presence' : 'forgetting',
  expected,
  facts: [],
})
const asked = (criteria: Criterion[], answer: string, time?: string): AnswerCase => ({
  question: {
    id: 'q',
    task: 't',
    text: 'What shall I cook?',
    needs: [],
    outdated: [],
    gold: { kind: 'criteria', criteria, text: '' },
    tags: {},
  },
  answer,
  facts: [],
  ...(time !== undefined && { time }),
})
const two = [criterion(1, 'Does it name "leek"?'), criterion(2, 'Does it name "beef"?', 'no')]
const judged = async (reply: Parameters<typeof fakeLlm>[0], one: AnswerCase) => {
  const llm = fakeLlm(reply)
  const [verdict] = await createLlmJudge(llm).judgeAnswers!([one])
  return { llm, verdict: verdict! }
}

describe('criteria read by a model', () => {
  it('go into one call with question and date, and make the grade together', async () => {
    const { llm, verdict } = await judged(honestReply, asked(two, 'Leek soup.', '2025-03-04T10:00:00Z'))
    expect(verdict).toMatchObject({ grade: 'right', criteria: [{ answer: 'yes' }, { answer: 'no' }] })
    expect(llm.prompts).toHaveLength(1)
    expect(llm.prompts[0]).toMatch(/question: What shall I cook\?\n {2}asked: 2025-03-04T10:00:00Z/)
    expect((await judged(honestReply, asked(two, 'Leek and beef.'))).verdict).toMatchObject({ grade: 'wrong' })
  })

  it('are at most 30 a call', async () => {
    const many = Array.from({ length: 65 }, (_, i) => criterion(i, `Does it name "leek"? (${i})`))
    const { llm, verdict } = await judged(honestReply, asked(many, 'Leek.'))
    const sizes = llm.prompts.map((prompt) => itemsOf(blocksOf(prompt)[1]!).length)
    expect(sizes.sort((a, b) => b - a)).toEqual([30, 30, 5])
    expect(verdict).toMatchObject({ grade: 'right', criteria: { length: 65 } })
  })

  it('have no verdict, and never a no, where the model cannot tell or leaves one out for good', async () => {
    const reply = () => ({ verdicts: [{ id: 1, reason: 'both ways', answer: 'unclear' }] })
    const { llm, verdict } = await judged(reply, asked(two, 'Something with leek?'))
    expect(verdict).toMatchObject({ grade: 'error' })
    expect(llm.prompts.length).toBeGreaterThan(1)
    const half = (prompt: string) => ({
      verdicts: itemsOf(blocksOf(prompt)[1]!).map(({ number, text }) => ({
        id: number,
        reason: 'r',
        answer: text.includes('leek') ? 'yes' : 'unclear',
      })),
    })
    expect((await judged(half, asked(two, 'Leek.'))).verdict).toMatchObject({
      grade: 'wrong',
      uncertain: true,
      criteria: [{ answer: 'yes' }, { answer: null, unclear: true }],
    })
  })

  it('are an error only when nothing usable came at all', async () => {
    expect((await judged(() => 'no', asked(two, 'Leek.'))).verdict).toMatchObject({ grade: 'error' })
  })
})
