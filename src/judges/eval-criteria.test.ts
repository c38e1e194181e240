import { describe, expect, it } from 'vitest'
import type { Judge } from '../model/index.js'
import { type CriteriaEvaluation, evaluateCriteria } from './eval-criteria.js'
import { parseCriteria, readGoldFile } from './gold.js'
import { createLexicalJudge } from './lexical/index.js'

const CASE = {
  id: 'a1#1',
  task: 'remembering',
  question: 'What is left to do?',
  answer: 'Only the gate is left to be oiled.',
  criteria: [
    {
      id: 'p',
      question: 'Does the response mention the task: Oil the gate?',
      expected: 'yes',
      type: 'memory_presence',
      label: 'yes',
      borderline: false,
    },
  ],
}

describe('labelled criteria', () => {
  it('are compared by what a panel voted, where one judged', async () => {
    const { byVotes } = await evaluated(
      ['yes', ['yes', 'yes', 'yes']],
      ['yes', ['yes', 'no', 'yes']],
      ['no', ['no', 'yes', 'yes']],
    )
    expect(Object.entries(byVotes!).map(([votes, { n, accuracy }]) => [votes, n, accuracy])).toEqual([
      ['no 1, yes 2', 2, 0.5],
      ['yes 3', 1, 1],
    ])
  })

  it('are known by their shape', () => {
    expect(readGoldFile(JSON.stringify(CASE), 'gold.jsonl')).toMatchObject({
      kind: 'criteria',
      cases: [{ id: 'a1#1' }],
    })
  })

  it('name the line and field that cannot be used', () => {
    const wrong = { ...CASE, criteria: [{ ...CASE.criteria[0], label: 'perhaps' }] }
    expect(() => parseCriteria(`${JSON.stringify(CASE)}\n${JSON.stringify(wrong)}`, 'gold.jsonl')).toThrow(
      /gold\.jsonl:2: criteria\.0\.label/,
    )
  })

  it('are compared with the verdicts of a judge, borderline ones apart', async () => {
    const unsure = { ...CASE.criteria[0], id: 'q', label: 'no', borderline: true }
    const cases = parseCriteria(JSON.stringify({ ...CASE, criteria: [CASE.criteria[0], unsure] }), 'gold.jsonl')
    expect(await evaluateCriteria(createLexicalJudge(), cases)).toMatchObject({
      n: 1,
      accuracy: 1,
      byTask: { remembering: { n: 1 } },
      byType: { presence: { n: 1 } },
      withBorderline: { n: 2, accuracy: 0.5 },
    })
  })

  it('without a verdict are no agreement, and no vote either way', async () => {
    expect(await evaluated(['no', null])).toMatchObject({
      n: 1,
      accuracy: 0,
      unjudged: 1,
      confusion: { no: { no: 0, yes: 0 } },
    })
  })
})

/** How a panel that votes so, or gives no verdict, agrees with labels. */
function evaluated(...said: [label: 'yes' | 'no', votes: ('yes' | 'no')[] | null][]): Promise<CriteriaEvaluation> {
  const [criterion] = CASE.criteria
  const labelled = said.map(([label], i) => ({ ...criterion, id: `p${i}`, label }))
  const judge: Judge = {
    name: 'panel',
    key: 'panel',
    judgeFacts: async () => [],
    judgeAnswer: async () => ({
      grade: 'right',
      uncertain: false,
      reason: '',
      criteria: said.map(([, votes], i) => ({
        id: `p${i}`,
        answer: votes && (votes.filter((vote) => vote === 'yes').length > 1 ? 'yes' : 'no'),
        uncertain: votes === null,
        reason: '',
        ...(votes && { votes: votes.map((answer, at) => ({ judge: `j${at}`, answer })) }),
      })),
    }),
  }
  return evaluateCriteria(judge, parseCriteria(JSON.stringify({ ...CASE, criteria: labelled }), 'gold.jsonl'))
}
