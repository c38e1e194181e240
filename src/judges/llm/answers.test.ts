import { describe, expect, it } from 'vitest'
import { blocksOf, honestReply, itemsOf } from '../../../bench/reading-model.js'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import { profileCues, ruleCues } from '../../language/derive-cues.js'
import type { AnswerCase, Fact, Gold, Question } from '../../model/index.js'
import { createLlmJudge } from './index.js'

const question = (gold: Gold, text = 'What then?'): Question => ({
  id: 'q',
  task: 't',
  text,
  needs: [],
  outdated: [],
  gold,
  tags: {},
})
const free = (expected: string, answer: string): AnswerCase => ({
  question: question({ kind: 'free', text: expected }),
  answer,
  facts: [],
})
const ESSAY =
  'Wilma restores pianos. She tunes by ear. She keeps felt in biscuit tins. Every Friday she bakes plum cake. She fears geese.'
const wilma: Fact = { id: 'w', text: ESSAY, sources: [], cues: profileCues('Wilma', ESSAY) }

const shown = async (one: AnswerCase) => {
  const llm = fakeLlm(honestReply)
  await createLlmJudge(llm).judgeAnswers!([one])
  return { prompt: llm.prompts[0]!, case: itemsOf(blocksOf(llm.prompts[0]!)[0]!)[0]! }
}

describe('answers graded by a model', () => {
  it('go 20 to a call, and come back in order', async () => {
    const llm = fakeLlm(honestReply)
    const items = Array.from({ length: 47 }, (_, i) =>
      free('plum cake', i % 2 === 0 ? 'Plum cake, I think.' : 'Bread.'),
    )
    const verdicts = await createLlmJudge(llm).judgeAnswers!(items)
    expect(verdicts.map(({ grade }) => grade)).toEqual(items.map((_, i) => (i % 2 === 0 ? 'right' : 'wrong')))
    expect(llm.prompts.map((prompt) => itemsOf(blocksOf(prompt)[0]!).length)).toEqual([20, 20, 7])
  })

  it('are errors, never wrong, when no grade can be had', async () => {
    const llm = fakeLlm(() => 'I would rather not.')
    const verdicts = await createLlmJudge(llm).judgeAnswers!([free('a', 'a'), free('b', 'c')])
    expect(verdicts.map(({ grade }) => grade)).toEqual(['error', 'error'])
  })

  it('are errors without a call when they are empty', async () => {
    const llm = fakeLlm(honestReply)
    expect(await createLlmJudge(llm).judgeAnswer(free('a', '').question, ' \n')).toMatchObject({ grade: 'error' })
    expect(llm.prompts).toEqual([])
  })

  it('keep the grades that came when some are missing', async () => {
    const llm = fakeLlm((prompt, call) => {
      const { grades } = honestReply(prompt) as { grades: { id: number }[] }
      return { grades: call === 1 ? grades.slice(1) : grades }
    })
    const verdicts = await createLlmJudge(llm).judgeAnswers!([free('a', 'a'), free('b', 'b')])
    expect(verdicts.map(({ grade }) => grade)).toEqual(['right', 'right'])
    expect(itemsOf(blocksOf(llm.prompts[1]!)[0]!)).toHaveLength(1)
  })
})

describe('values graded by a model', () => {
  const series = (answer: string): AnswerCase => ({
    question: question({ kind: 'sequence', items: ['oak', 'elm', 'ash'], text: 'oak, elm, ash' }),
    answer,
    facts: [],
  })

  it('come with the share that is there, and whether an outdated one is used', async () => {
    const llm = fakeLlm((prompt) => ({
      grades: itemsOf(blocksOf(prompt)[0]!).map(({ number }) => ({
        id: number,
        reason: 'r',
        right: number === 1,
        missing: number === 1 ? [] : [2],
        stale: number === 2,
      })),
    }))
    const verdicts = await createLlmJudge(llm).judgeAnswers!([series('oak elm ash'), series('oak ash')])
    expect(verdicts).toMatchObject([
      { grade: 'right', credit: { partial: 1, greedy: 1 } },
      { grade: 'wrong', stale: true, credit: { partial: 2 / 3, greedy: 2 / 3 } },
    ])
    expect(verdicts[0]).not.toHaveProperty('stale')
  })

  it('are asked for again when a verdict contradicts itself', async () => {
    const reply = (missing: number[]) => ({ grades: [{ id: 1, reason: 'r', right: true, missing, stale: false }] })
    const llm = fakeLlm((_, call) => reply(call === 1 ? [2] : call === 2 ? [9] : []))
    expect(await createLlmJudge(llm).judgeAnswers!([series('oak elm ash')])).toMatchObject([{ grade: 'right' }])
    expect(llm.prompts[1]).toContain('a case with missing values was called right')
    expect(llm.prompts[2]).toContain('a number that no value has')
  })

  it('that must be word for word cost no call', async () => {
    const llm = fakeLlm(honestReply)
    const gold: Gold = { kind: 'verbatim', text: 'row 611, wanted 740' }
    expect(await createLlmJudge(llm).judgeAnswer(question(gold), 'Row 611, wanted  740!')).toMatchObject({
      grade: 'right',
    })
    expect(llm.prompts).toEqual([])
  })

  it.each<[Gold, Record<string, string>, string?]>([
    [
      { kind: 'current', value: 'oak', old: ['elm'], text: 'oak (because)' },
      { expected: 'oak', outdated: 'elm' },
    ],
    [{ kind: 'current', value: 'oak', old: [], lenient: true, text: 'oak' }, { expected: 'oak' }, 'known'],
    [
      { kind: 'unsure', old: 'elm', text: 'not known' },
      { expected: 'not known', outdated: 'elm' },
    ],
    [
      { kind: 'withheld', value: 'elm', text: 'not revealed' },
      { expected: 'not revealed', secret: 'elm' },
    ],
  ])('are shown with what is outdated or secret', async (gold, fields, kind = gold.kind) => {
    const { case: seen, prompt } = await shown({ question: question(gold), answer: 'ash', facts: [] })
    expect(seen.fields).toMatchObject(fields)
    expect(prompt).toMatch(new RegExp(`^${kind}: `, 'm'))
  })
})

describe('what a grading model is shown', () => {
  it('has of a long fact only the sentences that matter', async () => {
    const one = { ...free('She bakes plum cake on Friday', 'plum cake'), facts: [wilma] }
    const { case: seen } = await shown(one)
    expect(seen.fields.facts).toContain('plum cake')
    expect(seen.fields.facts!.length).toBeLessThan(ESSAY.length)
  })

  it('has, for somebody unknown, what the answer may have lent them', async () => {
    const gold: Gold = { kind: 'abstain', about: 'Bruno', text: "I don't have information about Bruno." }
    const { case: seen, prompt } = await shown({
      question: question(gold, 'What scares Bruno?'),
      answer: 'Bruno fears geese.',
      facts: [wilma],
    })
    expect(seen.fields).toMatchObject({ unknown: 'Bruno', answer: 'Bruno fears geese.' })
    expect(seen.fields.facts).toContain('She fears geese.')
    expect(prompt).toMatch(/^abstain: nothing is known/m)
  })

  it('has apart what no longer holds', async () => {
    const old = { ...wilma, id: 'old', text: 'Wilma tunes harps.', cues: profileCues('Wilma', 'Wilma tunes harps.') }
    const asked = { ...question({ kind: 'free', text: 'pianos' }), outdated: ['old'] }
    const { case: seen, prompt } = await shown({ question: asked, answer: 'harps', facts: [old] })
    expect(seen.fields).toMatchObject({ outdated: 'Wilma tunes harps.' })
    expect(seen.fields.facts).toBeUndefined()
    expect(prompt).toMatch(/held once and no longer does/)
  })

  it('has the rule of a yes or no, all items of a list, and the options of a choice', async () => {
    const essay = 'Odo whittles only when the wind is high.'
    const rule: Fact = { ...wilma, text: essay, cues: ruleCues('Odo', 'whittles', 'when the wind is high', essay) }
    const yesNo = question({ kind: 'yes-no', answer: 'no', text: 'No — the wind is low.' })
    expect((await shown({ question: yesNo, answer: 'No.', facts: [rule] })).case.fields).toMatchObject({
      expected: 'No — the wind is low.',
      facts: 'Odo whittles only when the wind is high',
    })
    const list = question({ kind: 'list', items: ['tea', 'mate'], text: 'tea, mate' })
    expect((await shown({ question: list, answer: 'Tea.', facts: [rule] })).case.fields).toMatchObject({
      expected: 'tea, mate',
    })
    const choice = {
      ...question({ kind: 'choice', letter: 'B', text: 'two' }),
      choices: [{ letter: 'B', text: 'two' }],
    }
    expect((await shown({ question: choice, answer: 'two', facts: [] })).case.fields).toMatchObject({
      options: 'B. two',
      expected: 'B. two',
    })
  })
})
