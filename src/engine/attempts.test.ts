import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { saidFact, tinyQuestion, tinyScenario } from '../../test/engine/keeper.js'
import { tinySuite } from '../../test/engine/suite.js'
import type { Conversation, Memory, MemorySystem, RunStore, SystemDefinition } from '../model/index.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { type LifeTools, liveOnce } from './live.js'
import type { PlannedLife } from './plan.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-attempts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const facts = ['The gate code is 4711.', 'Rosa sings in a choir.', 'The boiler is in the attic.'].map((text, i) =>
  saidFact(i, text),
)
const questions = facts.map((_, i) => tinyQuestion(`q${i}`, [[`f${i}`]]))
const scenario = tinyScenario(facts, questions)

interface Played {
  namespaces: string[]
  /** What was told, over all attempts. */
  told: string[]
  log: string[]
  /** Errors by question; null where there is none. */
  errors: Record<string, string | null>
  store: RunStore
}

let count = 0

/** Lives the tiny life with a memory that may fail. `onStore` throws for a conversation at an attempt. */
async function play(
  onStore: (conversation: Conversation, attempt: number, time: number) => void | Promise<void>,
  definition: Partial<SystemDefinition> & { outside?: boolean } = {},
  more: Partial<LifeTools> & { held?: Memory[]; change?: Partial<MemorySystem>; store?: RunStore } = {},
): Promise<Played> {
  const { outside = true, ...declared } = definition
  const { held = [], change = {}, ...tools } = more
  const store = more.store ?? openSqliteStore(join(folder, `${++count}.db`))
  const played: Played = { namespaces: [], told: [], log: [], errors: {}, store }
  const system: SystemDefinition = {
    name: 'server',
    version: '1',
    class: 'raw',
    about: '',
    create: ({ namespace }) => {
      played.namespaces.push(namespace)
      const attempt = played.namespaces.length
      const notes = [...held]
      const times = new Map<string, number>()
      return {
        async store(conversation) {
          const time = (times.get(conversation.id) ?? 0) + 1
          times.set(conversation.id, time)
          played.told.push(`${attempt} ${conversation.id}`)
          await onStore(conversation, attempt, time)
          // As servers do: ids that are never the same.
          notes.push({ id: `${namespace} ${conversation.id}`, text: conversation.turns[0]!.text })
        },
        retrieve: async () => notes.slice(0, 1),
        dump: async () => [...notes],
        ...change,
      }
    },
    ...declared,
  }
  const life: PlannedLife = {
    key: { subject: { system: 'server', model: null }, scenario: scenario.id, trial: 0 },
    suite: tinySuite(scenario, 1),
    scenario,
    subject: { system: 'server', model: null, definition: system, options: {}, outside },
    timeline: false,
    readers: [],
    asks: questions.map((question) => ({ question, depths: [{ k: 1 }] })),
  }
  await liveOnce('run', life, {
    store,
    embed: hashEmbedder(8),
    llm: () => {
      throw new Error('no model')
    },
    workroot: join(folder, 'work'),
    signal: new AbortController().signal,
    inFlight: 4,
    settleMs: 1000,
    log: (message) => played.log.push(message),
    onWitness: () => {},
    ...tools,
  })
  const witnesses = await store.getWitnesses({ run: 'run', ...life.key })
  played.errors = Object.fromEntries(witnesses.map(({ question, error }) => [question, error]))
  return played
}

const refused = () => {
  throw Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })
}
const reset = () => {
  throw new Error('socket hang up')
}
const NONE = { q0: null, q1: null, q2: null }

describe('a conversation that could not be stored', () => {
  it('is told again when nobody was there to hear it', async () => {
    const { told, namespaces, errors } = await play(({ id }, _, time) => {
      if (id === 'c1' && time === 1) refused()
    })
    expect(told).toEqual(['1 c0', '1 c1', '1 c1', '1 c2'])
    expect(namespaces).toHaveLength(1)
    expect(errors).toEqual(NONE)
  })

  it('is told again to a memory that takes it for the same', async () => {
    const { told, errors } = await play(
      ({ id }, _, time) => {
        if (id === 'c1' && time === 1) reset()
      },
      { idempotent: true },
    )
    expect(told).toEqual(['1 c0', '1 c1', '1 c1', '1 c2'])
    expect(errors).toEqual(NONE)
  })

  it('lets the life begin again in a namespace of its own, when it may be half stored', async () => {
    const { told, namespaces, errors, log } = await play(({ id }, attempt) => {
      if (id === 'c1' && attempt === 1) reset()
    })
    expect(told).toEqual(['1 c0', '1 c1', '2 c0', '2 c1', '2 c2'])
    expect(new Set(namespaces).size).toBe(2)
    expect(errors).toEqual(NONE)
    expect(log).toEqual(['server begins tiny/all again: c1 could not be stored: socket hang up'])
  })

  it('is left out by a memory that keeps all or nothing, when it failed a second time', async () => {
    const { told, errors } = await play(({ id }) => void (id === 'c1' && reset()), { atomic: true })
    expect(told).toEqual(['1 c0', '1 c1', '2 c0', '2 c1', '2 c2'])
    expect(errors).toEqual({ ...NONE, q1: 'c1, which it rests on, could not be stored: socket hang up' })
  })

  it('ends the life of any other when it failed a second time', async () => {
    const { told, errors } = await play(({ id }) => void (id === 'c1' && reset()))
    expect(told).toEqual(['1 c0', '1 c1', '2 c0', '2 c1'])
    expect(errors).toEqual({ q0: 'socket hang up', q1: 'socket hang up', q2: 'socket hang up' })
  })

  it('is left out at once by a system of this package, whose calls were tried again already', async () => {
    const { told, errors } = await play(({ id }) => void (id === 'c1' && reset()), { atomic: true, outside: false })
    expect(told).toEqual(['1 c0', '1 c1', '1 c2'])
    expect(errors.q1).toContain('c1, which it rests on')
  })

  it('ends the life at once where that was asked for', async () => {
    const { told, errors } = await play(({ id }) => void (id === 'c1' && reset()), { atomic: true }, { strict: true })
    expect(told).toEqual(['1 c0', '1 c1'])
    expect(Object.values(errors)).toEqual(['socket hang up', 'socket hang up', 'socket hang up'])
  })
})

describe('a memory that never comes back', () => {
  it('costs only the question it was stuck on: its life begins again without that', async () => {
    const text = questions[1]!.text
    const { errors, namespaces } = await play(
      () => {},
      {},
      {
        systemMs: 80,
        inFlight: 1,
        change: { retrieve: async (query) => (query.text === text ? new Promise<never>(() => {}) : []) },
      },
    )
    expect(errors).toEqual({ ...NONE, q1: 'retrieve took longer than 0.08 s' })
    expect(new Set(namespaces).size).toBe(2)
  })
})

describe('an attempt', () => {
  it('has a namespace that none before it had, in whatever sitting', async () => {
    const first = await play(({ id }) => void (id === 'c2' && reset()))
    const second = await play(() => {}, {}, { store: first.store })
    expect(new Set([...first.namespaces, ...second.namespaces]).size).toBe(3)
    expect(second.errors).toEqual(NONE)
  })

  it('is refused by a memory that holds something already', async () => {
    const old = [{ id: 'old', text: 'from before' }]
    const { told, errors } = await play(() => {}, {}, { held: old })
    expect(told).toEqual([])
    expect(errors.q0).toContain('server is not empty before the first store: it holds 1 memories, such as "old"')
    expect((await play(() => {}, { class: 'reference' }, { held: old })).errors).toEqual(NONE)
    expect((await play(() => {}, {}, { held: [{ id: 'page', text: '\n' }] })).errors).toEqual(NONE)
  })

  it('asks a probe anew when it finds another store there than the witnesses are of', async () => {
    const first = await play(() => {})
    const key = { run: 'run', subject: { system: 'server', model: null }, scenario: scenario.id, trial: 0 }
    // As if the process had been killed before the last question was kept.
    const kept = await first.store.getWitnesses(key)
    await first.store.putWitnesses(key, [{ ...kept[2]!, error: 'killed' }])
    const second = await play(() => {}, {}, { store: first.store })
    const [probe] = await first.store.getMoments(key)
    const ids = (await first.store.getSnapshot(probe!.snapshot!)).map(({ id }) => id)
    const found = (await first.store.getWitnesses(key)).flatMap(({ retrieved }) => retrieved)
    expect(found).toHaveLength(3)
    for (const id of found) expect(ids).toContain(id)
    expect(second.errors).toEqual(NONE)
  })
})
