import { describe, expect, it } from 'vitest'
import { honestReply } from '../../../bench/reading-model.js'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import { cohen } from '../../base/intervals.js'
import {
  type AnswerVerdict,
  type Fact,
  type FactLabel,
  type Judge,
  type Question,
  UnjudgedError,
} from '../../model/index.js'
import { runJudgeConformance } from '../conformance.js'
import { createLlmJudge } from '../llm/index.js'
import { agreementOf, ballotsOf, createPanel } from './index.js'

runJudgeConformance({
  name: 'panel',
  newJudge: () => createPanel(['a:1', 'b:2', 'c:3'].map((model) => createLlmJudge(fakeLlm(honestReply, model)))),
})

const fact: Fact = { id: 'f', text: 'x', sources: [], cues: { kind: 'statement', parts: [], explicit: true } }
const question: Question = {
  id: 'q',
  task: 't',
  text: '?',
  needs: [],
  outdated: [],
  gold: { kind: 'free', text: 'x' },
  tags: {},
}

/** A judge that always says the same; null: it gives no verdict. */
const saying = (name: string, label: FactLabel | null, grade: AnswerVerdict['grade'] = 'right'): Judge => ({
  name,
  key: name,
  judgeFacts: async (facts) => {
    if (label === null)
      throw new UnjudgedError(
        [],
        facts.map(({ id }) => ({ fact: id, reason: 'mute' })),
      )
    const support = label === 'not_stored' ? [] : [[`m-${name}`]]
    return facts.map(({ id }) => ({ fact: id, label, uncertain: false, support, reason: name, quotes: [] }))
  },
  judgeAnswer: async () => (grade === 'error' ? { grade, reason: name } : { grade, uncertain: false, reason: name }),
})

const labelled = async (...labels: (FactLabel | null)[]) =>
  (await createPanel(labels.map((label, i) => saying(`j${i}`, label))).judgeFacts([fact], [{ id: 'm', text: 'x' }]))[0]!

describe('a panel', () => {
  it('says what most of its judges say, on their support, and keeps all votes', async () => {
    const verdict = await labelled('correct', 'not_stored', 'correct')
    expect(verdict).toMatchObject({ label: 'correct', uncertain: false, support: [['m-j0'], ['m-j2']] })
    expect(verdict.votes).toEqual([
      { judge: 'j0', label: 'correct' },
      { judge: 'j1', label: 'not_stored' },
      { judge: 'j2', label: 'correct' },
    ])
  })

  it.each<[FactLabel[], FactLabel]>([
    [['correct', 'summary_error', 'not_stored'], 'summary_error'],
    [['correct', 'not_stored'], 'not_stored'],
    [['summary_error', 'correct'], 'summary_error'],
  ])('of equally many votes for %j takes %s, and is uncertain', async (labels, expected) => {
    expect(await labelled(...labels)).toMatchObject({ label: expected, uncertain: true })
  })

  it('does without a judge that gives no verdict, but not without half of them', async () => {
    expect(await labelled('correct', null, 'correct')).toMatchObject({ label: 'correct', votes: { length: 2 } })
    await expect(labelled('correct', null, null)).rejects.toMatchObject({
      failures: [{ fact: 'f', reason: 'Only 1 of 3 judges gave a verdict.' }],
    })
  })

  it('grades answers by majority; a tie is wrong and uncertain', async () => {
    const graded = (...grades: AnswerVerdict['grade'][]) =>
      createPanel(grades.map((grade, i) => saying(`j${i}`, 'correct', grade))).judgeAnswer(question, 'x')
    expect(await graded('right', 'wrong', 'right')).toMatchObject({ grade: 'right', uncertain: false })
    expect(await graded('right', 'wrong')).toMatchObject({ grade: 'wrong', uncertain: true })
    expect(await graded('error', 'error', 'right')).toMatchObject({ grade: 'error', votes: { length: 3 } })
  })

  it('decides criteria one by one over those who said yes or no; a tie, or the word of less than half, is no verdict', async () => {
    const criteria = ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      text: id,
      type: 'presence' as const,
      expected: 'yes' as const,
      facts: [],
    }))
    const asked: Question = { ...question, gold: { kind: 'criteria', criteria, text: '' } }
    const reading = (name: string, said: string): Judge => ({
      ...saying(name, 'correct'),
      judgeAnswer: async () => ({
        ...(/[yn]/.test(said) ? { grade: 'wrong', uncertain: false } : { grade: 'error' }),
        reason: name,
        criteria: [...said].map((sign, i) => ({
          id: criteria[i]!.id,
          answer: sign === 'y' ? 'yes' : sign === 'n' ? 'no' : null,
          ...(sign === '?' && { unclear: true as const }),
          uncertain: false,
          reason: name,
        })),
      }),
    })
    const panel = createPanel([
      reading('p', 'yyn?'),
      reading('q', 'yn?-'),
      reading('r', 'ny--'),
      saying('s', 'correct', 'error'),
    ])
    const verdict = await panel.judgeAnswer(asked, 'x')
    expect(verdict).toMatchObject({ grade: 'wrong', uncertain: true })
    const decided = verdict.grade === 'error' ? [] : verdict.criteria!
    expect(decided.map(({ answer }) => answer)).toEqual(['yes', 'yes', null, null])
    expect(decided[2]).toMatchObject({ reason: 'Only 1 of 4 judges said yes or no.' })
    expect(decided[2]!.votes!.map(({ answer }) => answer)).toEqual(['no', 'unclear', null, null])
    const agreed = agreementOf(ballotsOf(verdict))
    expect(agreed.pairs.find(({ judges }) => judges.join() === 'p,q')).toMatchObject({ n: 2, agreement: 0.5 })
    expect(agreed.patterns).toContainEqual({ labels: ['no', 'unclear', null, null], n: 1 })
    expect(agreed.patterns).toContainEqual({ labels: ['unclear', null, null, null], n: 1 })
    expect(agreed).toMatchObject({ n: 4, unanimous: 0 })
    const tied = await createPanel([reading('p', 'yyyy'), reading('q', 'nyyy')]).judgeAnswer(asked, 'x')
    expect(tied).toMatchObject({ criteria: [{ answer: null, votes: { length: 2 } }, {}, {}, {}] })
    const undecided = await createPanel([reading('p', 'yyyy'), reading('q', '????')]).judgeAnswer(asked, 'x')
    expect(undecided).toMatchObject({ criteria: [{ answer: 'yes', votes: [{}, { answer: 'unclear' }] }, {}, {}, {}] })
    const split = await createPanel([reading('p', 'yyyy'), reading('q', 'nnnn')]).judgeAnswer(asked, 'x')
    expect(split.grade).toBe('error')
    expect(agreementOf(ballotsOf(split))).toMatchObject({ n: 4, patterns: [{ labels: ['yes', 'no'], n: 4 }] })
  })

  it('needs two judges, and has a key of all of theirs', () => {
    expect(() => createPanel([saying('a', 'correct')])).toThrow(/two or more judges, got 1/)
    const pair = createPanel([saying('a', 'correct'), saying('b', 'correct')])
    expect(pair.key).not.toBe(createPanel([saying('a', 'correct'), saying('c', 'correct')]).key)
  })
})

describe('agreement between judges', () => {
  it("is Cohen's kappa for every pair", () => {
    // The textbook case: 20 and 15 times the same, 5 and 10 times not. Observed 0.7, chance 0.5.
    const pairs = [
      ...Array<[string, string]>(20).fill(['y', 'y']),
      ...Array<[string, string]>(5).fill(['y', 'n']),
      ...Array<[string, string]>(10).fill(['n', 'y']),
      ...Array<[string, string]>(15).fill(['n', 'n']),
    ]
    expect(cohen(pairs).agreement).toBeCloseTo(0.7)
    expect(cohen(pairs).kappa).toBeCloseTo(0.4)
    expect(cohen([['y', 'y']])).toEqual({ agreement: 1, kappa: null })
  })

  it('counts patterns, and leaves out of a pair what one of them did not judge', () => {
    const votes = (a: string | null, b: string, c: string) => [
      ...(a === null ? [] : [{ judge: 'a', label: a }]),
      { judge: 'b', label: b },
      { judge: 'c', label: c },
    ]
    const found = agreementOf([votes('x', 'x', 'x'), votes('x', 'x', 'x'), votes('x', 'y', 'x'), votes(null, 'y', 'y')])
    expect(found).toMatchObject({ judges: ['a', 'b', 'c'], n: 4, unanimous: 2 })
    expect(found.pairs.map(({ judges, n }) => [judges.join(), n])).toEqual([
      ['a,b', 3],
      ['a,c', 3],
      ['b,c', 4],
    ])
    expect(found.patterns[0]).toEqual({ labels: ['x', 'x', 'x'], n: 2 })
    expect(found.patterns).toHaveLength(3)
  })
})
