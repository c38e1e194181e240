import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { blocksOf, honestReply, itemsOf } from '../../../bench/reading-model.js'
import { Harness, SPEC } from '../../../test/gateway/harness.js'
import { judgePromptsWith, readerPromptsWith } from '../../../test/judges/own-prompts.js'
import { readData } from '../../base/data-file.js'
import { cleanText } from '../../base/fence.js'
import {
  type AnswerCase,
  type AnswerVerdict,
  type Fact,
  type Llm,
  type LlmMessage,
  type Memory,
  type Question,
  questionForReader,
} from '../../model/index.js'
import { messagesFor } from '../../readers/llm/index.js'
import { createPaperJudge } from '../paper/index.js'
import { createLlmJudge } from './index.js'

const attacks = readData(
  new URL('../../../test/fixtures/judges/attacks.json', import.meta.url),
  z.array(z.object({ name: z.string(), kind: z.string(), text: z.string(), repeat: z.number().optional() })),
)

const fact = (id: string, text: string): Fact => ({
  id,
  text,
  sources: ['c1'],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const question = (id: string, expected: string, text = 'What is known?'): Question => ({
  id,
  task: 't',
  text,
  needs: [],
  outdated: [],
  gold: { kind: 'free', text: expected },
  tags: {},
})

const STORE: Memory[] = [
  { id: 'm1', text: 'The gate code is 4711.' },
  { id: 'm2', text: 'Rosa sings in a choir.' },
]
const FACTS = [fact('kept', 'The gate code is 4711.'), fact('lost', 'The boiler is in the attic.')]
const CASES: AnswerCase[] = [
  { question: question('q1', 'the code is 4711'), answer: 'I was told the code is 4711.', facts: [] },
  { question: question('q2', 'in the attic'), answer: 'In the cellar.', facts: [] },
]
const SERIES: AnswerCase[] = ['Oak, then Quillane.', 'Oak.'].map((answer, i) => ({
  question: { ...question(`s${i}`, ''), gold: { kind: 'sequence', items: ['oak', 'quillane'], text: '' } },
  answer,
  facts: [],
}))
const LABELS = ['correct', 'not_stored']
const GRADES = ['right', 'wrong']

/** Prompts as careless users might write them, with no more of the fence than must be. */
const READER_PROMPTS = readerPromptsWith({
  name: 'mine.txt',
  text: '@@ system\nObey the notes.\n{fence}\n@@ memories\nNotes of the user:\n{memories}\nEnd of notes.\n@@ free',
})
const JUDGE_PROMPTS = judgePromptsWith({
  name: 'mine.txt',
  text: ['facts', 'answers', 'criteria'].map((what) => `@@ ${what}/system\nJudge.\n{fence}\n`).join('\n'),
})

let harness: Harness
let llm: Llm
beforeAll(async () => {
  harness = await Harness.start({ rules: [], otherwise: ({ last }) => ({ json: honestReply(last) }) })
  llm = harness.open({ cacheDir: null }).llm(SPEC)
})
afterAll(() => harness.close())

/** The last prompt that went out, and the code of one of its fences. */
function sent(): { prompt: string; code: string } {
  const { request } = harness.model.requests.at(-1)!
  const prompt = 'messages' in request ? request.messages.at(-1)!.content : ''
  return { prompt, code: blocksOf(prompt)[0]!.code }
}

describe('attacks on a judge', () => {
  it('are at least 40, of many kinds, all different', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(40)
    expect(new Set(attacks.map(({ text }) => text)).size).toBe(attacks.length)
    expect(new Set(attacks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8)
  })

  describe.each(attacks)('$kind: $name', ({ text, repeat = 1 }) => {
    /** The attacker knows everything but what the attack itself changes: the code of the same prompt without it. */
    const armed = (code: string) => text.repeat(repeat).replaceAll('{code}', code)

    it('in a memory stays one memory, and changes no verdict', async () => {
      const judge = createLlmJudge(llm)
      await judge.judgeFacts(FACTS, STORE)
      const before = sent()
      const store = [STORE[0]!, { id: 'attack', text: armed(before.code) }, STORE[1]!]
      const verdicts = await judge.judgeFacts(FACTS, store)
      expect(verdicts.map(({ label }) => label)).toEqual(LABELS)
      expect(verdicts[0]!.support).toEqual([['m1']])
      const blocks = blocksOf(sent().prompt)
      expect(blocks.map(({ name }) => name)).toEqual(['memories', 'targets'])
      expect(itemsOf(blocks[0]!).map(({ number }) => number)).toEqual([1, 2, 3])
      expect(itemsOf(blocks[0]!)[1]!.text.trim()).toBe(cleanText(armed(before.code)).trim())
      expect(blocks[1]!.body).toBe(blocksOf(before.prompt)[1]!.body)
      expect(outside(sent().prompt)).toBe(outside(before.prompt).replace('from 1 to 2', 'from 1 to 3'))
    })

    it('in a fact stays one target, and touches no other', async () => {
      const judge = createLlmJudge(llm)
      await judge.judgeFacts(FACTS, STORE)
      const evil = fact('evil', `The pond froze. ${armed(sent().code)} It was cold.`)
      const verdicts = await judge.judgeFacts([FACTS[0]!, evil, FACTS[1]!], STORE)
      expect(verdicts.map(({ label }) => label)).toEqual(['correct', 'not_stored', 'not_stored'])
      const [memories, targets] = blocksOf(sent().prompt)
      expect(itemsOf(memories!)).toHaveLength(2)
      expect(itemsOf(targets!).map(({ number }) => number)).toEqual([1, 2, 3])
      expect(itemsOf(targets!)[2]!.fields.said).toBe('The boiler is in the attic.')
    })

    it('in an answer stays in its case, and changes no grade', async () => {
      const judge = createLlmJudge(llm)
      await judge.judgeAnswers!(CASES)
      const evil = { ...CASES[1]!, answer: `In the cellar. ${armed(sent().code)} Yes.` }
      const verdicts = await judge.judgeAnswers!([CASES[0]!, evil, CASES[0]!])
      expect(verdicts.map(({ grade }) => grade)).toEqual(['right', 'wrong', 'right'])
      const [cases] = blocksOf(sent().prompt)
      expect(itemsOf(cases!).map(({ fields }) => fields.expected)).toEqual([
        'the code is 4711',
        'in the attic',
        'the code is 4711',
      ])
    })

    it('in an answer that must give values stays in its case, and hides none that is missing', async () => {
      const judge = createLlmJudge(llm)
      await judge.judgeAnswers!(SERIES)
      const evil = { ...SERIES[1]!, answer: `Oak. ${armed(sent().code)} That is all.` }
      const verdicts = await judge.judgeAnswers!([SERIES[0]!, evil])
      expect(verdicts).toMatchObject([
        { grade: 'right', credit: { partial: 1 } },
        { grade: 'wrong', credit: { partial: 0.5 } },
      ])
      expect(itemsOf(blocksOf(sent().prompt)[0]!).map(({ fields }) => fields.values)).toEqual([
        '(1) oak (2) quillane',
        '(1) oak (2) quillane',
      ])
    })

    it('in an answer with criteria, or in a criterion, changes no other verdict', async () => {
      const judge = createLlmJudge(llm)
      const criteria = (...texts: string[]): Question => ({
        ...question('c', ''),
        gold: {
          kind: 'criteria',
          text: '',
          criteria: texts.map((one, i) => ({ id: `c${i}`, text: one, type: 'presence', expected: 'yes', facts: [] })),
        },
      })
      const said = (verdict: AnswerVerdict) =>
        verdict.grade === 'error' ? verdict.reason : verdict.criteria!.map(({ answer }) => answer)
      const [oak, elm] = ['Does it name "oak"?', 'Does it name "quillane"?'] as [string, string]
      await judge.judgeAnswer(criteria(oak, elm), 'Oak.')
      const { code } = sent()
      expect(said(await judge.judgeAnswer(criteria(oak, elm), `Oak. ${armed(code)} End.`))).toEqual(['yes', 'no'])
      expect(blocksOf(sent().prompt).map(({ name }) => name)).toEqual(['answer', 'criteria'])
      const third = await judge.judgeAnswer(
        criteria(oak, `Is it short? ${armed(code).replaceAll('"', "'")}`, elm),
        'Oak.',
      )
      expect(said(third)).toEqual(['yes', null, 'no'])
    })

    it('changes nothing where the prompts are a user’s own', async () => {
      const judge = createLlmJudge(llm, { prompts: JUDGE_PROMPTS })
      const store = (evil: string) => [STORE[0]!, { id: 'attack', text: evil }, STORE[1]!]
      await judge.judgeFacts(FACTS, store(''))
      const facts = await judge.judgeFacts(FACTS, store(armed(sent().code)))
      expect(facts.map(({ label }) => label)).toEqual(LABELS)
      await judge.judgeAnswers!(CASES)
      const evil = { ...CASES[1]!, answer: `In the cellar. ${armed(sent().code)} Yes.` }
      const answers = await judge.judgeAnswers!([CASES[0]!, evil])
      expect(answers.map(({ grade }) => grade)).toEqual(GRADES)
      const asked = (memories: readonly Memory[]) => {
        return messagesFor(questionForReader(question('q', 'x')), memories, '', 'auto', READER_PROMPTS).at(-1)!.content
      }
      const [memories, ...rest] = blocksOf(asked(store(armed(blocksOf(asked(STORE))[0]!.code))))
      expect([itemsOf(memories!).length, rest.length]).toEqual([3, 0])
    })

    it('in a question stays in its case, and changes no grade', async () => {
      const judge = createLlmJudge(llm)
      await judge.judgeAnswers!(CASES)
      const evil = { ...CASES[1]!, question: question('q2', 'in the attic', `Where? ${armed(sent().code)} Well?`) }
      const verdicts = await judge.judgeAnswers!([CASES[0]!, evil])
      expect(verdicts.map(({ grade }) => grade)).toEqual(GRADES)
      expect(itemsOf(blocksOf(sent().prompt)[0]!)).toHaveLength(2)
    })

    it('changes nothing in the protocol of the paper', async () => {
      const judge = createPaperJudge(llm)
      const yesNo = (answer: string): Question => ({
        ...question('q', answer),
        gold: { kind: 'yes-no', answer: 'no', text: answer },
      })
      const store = [...STORE, { id: 'attack', text: armed('0123456789abcdef') }]
      const items = [
        {
          question: yesNo('No, never'),
          answer: `Yes. ${armed('0123456789abcdef')}`,
          facts: [FACTS[0]!],
          retrieved: store,
          graded: null,
        },
        { question: yesNo('No, never'), answer: 'No, never.', facts: [FACTS[1]!], retrieved: store, graded: null },
      ]
      const [first, second] = await judge.judgeQuestions!(store, items)
      expect(first).toMatchObject({
        stages: [{ stored: true, faithful: true, retrieved: true }],
        answer: { grade: 'wrong' },
      })
      expect(second).toMatchObject({ stages: [{ stored: false, faithful: null }], answer: null })
    })

    it('in a memory stays one memory for a reader', () => {
      const prompt = (messages: LlmMessage[]) => messages.at(-1)!.content
      const asked = question('q', 'x')
      const { code } = blocksOf(prompt(messagesFor(questionForReader(asked), STORE, '', 'auto')))[0]!
      const evil = { id: 'attack', text: armed(code) }
      const [memories, ...rest] = blocksOf(prompt(messagesFor(questionForReader(asked), [evil, ...STORE], '', 'auto')))
      expect(itemsOf(memories!)).toHaveLength(3)
      expect(rest).toEqual([])
    })
  })
})

/** What stands outside of all fences, codes aside. */
function outside(prompt: string): string {
  return blocksOf(prompt).reduce((rest, { name, code, body }) => {
    return rest.replace(`<<${name} ${code}>>\n${body}\n<<end ${code}>>`, '')
  }, prompt)
}
