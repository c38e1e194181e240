import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createLexicalJudge } from '../../judges/lexical/index.js'
import { importData, lintData } from '../../library.js'
import {
  type LoadedSuite,
  questionsOf,
  type ScoredQuestion,
  type Suite,
  type SuiteOptions,
  scoreValue,
} from '../../model/index.js'
import { beam } from '../beam/index.js'
import { locomo } from '../locomo/index.js'
import { longmemeval } from '../longmemeval/index.js'
import { own } from '../own/index.js'
import { OwnAsked, OwnConversation } from '../own/schema.js'
import { innermostArrays, membersOf } from '../read-files.js'
import { wordMeasures } from './measures.js'
import { scoreCited } from './score.js'

const fixtures = fileURLToPath(new URL('../../../test/fixtures/cited/', import.meta.url))

function load(suite: Suite, options: Partial<SuiteOptions> = {}): Promise<LoadedSuite> {
  return suite.load({
    data: join(fixtures, suite.name),
    view: 'audited',
    seed: 1,
    size: 'paper',
    extra: {},
    ...options,
  })
}

async function asked(suite: Suite, options: Partial<SuiteOptions> = {}) {
  const loaded = await load(suite, options)
  const questions = new Map(loaded.scenarios.flatMap(questionsOf).map((question) => [question.id, question]))
  const facts = new Map(loaded.scenarios.flatMap((scenario) => scenario.facts).map((fact) => [fact.id, fact]))
  return { ...loaded, questions, facts }
}

async function broken(suite: string, data = join(fixtures, suite)): Promise<Record<string, number>> {
  const { corpora } = await lintData({ suite, data })
  return Object.fromEntries(
    corpora.flatMap(({ rules }) => rules.flatMap(({ name, broken: n }) => (n > 0 ? [[name, n]] : []))),
  )
}

describe('LoCoMo, on text of ours in its layout', () => {
  it('needs the turn and the day it was said for times, or the day that answers', async () => {
    const { questions, facts } = await asked(locomo)
    expect(questions.get('locomo_0_qa0')).toMatchObject({
      task: 'temporal',
      gold: { kind: 'date', from: '2023-03-06', to: '2023-03-06' },
      needs: [['D1:2', 'D1:2 day'], ['locomo_0_qa0 answered']],
    })
    expect(facts.get('D1:2')).toMatchObject({
      text: expect.stringMatching(/^Ines: I started/),
      turns: ['D1:2'],
      sources: ['session_1'],
    })
    expect(facts.get('D1:2 day')!.cues.when).toBe('2023-03-07')
    expect(facts.get('locomo_0_qa0 answered')).toMatchObject({ sources: [], cues: { when: '2023-03-06' } })
    expect(facts.get('D1:2')!.cues.parts).toContainEqual(
      expect.objectContaining({ forms: expect.arrayContaining(['Ines began working at a bakery.']) }),
    )
    expect(questions.get('locomo_0_qa8')).toMatchObject({
      needs: [],
      tempting: ['D2:2'],
      gold: { kind: 'abstain', lure: 'Pepper' },
    })
  })

  it.each(['some day', '1:56 pm on 31 June, 2023', '1:99 pm on 8 May, 2023', '1:56 pm on 8 Mai, 2023'])(
    'refuses the time %j in words',
    async (time) => {
      const data = mkdtempSync(join(tmpdir(), 'locomo-'))
      const file = join(fixtures, 'locomo', 'locomo10.json')
      const text = readFileSync(file, 'utf8').replace(/("session_1_date_time": ?)"[^"]*"/, `$1"${time}"`)
      writeFileSync(join(data, 'locomo10.json'), text)
      await expect(load(locomo, { data })).rejects.toMatchObject({
        name: 'UserError',
        message: expect.stringContaining(`is no time: "${time}"`),
      })
    },
  )

  it('leaves references as they are when released, and mends them when audited', async () => {
    const [audited, released] = [await asked(locomo), await asked(locomo, { view: 'released' })]
    expect(audited.questions.get('locomo_0_qa4')!.needs).toEqual([['D2:3', 'D2:4']])
    expect(released.questions.get('locomo_0_qa4')!.needs).toEqual([])
    expect(audited.questions.get('locomo_0_qa5')!.needs).toEqual([['D2:5']])
    expect(audited.audit.map(({ row, action }) => `${row} ${action}`)).toEqual([
      'talk-1 flagged',
      'locomo_0_qa4 repaired',
      'locomo_0_qa5 repaired',
      'locomo_0_qa6 flagged',
    ])
    expect(await broken('locomo')).toEqual({ references: 3, sessions: 1, evidence: 2 })
  })

  it('says of every entry of the audit whether it is replaced, regraded or dropped', async () => {
    const { questions, audit } = await asked(locomo, { extra: { audit: join(fixtures, 'locomo/errors.json') } })
    expect(questions.get('locomo_0_qa3')!.needs).toEqual([['D2:2', 'D2:5']])
    expect(questions.get('locomo_0_qa4')).toMatchObject({ needs: [['D2:4']], gold: { text: 'her uncle, at nine' } })
    expect(questions.has('locomo_0_qa6')).toBe(false)
    const words = audit.map(({ row, why }) => `${row} ${why}`).join('\n')
    expect(words).toMatch(/qa3 wrong citation: D2:2 is replaced by D2:2, D2:5/)
    expect(words).toMatch(
      /qa4 incomplete: regraded, "her uncle, at nine" for "her uncle", and D2:3; D2:4 is replaced by D2:4/,
    )
    expect(words).toMatch(/qa6 hallucination: dropped, for Cannot be determined/)
  })

  it('loses a time when its day is lost, but not when it was reckoned', async () => {
    const { facts } = await asked(locomo)
    const [said, day, answered] = ['D1:2', 'D1:2 day', 'locomo_0_qa0 answered'].map((id) => facts.get(id)!)
    const { text } = said!
    const labels = async (memory: { text: string; time?: string }) =>
      (await createLexicalJudge().judgeFacts([said!, day!, answered!], [{ id: 'm', ...memory }])).map(
        ({ label }) => label,
      )
    expect(await labels({ text, time: '2023-03-07T09:10:00.000Z' })).toEqual(['correct', 'correct', 'summary_error'])
    expect(await labels({ text: `[7 March 2023] ${text}` })).toEqual(['correct', 'correct', 'not_stored'])
    expect(await labels({ text })).toEqual(['correct', 'not_stored', 'not_stored'])
    expect(await labels({ text, time: '2023-04-01T00:00:00Z' })).toEqual(['correct', 'summary_error', 'summary_error'])
    expect(
      (await labels({ text: 'Ines started her new job at the bakery on 6 March 2023; her arms still hurt.' })).slice(
        0,
        3,
      ),
    ).toEqual(['correct', 'not_stored', 'correct'])
  })
})

describe('LongMemEval, on text of ours in its layout', () => {
  it('cites marked turns; of updates the last one holds; names of sessions tell nothing', async () => {
    const { scenarios, questions, facts } = await asked(longmemeval)
    expect(scenarios).toHaveLength(7)
    const [[needed]] = questions.get('fx05')!.needs as [[string]]
    expect(questions.get('fx05')!.outdated).toHaveLength(1)
    expect(facts.get(needed)!.text).toContain('under the blue pot')
    expect(questions.get('fx07_abs')).toMatchObject({ task: 'abstention', gold: { kind: 'abstain' }, needs: [] })
    expect(questions.get('fx06')!.needs[0]).toHaveLength(2)
    expect(JSON.stringify(scenarios.map(({ timeline }) => timeline))).not.toContain('answer_')
    const update = scenarios.find(({ id }) => id.endsWith('fx05'))!
    expect(update.facts.find(({ id }) => id === needed)!.replaces).toBe(questions.get('fx05')!.outdated[0])
    expect(await broken('longmemeval')).toEqual({ 'answer-sessions': 1, 'question-date': 1, 'repeated-sessions': 1 })
  })

  it('leaves out what others found wrong, keeps what is only doubted, and lists both', async () => {
    const rows = JSON.parse(readFileSync(join(fixtures, 'longmemeval/longmemeval_oracle.json'), 'utf8'))
    const ids = ['370a8ff4', 'ad7109d1', '9aaed6a3']
    const data = mkdtempSync(join(tmpdir(), 'known-'))
    const text = JSON.stringify(ids.map((id, i) => ({ ...rows[i], question_id: id })))
    const left = async (file: string, view: 'audited' | 'released') => {
      rmSync(data, { recursive: true })
      mkdirSync(data)
      writeFileSync(join(data, file), text)
      const { questions, audit } = await asked(longmemeval, { data, view })
      return [[...questions.keys()].join(), audit.map(({ action }) => action).join()]
    }
    expect(await left('longmemeval_s.json', 'audited')).toEqual(['9aaed6a3', 'dropped,dropped,flagged'])
    expect(await left('longmemeval_s_cleaned.json', 'audited')).toEqual(['ad7109d1,9aaed6a3', 'dropped,flagged'])
    expect(await broken('longmemeval', data)).toMatchObject({ known: 2 })
    expect(await left('longmemeval_s.json', 'released')).toEqual([ids.join(), 'flagged,flagged,flagged'])
  })
})

describe('BEAM, on text of ours in its layout', () => {
  it('takes evidence by its types', async () => {
    const { questions, facts } = await asked(beam)
    const of = (ability: string) => questions.get(`100K/1/${ability}/1`)!
    expect(of('knowledge_update')).toMatchObject({ needs: [['4']], outdated: ['2'] })
    expect(facts.get('4')).toMatchObject({
      replaces: '2',
      text: 'I raised the budget of the greenhouse to 1,200 euros.',
    })
    expect(of('contradiction_resolution')).toMatchObject({ needs: [['8', '10']], outdated: [] })
    expect(of('event_ordering')).toMatchObject({
      needs: [['0', '2', '8', '10']],
      gold: { kind: 'sequence', items: ['frame', 'budget', 'glass'] },
    })
    expect(of('temporal_reasoning').gold).toMatchObject({
      kind: 'criteria',
      criteria: [{ asks: { forms: ['3 weeks'] } }, {}],
    })
    expect(of('abstention').needs).toEqual([])
    expect(await broken('beam')).toEqual({ durations: 1 })
  })

  /** A chat of ours, written as other copies of the release are. */
  const written = (size: string, chat: unknown, questions: unknown) => {
    const data = mkdtempSync(join(tmpdir(), 'beam-'))
    mkdirSync(join(data, size, '1', 'probing_questions'), { recursive: true })
    writeFileSync(join(data, size, '1', 'chat.json'), JSON.stringify(chat))
    writeFileSync(join(data, size, '1', 'probing_questions', 'probing_questions.json'), JSON.stringify(questions))
    return data
  }
  const json = (path: string) => JSON.parse(readFileSync(join(fixtures, 'beam/100K/1', path), 'utf8'))

  it('has the same sessions where a copy has the messages of a day in one list', async () => {
    const days = json('chat.json').map(({ turns }: { turns: unknown[][] }) => turns.flat())
    const data = written('100K', days, json('probing_questions/probing_questions.json'))
    const copy = await asked(beam, { data })
    expect(copy.scenarios).toEqual((await asked(beam)).scenarios)
    days[0][1].content = days[0][1].content.replace('April', 'March')
    const changed = written('100K', days, json('probing_questions/probing_questions.json'))
    expect((await asked(beam, { data: changed })).datasetHash).not.toBe(copy.datasetHash)
  })

  it('of ten million tokens comes in plans, with ids that begin anew and a source that is none', async () => {
    const said = (id: number, content: string, day?: string) => ({
      role: 'user',
      id,
      content,
      time_anchor: day ?? null,
      question_type: 'main_question',
    })
    const plan = (...messages: unknown[]) => [
      { batch_number: 1, turns: messages.map((one) => [one]), time_anchor: null },
    ]
    const chat = [
      { 'plan-1': plan(said(0, 'The barn has a red door. ->-> 1,1', 'July-01-2023'), said(1, 'The well is dry.')) },
      { 'plan-1': null, 'plan-2': plan(said(0, 'The boat leaks. ->-> 2,N/A', 'June-20-2023')) },
    ]
    const about = (question: string, ...sources: unknown[]) => ({ question, rubric: ['x'], source_chat_ids: sources })
    const questions = { information_extraction: [about('Is the boat tight?', 0), about('And the well?', 1, '--')] }
    const data = written('10M', chat, questions)
    const audited = await asked(beam, { data })
    const [boat, well] = [...audited.questions.values()]
    expect([boat!.needs, well!.needs]).toEqual([[['0 (2)']], [['1']]])
    expect(audited.facts.get('0 (2)')!.text).toBe('The boat leaks.')
    expect(
      audited.scenarios[0]!.timeline.map((event) => event.type === 'conversation' && event.conversation.time),
    ).toEqual(['2023-07-01T09:00:00.000Z', '2023-07-01T09:01:00.000Z', '2023-07-01T09:02:00.000Z', false])
    expect(audited.audit.map(({ row, action, why }) => `${row} ${action}: ${why}`)).toEqual([
      '10M/1 repaired: 2 marks such as "->-> 1,1" are left out of what is said',
      expect.stringMatching(/extraction\/1 repaired: the source 0 is of 2 messages; the one that comes closest/),
      expect.stringMatching(/extraction\/2 flagged: the source -- is of no message; it is left out/),
    ])
    const released = await asked(beam, { data, view: 'released' })
    expect([...released.questions.values()].map(({ needs }) => needs)).toEqual([[], [['1']]])
    expect(await broken('beam', data)).toEqual({ references: 2, 'message-ids': 1, days: 1 })
  })

  it('counts a refusal in its rubric, and of orders the pairs that stand right', async () => {
    const { scenarios } = await asked(beam)
    const results = scenarios.flatMap(questionsOf).map((question) => ({ question, answer: question.gold.text }))
    const scored = async (task: string, answer?: string) => {
      const own = results.filter(({ question }) => question.task === task)
      const graded = own.map(async ({ question, answer: gold }): Promise<ScoredQuestion> => {
        const text = answer ?? gold
        const judged = await createLexicalJudge().judgeAnswer(question, text)
        const verdict =
          judged.grade === 'error'
            ? judged
            : { ...judged, credit: { ...judged.credit, ...wordMeasures(question, text) } }
        const empty = { outcome: null, evidence: null, answer: null, facts: [], outdated: [], side: {}, pair: null }
        return { ...empty, question, scenario: '', verdict }
      })
      const scores = scoreCited(await Promise.all(graded), true)
      return [scoreValue(scores, 'rubric'), scoreValue(scores, 'in-order')]
    }
    expect(await scored('abstention')).toEqual([1, null])
    expect(await scored('event-ordering')).toEqual([1, 1])
    expect(await scored('event-ordering', '1) glass\n2) budget\n3) frame')).toEqual([0, 1 / 3])
  })
})

describe('one’s own data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-'))
  const lines = readFileSync(join(fixtures, 'my.jsonl'), 'utf8')
  const imported = async (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'own-')), 'my.jsonl')
    writeFileSync(file, text)
    return importData({ file, out: join(file, '../data') })
  }

  it('is imported, with sentences found in their turns and probes at their times', async () => {
    await importData({ file: join(fixtures, 'my.jsonl'), out: folder })
    const { questions, facts, scenarios } = await asked(own, { data: folder })
    const [[needed]] = questions.get('q1')!.needs as [[string]]
    expect(facts.get(needed)).toMatchObject({
      text: 'Priya: the release is now on Friday',
      turns: ['wednesday.1'],
      replaces: 'm1',
    })
    expect(questions.get('q3')!.gold).toMatchObject({ kind: 'list', items: ['Lyon', 'Porto'] })
    expect(questions.get('q5')).toMatchObject({ task: 'unanswerable', needs: [] })
    expect(scenarios[0]!.timeline.map((event) => event.type)).toEqual([
      'conversation',
      'probe',
      'conversation',
      'probe',
    ])
    expect((await importData({ file: join(folder, 'own.jsonl'), out: join(folder, 'again') })).files).toHaveLength(1)
    expect(readFileSync(join(folder, 'again/own.jsonl'), 'utf8')).toBe(readFileSync(join(folder, 'own.jsonl'), 'utf8'))
  })

  it('may be the example of its documentation', async () => {
    const page = readFileSync(new URL('../../../docs/suites/own.md', import.meta.url), 'utf8')
    const [, example] = /```json\n([\s\S]+?)```/.exec(page)!
    const { files } = await imported(example!)
    const { questions, scenarios } = await asked(own, { data: join(files[0]!.path, '..') })
    expect(scenarios.map(({ id }) => id)).toEqual(['own/standup'])
    expect(questions.get('q1')!.outdated).toEqual(['m1'])
    expect(questions.get('q2')!.task).toBe('unanswerable')
    const fields = [...page.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, names]) => names!.match(/\w+/g) ?? [])
    const known = [...Object.keys(OwnConversation.shape), ...Object.keys(OwnAsked.shape)]
    expect([...new Set(fields)].sort()).toEqual([...new Set(known)].sort())
  })

  it.each([
    ['a citation that leads nowhere', lines.replace('"m2"]', '"m9"]'), /q4: "m9" is neither a turn nor stands in one/],
    ['a line that is no JSON', `${lines}oops`, /line 9 is not a JSON object/],
    ['a field that nobody knows', lines.replace('"dated"', '"datd"'), /line 6.*datd/],
    [
      'a question before its conversation',
      lines.split('\n').reverse().join('\n'),
      /no conversation of the chat "standup" stands before it/,
    ],
  ])('is refused for %s', async (_, text, words) => {
    await expect(imported(text)).rejects.toThrow(words)
  })
})

describe('a folder that is no data of the suite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'other-'))

  it.each([
    [locomo, /lacks locomo10\.json/, /snap-research\/locomo/],
    [longmemeval, /lacks longmemeval_s\.json/, /LongMemEval tells/],
    [beam, /lacks <100K\|500K\|1M\|10M>\/<n>\/chat\.json/, /mohammadtavakoli78\/BEAM/],
    [own, /lacks own\.jsonl/, /data import/],
  ])('is refused, with what is expected and where it is had', async (suite, lacks, had) => {
    const wanted = { message: expect.stringMatching(lacks), hint: expect.stringMatching(had) }
    await expect(load(suite, { data: folder })).rejects.toMatchObject(wanted)
    await expect(lintData({ suite: suite.name, data: folder })).rejects.toMatchObject(wanted)
  })

  it('may be the file itself, or lack the chats that are asked for', async () => {
    const file = join(fixtures, 'locomo/locomo10.json')
    await expect(load(locomo, { data: file })).rejects.toThrow(/locomo10\.json is a file/)
    await expect(load(beam, { extra: { chats: '10M' } })).rejects.toThrow(/no chats of 10M/)
  })
})

describe('files that are read piece by piece', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'pieces-')), 'big.json')

  it('give the same as when they are read whole, wherever a piece ends', () => {
    const messages = Array.from({ length: 3000 }, (_, i) => ({ id: i, content: `"[{\\ ü ${'x'.repeat(i % 97)}` }))
    const groups = messages.map((message) => [message, message])
    writeFileSync(
      file,
      JSON.stringify([{ batch: 1, turns: groups.slice(0, 9), time: null }, { turns: groups.slice(9) }]),
    )
    expect([...innermostArrays(file)]).toEqual(groups)
    writeFileSync(
      file,
      JSON.stringify(
        messages.map((message) => ({ ...message, of: [[message]] })),
        null,
        1,
      ),
    )
    expect([...membersOf(file)].map((one) => (one as { id: number }).id)).toEqual(messages.map(({ id }) => id))
  })

  it('are refused when they end too early', () => {
    writeFileSync(file, '[{"a": [1, 2')
    expect(() => [...membersOf(file)]).toThrow(/ends in the middle/)
  })
})
