import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Fact,
  type Judge,
  type Question,
  type QuestionCase,
  type RunStore,
  UnjudgedError,
} from '../model/index.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import { gradeLife } from './grade.js'
import { factHash, judgeLife } from './judge-life.js'
import type { PlannedLife } from './plan.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-judge-'))
afterAll(() => rmSync(folder, { recursive: true }))
let opened = 0

const fact = (id: string): Fact => ({
  id,
  text: id,
  sources: [],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const question = (id: string, change: Partial<Question> = {}): Question => ({
  id,
  task: 't',
  text: `${id}?`,
  needs: [['f1']],
  outdated: [],
  gold: { kind: 'free', text: '' },
  tags: {},
  ...change,
})
const QUESTIONS = [question('q1', { outdated: ['f2'] }), question('q2', { needs: [], tempting: ['f2'] })]

/** As much of a plan as judging looks at; answers that say "rule" are graded by rule. */
const life = {
  key: { subject: { system: 's', model: null }, scenario: 'x', trial: 0 },
  suite: { grade: (_: Question, answer: string) => (answer === 'rule' ? { grade: 'right', reason: 'by rule' } : null) },
  scenario: {
    id: 'x',
    suite: 't',
    timeline: [{ type: 'probe', probe: { id: 'p', time: '', questions: QUESTIONS } }],
    facts: ['f1', 'f2'].map(fact),
  },
  subject: { definition: {} },
  readers: ['r'],
  asks: QUESTIONS.map((asked) => ({ question: asked, depths: [{ k: 1 }, { k: 2 }] })),
} as unknown as PlannedLife
const key = { run: 'run', ...life.key }
const signal = new AbortController().signal

/** Two memories; at k one of them was retrieved, at k two both. */
async function kept(answers: Record<string, string>): Promise<{ store: RunStore; snapshot: string }> {
  const store = openSqliteStore(join(folder, `${opened++}.db`))
  const memories = ['a', 'b'].map((id) => ({ id, text: `memory ${id}` }))
  const snapshot = await store.putSnapshot(memories, null)
  await store.putMoment(key, { moment: 'p', snapshot, entries: 2, tokens: 4 })
  const nothing = { scores: [], retrievedSnapshot: null, contextTokens: 0, sizes: [], ms: null }
  const blank = { ...nothing, tokens: {}, cost: 0, error: null }
  for (const { id } of QUESTIONS) {
    const witnesses = [1, 2].map((k) => ({
      question: id,
      probe: 'p',
      depth: { k },
      retrieved: ['a', 'b'].slice(0, k),
      ...blank,
    }))
    await store.putWitnesses(key, witnesses)
    const record = { prompt: '', tokens: { input: 0, output: 0 }, cost: 0, error: null, answer: answers[id] ?? 'yes' }
    await store.putAnswers(
      key,
      'r@1',
      [1, 2].map((k) => ({ question: id, depth: { k }, ...record })),
    )
  }
  return { store, snapshot }
}

describe('judging', () => {
  it('keeps what could be judged of a store, and asks again for the rest when it goes on', async () => {
    const { store, snapshot } = await kept({})
    const asked: string[][] = []
    const judge: Judge = {
      name: 'j',
      key: 'j@1',
      judgeFacts: async (facts) => {
        asked.push(facts.map(({ id }) => id))
        const verdicts = facts.map(({ id }) => {
          return { fact: id, label: 'correct' as const, uncertain: false, support: [['a']], reason: '', quotes: [] }
        })
        if (asked.length > 1) return verdicts
        throw new UnjudgedError(verdicts.slice(0, 1), [{ fact: 'f2', reason: 'cut off' }])
      },
      judgeAnswer: async () => ({ grade: 'right', uncertain: false, reason: '' }),
    }
    await judgeLife('run', life, judge, store, signal)
    expect([...(await store.getFactVerdicts('j@1', snapshot)).keys()]).toEqual([factHash(life.scenario.facts[0]!)])
    await judgeLife('run', life, judge, store, signal)
    expect(asked).toEqual([['f1', 'f2'], ['f2']])
    expect((await store.getFactVerdicts('j@1', snapshot)).size).toBe(2)
  })

  it('by question hands over the store, what was retrieved and the facts, depth by depth, and keeps the stages', async () => {
    const { store } = await kept({ q1: 'rule' })
    const seen: QuestionCase[][] = []
    const judge: Judge = {
      name: 'by-question',
      key: 'bq@1',
      judgeFacts: async () => Promise.reject(new Error('not to be asked')),
      judgeAnswer: async () => Promise.reject(new Error('not to be asked')),
      judgeQuestions: async (held, items) => {
        expect(held.map(({ id }) => id)).toEqual(['a', 'b'])
        seen.push([...items])
        return items.map(({ facts, graded }) => ({
          stages: facts.map(({ id }) => ({ fact: id, stored: true, faithful: true, retrieved: false, reason: '' })),
          answer: graded,
        }))
      },
    }
    await judgeLife('run', life, judge, store, signal)
    await gradeLife('run', life, 'r@1', judge, store, signal)
    const shown = seen.map((items) => items.map((one) => [one.question.id, one.retrieved.length, one.facts[0]!.id]))
    expect(shown).toEqual(
      [1, 2].map((k) => [
        ['q1', k, 'f1'],
        ['q2', k, 'f2'],
      ]),
    )
    expect(seen[0]!.map(({ graded, facts }) => [graded?.grade, facts.length])).toEqual([
      ['right', 1],
      [undefined, 1],
    ])
    const grades = await store.getGrades(key, 'r@1', 'bq@1')
    expect(grades).toHaveLength(4)
    expect(grades[0]).toMatchObject({
      question: 'q1',
      depth: { k: 1 },
      verdict: { grade: 'right' },
      stages: [{ fact: 'f1' }],
    })
    expect(grades[2]).toMatchObject({ question: 'q2', verdict: null })
    await gradeLife('run', life, 'r@1', judge, store, signal)
    expect(seen).toHaveLength(2)
  })

  it('by question is refused without a reader', async () => {
    const { store } = await kept({})
    const judge = { name: 'bq', key: 'bq', judgeQuestions: async () => [] } as unknown as Judge
    const mute = { ...life, readers: [] }
    await expect(judgeLife('run', mute, judge, store, signal)).rejects.toThrow(/there is no reader/)
  })
})
