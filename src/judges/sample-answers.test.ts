import { describe, expect, it } from 'vitest'
import type { AnswerCase, Criterion, CriterionVerdict, Fact } from '../model/index.js'
import { evaluateAnswers } from './eval-answers.js'
import { evaluateCriteria } from './eval-criteria.js'
import { readGoldFile } from './gold.js'
import { createLexicalJudge } from './lexical/index.js'
import { answerStratum, blindAnswer, blindCriterion, criterionStratum } from './sample-answers.js'

const fact = (id: string): Fact => ({
  id,
  text: `${id} is said.`,
  sources: ['c1'],
  evidence: [`${id} is said.`],
  cues: {
    kind: 'state',
    stance: 'held',
    core: 'what',
    parts: [{ role: 'what', forms: [id] }],
    explicit: true,
    damaged: ['SECRET'],
  },
})

const one: AnswerCase = {
  question: {
    id: 'q',
    task: 'cascade',
    text: 'Where does Rosa live?',
    needs: [['new']],
    outdated: ['old'],
    tempting: ['other'],
    gold: { kind: 'current', value: 'Porto', old: ['Lisbon'], text: 'Porto' },
    tags: { filler: 'none' },
  },
  answer: 'She lives in Porto.',
  facts: [fact('new'), fact('old'), fact('other')],
  time: '2026-01-05',
}

const criteria: Criterion[] = ['Oil the gate', 'Mend the roof'].map((name, i) => ({
  id: `c${i}`,
  text: `Does the response mention the task: ${name}?`,
  type: i === 0 ? 'presence' : 'forgetting',
  expected: i === 0 ? 'yes' : 'no',
  facts: [],
  asks: { act: 'mention', forms: [name] },
}))

const said = (votes: ('yes' | 'no' | 'unclear' | null)[]): CriterionVerdict => ({
  id: 'c',
  answer: 'yes',
  uncertain: false,
  reason: '',
  votes: votes.map((answer, i) => ({ judge: `j${i}`, answer })),
})

describe('answers to be labelled', () => {
  it('hold all that a judge is given and no word of the grade, and are read back once labelled', async () => {
    const blind = blindAnswer('case-001', one)!
    expect(JSON.stringify(blind)).not.toMatch(/SECRET|"right"|"wrong"/)
    expect(() => readGoldFile(JSON.stringify(blind), 'cases.jsonl')).toThrow(
      'cases.jsonl:1: the answer has no label yet.',
    )
    const lines = ['right', 'wrong'].map((label, i) => JSON.stringify({ ...blind, id: `case-${i}`, label })).join('\n')
    const gold = readGoldFile(lines, 'cases.jsonl')
    if (gold.kind !== 'answers') throw new Error(gold.kind)
    const seen: AnswerCase[] = []
    const judge = createLexicalJudge()
    const { judgeAnswers: _, ...single } = judge
    const listening = {
      ...single,
      judgeAnswers: (items: readonly AnswerCase[]) => {
        seen.push(...items)
        return Promise.all(items.map(({ question, answer }) => judge.judgeAnswer(question, answer)))
      },
    }
    const found = await evaluateAnswers(listening, gold.cases)
    const { id: __, tags: ___, ...asked } = one.question
    expect(seen[0]!.question).toMatchObject(asked)
    expect(seen[0]!.facts[0]).toMatchObject({ id: 'new', cues: { stance: 'held', core: 'what' } })
    expect([found.n, found.accuracy, found.confusion.wrong.right]).toEqual([2, 0.5, 1])
    expect(Object.keys(found.byKind)).toEqual(['current'])
  })

  it('are told apart by grade, certainty, staleness and how many of a panel said what', () => {
    const votes = (['wrong', 'right', 'wrong'] as const).map((grade, i) => ({ judge: `j${i}`, grade }))
    expect(answerStratum({ grade: 'right', uncertain: false, reason: '' })).toBe('right · certain')
    expect(answerStratum({ grade: 'wrong', uncertain: true, reason: '', stale: true, votes })).toBe(
      'wrong · uncertain · stale · right 1, wrong 2',
    )
    expect(answerStratum({ grade: 'error', reason: '' })).toBeNull()
  })
})

describe('criteria to be labelled', () => {
  it('stand beside the others of their answer, which are judged with them and not labelled', async () => {
    const blind = blindCriterion(
      'case-001',
      { task: 't', text: 'What is left?', date: 'd' },
      'Oil the gate.',
      criteria,
      1,
    )
    expect(blind.criteria.map(({ id }) => id)).toEqual(['c1'])
    expect(() => readGoldFile(JSON.stringify(blind), 'x')).toThrow('x:1: the criterion c1 has no label yet.')
    const labelled = { ...blind, criteria: [{ ...blind.criteria[0], label: 'no' }] }
    const gold = readGoldFile(JSON.stringify(labelled), 'x')
    if (gold.kind !== 'criteria') throw new Error(gold.kind)
    const asked: Criterion[] = []
    const judge = createLexicalJudge()
    const found = await evaluateCriteria(
      {
        ...judge,
        judgeAnswer: (question, answer) => {
          if (question.gold.kind === 'criteria') asked.push(...question.gold.criteria)
          return judge.judgeAnswer(question, answer)
        },
      },
      gold.cases,
    )
    expect(asked.map(({ id, asks }) => [id, asks?.forms])).toEqual([
      ['c1', ['Mend the roof']],
      ['c0', ['Oil the gate']],
    ])
    expect([found.n, found.confusion.no.no]).toEqual([1, 1])
  })

  it('are told apart by how many of a panel said what, whoever they were', () => {
    expect(criterionStratum(said(['yes', 'no', 'yes']))).toBe('no 1, yes 2')
    expect(criterionStratum(said(['no', 'yes', 'yes']))).toBe('no 1, yes 2')
    expect(criterionStratum(said(['yes', 'unclear', null]))).toBe('nothing usable 1, unclear 1, yes 1')
    expect(criterionStratum({ id: 'c', answer: 'no', uncertain: true, reason: '' })).toBe('no · uncertain')
    expect(criterionStratum({ id: 'c', answer: null, uncertain: true, reason: '' })).toBeNull()
  })
})
