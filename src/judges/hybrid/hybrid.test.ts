import { describe, expect, it } from 'vitest'
import { blocksOf, honestReply, itemsOf } from '../../../bench/reading-model.js'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import { type Fact, type Judge, type Memory, type Question, UnjudgedError } from '../../model/index.js'
import { runJudgeConformance } from '../conformance.js'
import { createLexicalJudge } from '../lexical/index.js'
import { createHybrid } from './index.js'

runJudgeConformance({ name: 'hybrid', newJudge: () => createHybrid(createLexicalJudge(), fakeLlm(honestReply)) })

const fact = (id: string, text: string): Fact => ({
  id,
  text,
  sources: [],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const FACTS = [
  fact('a', 'The gate code is 4711.'),
  fact('b', 'Rosa sings alto in a choir.'),
  fact('c', 'Tea is at five.'),
]
const STORE: Memory[] = [
  ...FACTS.slice(0, 2).map(({ id, text }) => ({ id: `m-${id}`, text })),
  ...Array.from({ length: 50 }, (_, i) => ({ id: `x${i}`, text: `Remark ${i} on the weather and the harvest.` })),
]

/** Certain that nothing is stored, but of `b`, of which it is not. */
const doubting: Judge = {
  name: 'doubting',
  key: 'doubting@1',
  judgeFacts: async (facts) =>
    facts.map(({ id }) => ({
      fact: id,
      label: 'not_stored',
      uncertain: id === 'b',
      support: [],
      reason: 'by rule',
      quotes: [],
    })),
  judgeAnswer: async (_, answer) =>
    answer === 'unreadable'
      ? { grade: 'error', reason: 'by rule' }
      : { grade: 'wrong', uncertain: answer === 'plum cake', reason: 'by rule' },
}

const question: Question = {
  id: 'q',
  task: 't',
  text: 'What is baked?',
  needs: [],
  outdated: [],
  gold: { kind: 'free', text: 'plum cake' },
  tags: {},
}

describe('a hybrid judge', () => {
  it('asks the model only about facts in doubt, and shows it only a few memories', async () => {
    const llm = fakeLlm(honestReply)
    const verdicts = await createHybrid(doubting, llm).judgeFacts(FACTS, STORE)
    expect(verdicts.map(({ fact: id, label }) => `${id} ${label}`)).toEqual([
      'a not_stored',
      'b correct',
      'c not_stored',
    ])
    expect(verdicts[1]!.support).toEqual([['m-b']])
    const [memories, targets] = blocksOf(llm.prompts[0]!)
    expect(itemsOf(targets!)).toHaveLength(1)
    expect(itemsOf(memories!).length).toBeLessThanOrEqual(5)
    expect(llm.prompts).toHaveLength(1)
  })

  it('makes no call when the rules are certain of everything', async () => {
    const llm = fakeLlm(honestReply)
    await createHybrid(doubting, llm).judgeFacts([FACTS[0]!], STORE)
    await createHybrid(doubting, llm).judgeAnswer(question, 'bread')
    expect(llm.prompts).toEqual([])
  })

  it('keeps the verdicts of the rules when the model fails', async () => {
    const judged = createHybrid(
      doubting,
      fakeLlm(() => 'no'),
    ).judgeFacts(FACTS, STORE)
    const error = (await judged.catch((thrown: unknown) => thrown)) as UnjudgedError
    expect(error).toBeInstanceOf(UnjudgedError)
    expect(error.verdicts.map((verdict) => verdict.fact)).toEqual(['a', 'c'])
    expect(error.failures.map((failure) => failure.fact)).toEqual(['b'])
  })

  it('has the model grade what the rules cannot read or are unsure of', async () => {
    const llm = fakeLlm(honestReply)
    const items = ['bread', 'plum cake', 'unreadable', ' '].map((answer) => ({ question, answer, facts: [] }))
    const verdicts = await createHybrid(doubting, llm).judgeAnswers!(items)
    expect(verdicts.map(({ grade, reason }) => `${grade} ${reason}`)).toEqual([
      'wrong by rule',
      'right By words.',
      'wrong By words.',
      'wrong by rule',
    ])
    expect(itemsOf(blocksOf(llm.prompts[0]!)[0]!)).toHaveLength(2)
  })
})

describe('criteria', () => {
  const criteria = ['certain', 'open'].map((id) => ({
    id,
    text: `Does it name "${id}"?`,
    type: 'presence' as const,
    expected: 'yes' as const,
    facts: [],
  }))
  const asked: Question = {
    id: 'q',
    task: 't',
    text: '?',
    needs: [],
    outdated: [],
    gold: { kind: 'criteria', criteria, text: '' },
    tags: {},
  }
  const words: Judge = {
    ...createLexicalJudge(),
    judgeAnswer: async () => ({
      grade: 'wrong',
      uncertain: true,
      reason: '',
      criteria: criteria.map(({ id }) => ({ id, answer: 'no', uncertain: id === 'open', reason: 'by words' })),
    }),
  }

  it('that words settle are kept, and only the others asked', async () => {
    const llm = fakeLlm(honestReply)
    const verdict = await createHybrid(words, llm).judgeAnswer(asked, 'certain and open')
    expect(verdict).toMatchObject({
      grade: 'wrong',
      criteria: [
        { id: 'certain', answer: 'no' },
        { id: 'open', answer: 'yes' },
      ],
    })
    expect(itemsOf(blocksOf(llm.prompts[0]!)[1]!)).toHaveLength(1)
  })

  it('of which the model says nothing usable have no verdict', async () => {
    const verdict = await createHybrid(
      words,
      fakeLlm(() => 'no'),
    ).judgeAnswer(asked, 'certain and open')
    expect(verdict).toMatchObject({ criteria: [{ answer: 'no' }, { answer: null }] })
  })
})
