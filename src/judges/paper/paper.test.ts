import { describe, expect, it } from 'vitest'
import { type FakeLlm, fakeLlm } from '../../../test/judges/fake-llm.js'
import { preferenceCues, profileCues } from '../../language/derive-cues.js'
import type { AnswerVerdict, Fact, Gold, Memory, Question, QuestionCase } from '../../model/index.js'
import { runJudgeConformance } from '../conformance.js'
import { createPaperJudge } from './index.js'

const preference = (name: string): Fact => ({
  id: name,
  text: `I like ${name}.`,
  sources: [],
  cues: preferenceCues(name, `I like ${name}.`),
})
const essay = (name: string): Fact => ({
  id: name,
  text: `${name} restores pianos.`,
  sources: [],
  cues: profileCues(name, `${name} restores pianos.`),
})
const STORE: Memory[] = [{ id: 'm', text: 'Everything, in one memory.' }]

const item = (gold: Gold, facts: Fact[], graded: AnswerVerdict | null = null): QuestionCase => {
  const question: Question = { id: 'q', task: 't', text: '?', needs: [], outdated: [], gold, tags: {} }
  return { question, answer: 'an answer', facts, retrieved: STORE, graded }
}
const list = (...names: string[]) => item({ kind: 'list', items: names, text: names.join(', ') }, names.map(preference))
const direct = (name: string) => item({ kind: 'free', text: 'pianos' }, [essay(name)])
const misleading = (name: string) => item({ kind: 'abstain', about: 'Bruno', text: 'Unknown.' }, [essay(name)])

/** Passes everything but what `fails` says of a stage and an entry or label. */
function model(fails: (stage: string, about: string) => boolean = () => false): FakeLlm {
  const llm: FakeLlm = fakeLlm((prompt) => {
    const label = llm.options.at(-1)!.label ?? ''
    const stage = label.split(' ')[0]!
    const count = /each of the entries 1 to (\d+)\./.exec(prompt)?.[1]
    if (count === undefined) return { reason: 'r', passed: !fails(stage, label) }
    const people = [...prompt.matchAll(/^ {2}person: (.+)$/gm)].map((match) => match[1]!)
    return { results: people.map((person, i) => ({ id: i + 1, reason: 'r', passed: !fails(stage, person) })) }
  })
  return llm
}
const stagesOf = (llm: FakeLlm) => llm.options.map(({ label }) => label!.split(' ')[0])

runJudgeConformance({ name: 'paper', newJudge: () => createPaperJudge(model()) })

describe('the protocol of the paper', () => {
  it('takes every fact through storage, summary and retrieval, and then the answer once', async () => {
    const llm = model()
    const [verdict] = await createPaperJudge(llm).judgeQuestions!(STORE, [list('tea', 'mate')])
    expect(stagesOf(llm).sort()).toEqual(
      ['storage', 'storage', 'summary', 'summary', 'retrieval', 'retrieval', 'invocation'].sort(),
    )
    expect(verdict).toMatchObject({
      stages: [
        { fact: 'tea', stored: true, faithful: true, retrieved: true },
        { fact: 'mate', stored: true, faithful: true, retrieved: true },
      ],
      answer: { grade: 'right' },
    })
  })

  it('stops a fact at its first failure, and does not read the answer then', async () => {
    const llm = model((stage, label) => stage === 'summary' && label.includes('mate'))
    const [verdict] = await createPaperJudge(llm).judgeQuestions!(STORE, [list('tea', 'mate')])
    expect(verdict!.stages[1]).toMatchObject({ stored: true, faithful: false, retrieved: null })
    expect(verdict!.answer).toBeNull()
    expect(stagesOf(llm)).not.toContain('invocation')
    expect(llm.options).toHaveLength(5)
  })

  it('leaves an answer that the suite graded by rule as it is', async () => {
    const llm = model(() => false)
    const graded: AnswerVerdict = { grade: 'wrong', uncertain: false, reason: 'chose B' }
    const choice = item({ kind: 'choice', letter: 'A', text: 'x' }, [preference('tea')], graded)
    const [verdict] = await createPaperJudge(llm).judgeQuestions!(STORE, [choice])
    expect(verdict!.answer).toEqual(graded)
    expect(stagesOf(llm)).toEqual(['storage', 'summary', 'retrieval'])
  })

  it('judges questions about people 20 a call, stage by stage over those that came through', async () => {
    const llm = model((stage, person) => stage === 'storage' && person === 'P0')
    const items = Array.from({ length: 41 }, (_, i) => (i < 21 ? direct(`P${i}`) : misleading(`P${i}`)))
    const verdicts = await createPaperJudge(llm).judgeQuestions!(STORE, items)
    const counts = llm.options.map(({ label }) => label!.replace(' essay', ''))
    expect(counts).toEqual([
      'storage, 20 entries',
      'storage, 20 entries',
      'storage, 1 entries',
      'summary, 20 entries',
      'summary, 20 entries',
      'retrieval, 20 entries',
      'retrieval, 20 entries',
      'invocation, 20 entries',
      'abstention, 20 entries',
    ])
    expect(verdicts[0]).toMatchObject({ stages: [{ stored: false }], answer: null })
    expect(verdicts[40]).toMatchObject({ answer: { grade: 'right' } })
  })

  it('passes a question about somebody unknown unread when nothing could mislead, but not when it was kept badly', async () => {
    const llm = model((stage, person) => `${stage} ${person}` === 'storage A' || `${stage} ${person}` === 'summary B')
    const [a, b] = await createPaperJudge(llm).judgeQuestions!(STORE, [misleading('A'), misleading('B')])
    expect(a!.answer).toMatchObject({ grade: 'right', reason: expect.stringMatching(/without being read/) })
    expect(b).toMatchObject({ stages: [{ stored: true, faithful: false }], answer: null })
  })

  it('makes a question whose check cannot be had an error', async () => {
    const broken = fakeLlm((_, call) => (call === 2 ? 'nonsense' : { reason: 'r', passed: true }))
    const [verdict] = await createPaperJudge(broken).judgeQuestions!(STORE, [list('tea')])
    expect(verdict).toMatchObject({ stages: [], answer: { grade: 'error' } })
  })

  it('sends the whole store with storage and summary, and only what was retrieved after that', async () => {
    const llm = model()
    const store = [...STORE, { id: 'n', text: 'Another memory.' }]
    await createPaperJudge(llm).judgeQuestions!(store, [list('tea')])
    expect(llm.prompts.map((prompt) => prompt.includes('Another memory.'))).toEqual([true, true, false, false])
  })

  it('judges facts alone too, to be compared with labels', async () => {
    const llm = model((stage, label) => stage === 'summary' && label.includes('mate'))
    const facts = [preference('tea'), preference('mate'), essay('Wilma')]
    const verdicts = await createPaperJudge(llm).judgeFacts(facts, STORE)
    expect(verdicts.map(({ label }) => label)).toEqual(['correct', 'summary_error', 'correct'])
  })
})

describe('the protocol of the paper over other benchmarks', () => {
  const held: Fact = {
    id: 'value:gym',
    text: 'My gym is Anvil & Oak.',
    sources: ['s'],
    cues: { kind: 'state', stance: 'held', explicit: true, parts: [] },
  }
  const refusal = /follows the protocol of MemFail, which has no prompt for/

  it('is refused with what to do instead, before any call', async () => {
    const llm = model()
    const judge = createPaperJudge(llm)
    await expect(judge.judgeFacts([held], STORE)).rejects.toThrow(refusal)
    const criteria = item({ kind: 'criteria', criteria: [], text: '' }, [])
    await expect(judge.judgeQuestions!(STORE, [list('tea'), criteria])).rejects.toThrow(refusal)
    await expect(judge.judgeAnswer(item({ kind: 'unsure', old: 'x', text: '' }, []).question, 'x')).rejects.toThrow(
      refusal,
    )
    expect(llm.prompts).toEqual([])
  })
})
