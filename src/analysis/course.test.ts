import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { PlannedLife } from '../engine/plan.js'
import { judgeTimeline, timelineKey } from '../engine/timeline.js'
import type { Fact, Judge, Memory, Question, RunStore, ScenarioEvent } from '../model/index.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import { readCourse } from './course.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-timeline-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fact = (id: string, source: string): Fact => ({
  id,
  text: id,
  sources: [source],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const question: Question = {
  id: 'q',
  task: 't',
  text: '?',
  needs: [['tea', 'port']],
  outdated: [],
  gold: { kind: 'free', text: '' },
  tags: {},
}
const talks = ['c1', 'c2', 'c3', 'c4']
const timeline: ScenarioEvent[] = [
  ...talks.map((id): ScenarioEvent => ({ type: 'conversation', conversation: { id, time: id, turns: [] } })),
  { type: 'probe', probe: { id: 'end', time: 'z', questions: [question] } },
]
const life = {
  key: { subject: { system: 's', model: null }, scenario: 'x', trial: 0 },
  scenario: { id: 'x', suite: 't', timeline, facts: [fact('tea', 'c1'), fact('port', 'c2')] },
  timeline: true,
  asks: [{ question, ks: [5] }],
} as unknown as PlannedLife
const signal = new AbortController().signal

/** A fact is faithful where its name stands, damaged where only its first letter does. Tells what it was asked. */
function judgeOfNames(asked: string[][]): Judge {
  return {
    name: 'names',
    key: 'names',
    judgeAnswer: async () => ({ grade: 'error', reason: '' }),
    async judgeFacts(facts, store) {
      asked.push([facts.map(({ id }) => id).join('+'), store.map(({ id }) => id).join('+')])
      return facts.map(({ id }) => {
        const held = (text: string) => store.filter((memory) => memory.text.split(' ').includes(text))
        const [whole, part] = [held(id), held(id[0]!)]
        const found = whole.length > 0 ? whole : part
        const label = whole.length > 0 ? 'correct' : part.length > 0 ? 'summary_error' : 'not_stored'
        return {
          fact: id,
          label,
          uncertain: false,
          support: found.map((memory) => [memory.id]),
          reason: '',
          quotes: [],
        }
      })
    },
  }
}

async function keep(stores: Memory[][]): Promise<RunStore> {
  const store = openSqliteStore(join(folder, `${Math.random()}.db`))
  let parent: string | null = null
  for (const [i, memories] of stores.entries()) {
    parent = await store.putSnapshot(memories, parent)
    const moment = i < talks.length ? `after ${talks[i]}` : 'end'
    await store.putMoment({ run: 'r', ...life.key }, { moment, snapshot: parent, entries: memories.length, tokens: 0 })
  }
  return store
}

const tea = { id: 'm1', text: 'tea' }

describe('a timeline', () => {
  it('tells when facts entered, were altered and were lost', async () => {
    const store = await keep([
      [tea],
      [tea, { id: 'm2', text: 'port' }],
      [tea, { id: 'm2', text: 'p' }],
      [tea, { id: 'm3', text: 'rain' }],
      [tea, { id: 'm3', text: 'rain' }],
    ])
    await judgeTimeline('r', life, judgeOfNames([]), store, signal)
    const kept = new Map((await store.getMoments({ run: 'r', ...life.key })).map((record) => [record.moment, record]))
    const course = await readCourse(life, kept, { judge: 'none', timeline: timelineKey('names') }, store)
    const labels = (id: string) => course.of(id).map(({ label }) => label)
    expect(labels('tea')).toEqual(Array(5).fill('correct'))
    expect(labels('port')).toEqual([null, 'correct', 'summary_error', 'not_stored', 'not_stored'])
    expect(course.storedBefore('port', 'end')).toBe(true)
    expect(course.storedBefore('port', 'after c2')).toBe(false)
  })

  it('looks only at what changed, and never twice at the same store', async () => {
    const asked: string[][] = []
    const store = await keep([[tea], [tea, { id: 'm2', text: 'port' }], [tea, { id: 'm2', text: 'port' }]])
    await judgeTimeline('r', life, judgeOfNames(asked), store, signal)
    expect(asked).toEqual([
      ['tea', 'm1'],
      ['port', 'm2'],
    ])
    await judgeTimeline('r', life, judgeOfNames(asked), store, signal)
    expect(asked).toHaveLength(2)
  })
})
