import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { tinyRequest } from '../../test/engine/request.js'
import { tinySuite } from '../../test/engine/suite.js'
import { plainTools } from '../../test/engine/tools.js'
import { fold } from '../base/text.js'
import type {
  Conversation,
  Fact,
  Judge,
  Memory,
  MemorySystem,
  Question,
  Reader,
  RunStore,
  Scenario,
  SystemDefinition,
} from '../model/index.js'
import { depthMemories, sameJudgePair } from '../model/index.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import { executePlan } from './execute.js'
import { makePlan, type Plan, type RunRequest } from './plan.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-engine-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SAID = ['The gate code is 4711.', 'Rosa sings in a choir.', 'The boiler is in the attic.']

const fact = (i: number): Fact => ({
  id: `f${i}`,
  text: SAID[i]!,
  sources: [`c${i}`],
  cues: { kind: 'statement', parts: [], explicit: true },
})

const question = (id: string, needs: string[]): Question => ({
  id,
  task: 'all',
  text: `About ${needs.join(' ')}?`,
  needs: [needs],
  outdated: [],
  gold: { kind: 'free', text: '' },
  tags: {},
})

/** Two facts, a probe, a third fact, a second probe. */
const scenario: Scenario = {
  id: 'tiny/all',
  suite: 'tiny',
  facts: [0, 1, 2].map(fact),
  timeline: [
    { type: 'conversation', conversation: conversation(0) },
    { type: 'conversation', conversation: conversation(1) },
    {
      type: 'probe',
      probe: { id: 'p1', time: '2026-01-03T00:00:00Z', questions: [question('q1', ['f0']), question('q2', ['f2'])] },
    },
    { type: 'conversation', conversation: conversation(2) },
    { type: 'probe', probe: { id: 'p2', time: '2026-01-05T00:00:00Z', questions: [question('q3', ['f2'])] } },
  ],
}

const suite = tinySuite(scenario, 2)

/** Says `correct` where the text stands word for word. */
const judge: Judge & { judged: number } = {
  name: 'exact',
  key: 'exact@1',
  judged: 0,
  async judgeFacts(facts, store) {
    this.judged += facts.length
    return facts.map(({ id, text }) => {
      const support = store.filter((memory) => fold(memory.text).includes(fold(text))).map((memory) => [memory.id])
      return {
        fact: id,
        label: support.length > 0 ? 'correct' : 'not_stored',
        uncertain: false,
        support,
        reason: '',
        quotes: [],
      }
    })
  },
  judgeAnswer: async (_, answer) => ({ grade: answer === 'yes' ? 'right' : 'wrong', uncertain: false, reason: '' }),
}

/** Keeps what is said; counts what is asked of it. */
function notebook(change: Partial<MemorySystem> = {}, definition: Partial<SystemDefinition> = {}) {
  const calls = { stored: 0, retrieved: 0, closed: 0, times: [] as string[] }
  const system: SystemDefinition = {
    name: 'notebook',
    version: '1',
    class: 'raw',
    about: '',
    create({ now }) {
      const notes: Memory[] = []
      return {
        async store({ id, turns }) {
          calls.stored++
          calls.times.push(now())
          for (const [i, { text }] of turns.entries()) notes.push({ id: `${id}#${i}`, text })
        },
        async retrieve(_, k) {
          calls.retrieved++
          return notes.slice(-k)
        },
        dump: async () => [...notes],
        close: async () => void calls.closed++,
        ...change,
      }
    },
    ...definition,
  }
  return { system, calls }
}

const request = tinyRequest({ systems: ['notebook'], ks: [1, 2] })

const planOf = (system: SystemDefinition, change: Partial<RunRequest> = {}): Plan =>
  makePlan(
    { ...request, ...change },
    [{ suite, scenarios: [scenario], datasetHash: 'h', audit: [] }],
    [{ system: system.name, model: null, definition: system, options: {} }],
    { seed: String(change.seed ?? request.seed) },
  )

let opened = 0
const newStore = (): RunStore => openSqliteStore(join(folder, `${opened++}.db`))

async function run(
  store: RunStore,
  plan: Plan,
  options: { reader?: Reader; signal?: AbortSignal; onWitness?: () => void } = {},
) {
  const seen: number[] = []
  await executePlan({
    run: 'r',
    plan,
    judge: sameJudgePair<Judge>(judge),
    tracker: judge,
    readers: new Map(options.reader ? [['fake', options.reader]] : []),
    concurrency: 2,
    tools: { ...plainTools(store, folder), ...(options.signal && { signal: options.signal }) },
    onProgress: ({ done }) => {
      seen.push(done)
      options.onWitness?.()
    },
  })
  return seen
}

const life = { run: 'r', subject: { system: 'notebook', model: null }, scenario: 'tiny/all', trial: 0 }

describe('the engine', () => {
  it('keeps why a system failed, down to the cause, and no more of it than can be read', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8765'), { code: 'ECONNREFUSED' })
    const failing = { retrieve: async () => Promise.reject(new TypeError('fetch failed', { cause })) }
    const store = newStore()
    await run(store, planOf(notebook(failing).system))
    const [witness] = await store.getWitnesses(life)
    expect(witness?.error).toBe('fetch failed: connect ECONNREFUSED 127.0.0.1:8765')
    const endless = { dump: async () => [{ id: 'a', text: 'A'.repeat(2_000_000) }] }
    const other = newStore()
    await run(other, planOf(notebook(endless).system))
    const errors = (await other.getWitnesses(life)).map(({ error }) => error)
    expect(new Set(errors)).toEqual(
      new Set(['dump of notebook returned a memory of 2,000,000 characters at place 1; at most 1,000,000 are taken']),
    )
  })

  it('stores once and asks at every k, with the store as it was at each probe', async () => {
    const { system, calls } = notebook()
    const store = newStore()
    await run(store, planOf(system))
    expect(calls).toMatchObject({ stored: 3, retrieved: 6, closed: 1 })
    const witnesses = await store.getWitnesses(life)
    expect(witnesses.map(({ question: id, depth, retrieved }) => [id, depthMemories(depth), retrieved.length])).toEqual(
      [
        ['q1', 1, 1],
        ['q1', 2, 2],
        ['q2', 1, 1],
        ['q2', 2, 2],
        ['q3', 1, 1],
        ['q3', 2, 2],
      ],
    )
    const probes = await store.getMoments(life)
    expect(probes.map(({ entries }) => entries)).toEqual([2, 3])
    const verdicts = await store.getFactVerdicts(judge.key, probes[0]!.snapshot!)
    expect([...verdicts.values()].map(({ fact: id, label }) => `${id} ${label}`).sort()).toEqual([
      'f0 correct',
      'f2 not_stored',
    ])
  })

  it('gives a system the time of the scenario, and a folder that is gone afterwards', async () => {
    const { system, calls } = notebook()
    await run(newStore(), planOf(system))
    expect(calls.times).toEqual(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'])
    expect(readdirSync(join(folder, 'work'))).toEqual([])
  })

  it('does nothing again when everything is there, and only what is new when k grows', async () => {
    const { system, calls } = notebook()
    const store = newStore()
    await run(store, planOf(system))
    await run(store, planOf(system))
    expect(calls).toMatchObject({ stored: 3, retrieved: 6 })
    const before = judge.judged
    await run(store, planOf(system, { ks: [1, 2, 3] }))
    expect(calls).toMatchObject({ stored: 6, retrieved: 9 })
    expect(judge.judged).toBe(before)
  })

  it('leaves what it has when stopped, and goes on from there', async () => {
    const { system, calls } = notebook()
    const store = newStore()
    const stop = new AbortController()
    let count = 0
    const stopping = run(store, planOf(system), { signal: stop.signal, onWitness: () => ++count === 2 && stop.abort() })
    await expect(stopping).rejects.toThrow()
    const kept = await store.witnessKeys(life)
    expect(kept).toHaveLength(2)
    calls.retrieved = 0
    await run(store, planOf(system))
    expect(calls.retrieved).toBe(4)
    expect(await store.witnessKeys(life)).toHaveLength(6)
  })

  it('keeps a failing question as an error and asks it again when resumed', async () => {
    let broken = true
    const { system } = notebook({
      retrieve: async ({ text, time }) => {
        if (broken && text === 'About f2?' && time === '2026-01-03T00:00:00Z') throw new Error('timed out')
        return []
      },
    })
    const store = newStore()
    await run(store, planOf(system, { ks: [1] }))
    expect((await store.witnessKeys(life)).map(({ error }) => error)).toEqual([null, 'timed out', null])
    broken = false
    await run(store, planOf(system, { ks: [1] }))
    expect((await store.witnessKeys(life)).map(({ error }) => error)).toEqual([null, null, null])
  })

  it('turns a memory that cannot store into errors for all its questions, not into zeros', async () => {
    const { system } = notebook({ store: async () => Promise.reject(new Error('no space')) })
    const store = newStore()
    await run(store, planOf(system))
    expect(new Set((await store.witnessKeys(life)).map(({ error }) => error))).toEqual(new Set(['no space']))
  })

  it('refuses more than k memories and repeated ids', async () => {
    const many = notebook({ retrieve: async () => [0, 1, 2].map((i) => ({ id: String(i), text: 'x' })) })
    const store = newStore()
    await run(store, planOf(many.system, { ks: [2] }))
    expect((await store.witnessKeys(life))[0]!.error).toMatch(/3 memories, at most 2/)
    const twice = notebook({
      dump: async () => [
        { id: 'a', text: 'x' },
        { id: 'a', text: 'y' },
      ],
    })
    const other = newStore()
    await run(other, planOf(twice.system))
    expect((await other.witnessKeys(life))[0]!.error).toMatch(/holds the id "a" twice/)
  })

  it('gives systems of fixed depth one row, whatever k', async () => {
    const { system, calls } = notebook({}, { depth: 'fixed' })
    const store = newStore()
    await run(store, planOf(system, { ks: [1, 2, 3] }))
    expect(calls.retrieved).toBe(3)
    expect((await store.witnessKeys(life)).map(({ depth }) => depth)).toEqual(['all', 'all', 'all'])
  })

  it('puts a memory that changes when asked back to what it was', async () => {
    let state = 0
    const { system } = notebook({
      retrieve: async () => [{ id: `seen-${state++}`, text: 'x' }],
      snapshot: async () => state,
      restore: async (before) => {
        state = Number(before)
      },
    })
    const store = newStore()
    await run(store, planOf(system))
    expect(new Set((await store.getWitnesses(life)).map(({ retrieved }) => retrieved[0]))).toEqual(new Set(['seen-0']))
  })

  it('keeps what was retrieved when the store does not hold it', async () => {
    const { system } = notebook({ retrieve: async () => [{ id: 'elsewhere', text: 'a rewritten line' }] })
    const store = newStore()
    await run(store, planOf(system, { ks: [1] }))
    const [first] = await store.getWitnesses(life)
    expect((await store.getSnapshot(first!.retrievedSnapshot!))[0]!.text).toBe('a rewritten line')
  })

  it('hands retrieved memories to the reader and has its answers judged', async () => {
    const { system } = notebook()
    const store = newStore()
    const reader: Reader = {
      name: 'fake',
      key: 'fake@1',
      read: async (_, memories) => ({
        answer: memories.length === 2 ? 'yes' : 'no',
        prompt: 'p',
        tokens: { input: 3, output: 1 },
        cost: 0.5,
      }),
    }
    await run(store, planOf(system, { readers: ['fake'] }), { reader })
    const answers = await store.getGrades(life, 'fake@1', judge.key)
    expect(answers.map(({ depth, verdict }) => [depthMemories(depth), verdict?.grade])).toEqual([
      [1, 'wrong'],
      [2, 'right'],
      [1, 'wrong'],
      [2, 'right'],
      [1, 'wrong'],
      [2, 'right'],
    ])
    expect((await store.getAnswers(life, 'fake@1'))[0]).toMatchObject({
      answer: 'no',
      tokens: { input: 3, output: 1 },
      cost: 0.5,
    })
  })

  it('asks a reader that said nothing again when resumed, and nobody else', async () => {
    const { system } = notebook()
    const store = newStore()
    let said = ''
    let read = 0
    const reader: Reader = {
      name: 'fake',
      key: 'fake@1',
      read: async (_, memories) => {
        read++
        return { answer: memories.length === 2 ? 'yes' : said, prompt: 'p', tokens: { input: 3, output: 1 }, cost: 0 }
      },
    }
    const plan = planOf(system, { readers: ['fake'] })
    await run(store, plan, { reader })
    said = 'yes'
    await run(store, plan, { reader })
    expect(read).toBe(6 + 3)
    expect((await store.getAnswers(life, 'fake@1')).map(({ answer }) => answer)).toEqual(Array(6).fill('yes'))
  })

  it('gives gold to nobody but those who declare that they need it', async () => {
    let given: unknown
    const spy = notebook().system
    await run(
      newStore(),
      planOf({
        ...spy,
        create: (context, options) => {
          given = context.gold
          return spy.create(context, options)
        },
      }),
    )
    expect(given).toBeUndefined()
  })

  it('limits questions a task and repeats trials as lives of their own', async () => {
    const plan = planOf(notebook().system, { limit: 2, trials: 3 })
    expect(plan.lives.map(({ key, asks }) => [key.trial, asks.length])).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ])
    expect(plan.setting).toBe(planOf(notebook().system).setting)
    expect(plan.setting).not.toBe(planOf(notebook().system, { seed: 2 }).setting)
  })
})

function conversation(i: number): Conversation {
  return { id: `c${i}`, time: `2026-01-0${i + 1}T00:00:00Z`, turns: [{ role: 'user', text: SAID[i]! }] }
}
