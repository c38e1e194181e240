import { describe, expect, it } from 'vitest'
import {
  type AnswerVerdict,
  type Fact,
  type FactVerdict,
  type Judge,
  LlmError,
  type Question,
  type QuestionCase,
  questionForReader,
  type Reader,
  UnjudgedError,
} from '../model/index.js'
import { checkedJudge, checkedReader } from './checked-instruments.js'

const fact = (id: string): Fact => ({
  id,
  text: id,
  sources: [],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const FACTS = [fact('f1'), fact('f2')]
const STORE = [{ id: 'm1', text: 'f1' }]
const question = { id: 'q', task: 't', text: '?', needs: [], outdated: [], gold: { kind: 'free', text: '' }, tags: {} }
const asked = question as unknown as Question
const verdict = (id: string, change: object = {}): FactVerdict =>
  ({
    fact: id,
    label: 'correct',
    uncertain: false,
    support: [['m1']],
    reason: '',
    quotes: [],
    ...change,
  }) as FactVerdict
const right: AnswerVerdict = { grade: 'right', uncertain: false, reason: 'so' }

/** A judge that says whatever it is given to say. */
function saying(said: {
  facts?: unknown
  answer?: unknown
  answers?: unknown
  questions?: unknown
  side?: unknown
}): Judge {
  const say = (value: unknown) => async () => {
    if (value instanceof Error) throw value
    return value as never
  }
  return checkedJudge({
    name: 'mine',
    key: 'mine:1',
    judgeFacts: say(said.facts),
    judgeAnswer: say(said.answer),
    ...('answers' in said && { judgeAnswers: say(said.answers) }),
    ...('questions' in said && { judgeQuestions: say(said.questions) }),
    ...('side' in said && { judgeStore: say(said.side) }),
  })
}

const failuresOf = async (facts: unknown) =>
  saying({ facts })
    .judgeFacts(FACTS, STORE)
    .then(
      (verdicts) => ({ verdicts, failures: [] as { fact: string; reason: string }[] }),
      (error: unknown) => {
        if (!(error instanceof UnjudgedError)) throw error
        return { verdicts: error.verdicts, failures: error.failures }
      },
    )

describe('the verdicts of a judge from a file', () => {
  it('on a store are passed on, and are nothing where they are none', async () => {
    const item = { question: asked, verdictOf: () => undefined, memories: async () => STORE }
    expect(await saying({ side: { order: 'kept' } }).judgeStore!(item)).toEqual({ order: 'kept' })
    for (const side of [7, { order: 1 }, new Error('no')]) expect(await saying({ side }).judgeStore!(item)).toEqual({})
    expect(saying({}).judgeStore).toBeUndefined()
  })

  it('count when they are verdicts, in the order of the facts', async () => {
    const given = [verdict('f2'), verdict('f1', { votes: [{ judge: 'a', label: 'correct' }] })]
    expect(await saying({ facts: given }).judgeFacts(FACTS, STORE)).toEqual([given[1], given[0]])
    expect(await saying({ answer: right }).judgeAnswer(asked, '')).toEqual(right)
  })

  it.each<[string, unknown, RegExp]>([
    [
      'a label that is none',
      [verdict('f1'), verdict('f2', { label: 'fine' })],
      /^mine: judgeFacts returned no verdict: label: /,
    ],
    ['no verdict on it', [verdict('f1')], /^mine: judgeFacts returned no verdict on it$/],
    ['null in its place', [verdict('f1'), null], /^mine: judgeFacts returned no verdict on it$/],
    [
      'a memory nobody holds',
      [verdict('f1'), verdict('f2', { support: [['m9']] })],
      /points at the memory "m9", which/,
    ],
  ])('are an error of the one fact alone: %s', async (_, facts, reason) => {
    const { verdicts, failures } = await failuresOf(facts)
    expect(verdicts).toEqual([verdict('f1')])
    expect(failures).toEqual([{ fact: 'f2', reason: expect.stringMatching(reason) }])
  })

  it.each<[string, unknown, string]>([
    ['no list', { f1: 'correct' }, 'mine: judgeFacts returned object, expected a list of verdicts'],
    ['nothing', undefined, 'mine: judgeFacts returned undefined, expected a list of verdicts'],
    ['an error', new TypeError('x is not a function'), 'mine: judgeFacts threw: x is not a function'],
  ])('are an error of every fact: %s', async (_, facts, reason) => {
    const { verdicts, failures } = await failuresOf(facts)
    expect(verdicts).toEqual([])
    expect(failures).toEqual(FACTS.map(({ id }) => ({ fact: id, reason })))
  })

  it('keep what an UnjudgedError says', async () => {
    const said = new UnjudgedError([verdict('f1')], [{ fact: 'f2', reason: 'no reply' }])
    expect(await failuresOf(said)).toEqual({
      verdicts: [verdict('f1')],
      failures: [{ fact: 'f2', reason: 'no reply' }],
    })
  })

  it.each<[string, unknown, string]>([
    ['no grade', { grade: 'good' }, 'mine: judgeAnswer returned no verdict: grade: '],
    ['a boolean', true, 'mine: judgeAnswer returned no verdict: '],
    ['an error', new Error('oh'), 'mine: judgeAnswer threw: oh'],
  ])('are an error of the answer: %s', async (_, answer, reason) => {
    const said = await saying({ answer }).judgeAnswer(asked, '')
    expect(said).toEqual({ grade: 'error', reason: expect.stringContaining(reason) })
  })

  it('are told apart where many answers or questions are judged at once', async () => {
    const item = { question: asked, answer: '', facts: [], retrieved: [], graded: null } satisfies QuestionCase
    const judge = saying({ answers: [right, 7], questions: [{ stages: [], answer: right }] })
    expect(await judge.judgeAnswers!([item, item])).toEqual([
      right,
      { grade: 'error', reason: expect.stringContaining('mine: judgeAnswers returned no verdict') },
    ])
    const short = await judge.judgeQuestions!(STORE, [item, item])
    expect(short.map(({ answer }) => answer?.reason)).toEqual(
      Array(2).fill('mine: judgeQuestions returned 1 verdicts, expected 2 verdicts'),
    )
  })

  it('end the run where any would: a budget that is spent, a run that is stopped', async () => {
    const spent = new LlmError('budget', 'spent', '')
    await expect(saying({ facts: spent }).judgeFacts(FACTS, STORE)).rejects.toBe(spent)
    await expect(saying({ answer: spent }).judgeAnswer(asked, '')).rejects.toBe(spent)
    const stopped = new Error('stopped')
    await expect(saying({ answer: stopped }).judgeAnswer(asked, '', AbortSignal.abort())).rejects.toBe(stopped)
  })
})

describe('a reader of one’s own', () => {
  const asked: Question = {
    ...{ id: 'memfail/persona/7', task: 'persona', text: 'Does Odo whittle?', tags: { kind: 'misleading' } },
    ...{ needs: [['f1']], outdated: ['f2'], tempting: ['f2'], gold: { kind: 'yes-no', answer: 'yes', text: 'Yes.' } },
  }
  const seen: unknown[] = []
  const reader: Reader = {
    name: 'mine',
    key: 'mine:1',
    async read(...given) {
      seen.push(given.slice(0, 2))
      return { answer: 'Yes.', prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }
    },
  }

  it('is told what is asked and in which form, and what is counted of memories, and nothing else', async () => {
    const memory = { id: 'all my notes', text: 'Odo whittles.', time: '2026-03-04', score: 1, sources: ['notes, too'] }
    await checkedReader(reader).read(questionForReader(asked), [memory], { time: '', trial: 0 })
    expect(seen).toEqual([
      [
        { id: expect.stringMatching(/^[0-9a-f]{16}$/), text: 'Does Odo whittle?', form: 'yes-no' },
        [{ id: '1', text: 'Odo whittles.', time: '2026-03-04' }],
      ],
    ])
  })
})
