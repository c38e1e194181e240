import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { tinyRequest } from '../../test/engine/request.js'
import { tinySuite } from '../../test/engine/suite.js'
import { blameOf } from '../analysis/attribution.js'
import {
  type Fact,
  type Judge,
  LlmError,
  type Memory,
  type Question,
  type Reader,
  type Scenario,
  type SystemDefinition,
  sameJudgePair,
} from '../model/index.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import { executePlan } from './execute.js'
import { askOracles, type Failed } from './oracles.js'
import { makePlan } from './plan.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-oracles-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What was said, and what the memory makes of it: left out, damaged, kept, and kept but never found. */
const PARTS = {
  dropped: { said: 'The gate code is 4711.', kept: null },
  damaged: { said: 'The boiler is in the attic.', kept: 'The boiler is somewhere.' },
  whole: { said: 'Rosa sings in a choir.', kept: 'Rosa sings in a choir.' },
  hidden: { said: 'Odo fears geese.', kept: 'Odo fears geese.' },
} as const
type Part = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as Part[]

const time = (i: number) => `2026-01-0${i + 1}T00:00:00Z`
const fact = (id: Part): Fact => ({
  id,
  text: PARTS[id].said,
  sources: [`c-${id}`],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const question = (id: Part): Question => ({
  id,
  task: 'all',
  text: PARTS[id].said.replace('.', '?'),
  needs: [[id]],
  outdated: [],
  gold: { kind: 'free', text: '' },
  tags: {},
})
const scenario: Scenario = {
  id: 'tiny/all',
  suite: 'tiny',
  facts: NAMES.map(fact),
  timeline: [
    ...NAMES.map((id, i) => ({
      type: 'conversation' as const,
      conversation: { id: `c-${id}`, time: time(i), turns: [{ role: 'user' as const, text: PARTS[id].said }] },
    })),
    { type: 'probe', probe: { id: 'p', time: time(8), questions: NAMES.map(question) } },
  ],
}
const suite = tinySuite(scenario, 1)

/** Word for word is correct, the same beginning is a damaged version. */
const judge: Judge = {
  name: 'exact',
  key: 'exact@1',
  judgeFacts: async (facts, store) =>
    facts.map(({ id, text }) => {
      const exact = store.filter((memory) => memory.text === text)
      const near = store.filter((memory) => memory.text.startsWith(text.slice(0, 12)))
      const label = exact.length > 0 ? 'correct' : near.length > 0 ? 'summary_error' : 'not_stored'
      const support = (exact.length > 0 ? exact : near).map((memory) => [memory.id])
      return { fact: id, label, uncertain: false, support, reason: '', quotes: [] }
    }),
  judgeAnswer: async (_, answer) => ({ grade: answer === 'yes' ? 'right' : 'wrong', uncertain: false, reason: '' }),
}

/** Finds what shares the first word of the question, in the order in which it came; geese it never finds. */
const system: SystemDefinition = {
  name: 'notes',
  version: '1',
  class: 'raw',
  about: '',
  create: () => {
    const notes: Memory[] = []
    return {
      store: async ({ id }) => {
        const { kept } = PARTS[id.slice(2) as Part]
        if (kept) notes.push({ id, text: kept })
      },
      retrieve: async ({ text }, k) =>
        notes.filter((note) => !note.text.includes('geese') && note.text.slice(0, 8) === text.slice(0, 8)).slice(0, k),
      dump: async () => [...notes],
      insert: async (memories) => void notes.push(...memories),
    }
  },
}

const planOf = (definition: SystemDefinition) =>
  makePlan(
    tinyRequest({ systems: ['notes'] }),
    [{ suite, scenarios: [scenario], datasetHash: 'h', audit: [] }],
    [{ system: 'notes', model: null, definition, options: {} }],
    {},
  )
const plan = planOf(system)

let opened = 0

/** Runs the plan, then asks the oracles about some questions. */
async function explained(
  reader: Reader | null,
  about: readonly Part[] = ['dropped', 'damaged', 'hidden'],
  relived: SystemDefinition = system,
) {
  const log: string[] = []
  const failures: string[] = []
  const tools = {
    store: openSqliteStore(join(folder, `${opened++}.db`)),
    embed: { id: 'none', dimensions: 0, embed: async () => [] },
    llm: () => expect.fail('no model here'),
    inFlight: 1,
    workroot: join(folder, 'work'),
    signal: new AbortController().signal,
    settleMs: 1000,
    log: (message: string) => void log.push(message),
  }
  const tracker = judge
  const readers = new Map<string, Reader>()
  await executePlan({
    run: 'r',
    plan,
    judge: sameJudgePair(judge),
    tracker,
    readers,
    concurrency: 1,
    tools,
    onProgress: () => {},
  })
  const failed = about.map((id): Failed => ({ question: question(id), probe: 'p', time: time(8), depth: { k: 1 } }))
  const grade = async (_: Question, answer: string) => answer === 'yes'
  const onFailure = (message: string) => void failures.push(message)
  const [life] = planOf(relived).lives
  const asked = await askOracles('r', life!, failed, { ...tools, judge, reader, grade, onFailure })
  return { log, failures, found: Object.fromEntries(asked.map((one) => [one.question, one])) }
}

const blames = (found: Awaited<ReturnType<typeof explained>>['found']) =>
  Object.fromEntries(Object.entries(found).map(([id, one]) => [id, blameOf(one)]))

/** Knows what it is shown, and nothing where a damaged version stands beside it; without memories it guesses right. */
function reading(seen: Memory[][] = [], read?: Reader['read']): Reader {
  return {
    name: 'fake',
    key: 'fake@1',
    read: async (asked, memories, about) => {
      seen.push([...memories])
      if (read) return read(asked, memories, about)
      const told = memories.some(({ text }) => text === PARTS[asked.id as Part].said)
      const doubt = memories.some(({ text }) => text === PARTS.damaged.kept) && asked.id === 'damaged'
      const answer = memories.length === 0 || (told && !doubt) ? 'yes' : 'no'
      return { answer, prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }
    },
  }
}

const PROVEN = { dropped: 'not_stored', damaged: 'summary_error', hidden: 'not_retrieved' }

describe('oracles', () => {
  it('find by evidence alone what repairs each question', async () => {
    const { found } = await explained(null)
    expect(blames(found)).toEqual(PROVEN)
    expect(found.damaged).toMatchObject({ needed: true, store: false, stored: false, faithful: true, both: true })
  })

  it('find the same from answers; a faithful version takes the place of the damaged one', async () => {
    const seen: Memory[][] = []
    const { found } = await explained(reading(seen))
    expect(blames(found)).toEqual(PROVEN)
    expect(seen.every((memories) => memories.length > 0)).toBe(true)
  })

  it('hand over facts with the time at which they were said', async () => {
    const seen: Memory[][] = []
    await explained(reading(seen), ['hidden'])
    expect(seen[0]).toEqual([expect.objectContaining({ text: PARTS.hidden.said, time: time(3) })])
  })

  it('blame the reader when not even the needed facts help', async () => {
    const stubborn = reading([], async () => ({ answer: 'no', prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }))
    expect(blames((await explained(stubborn, ['whole'])).found)).toEqual({ whole: 'reasoning_error' })
  })

  it('leave open what a model did not answer, and stop where going on is of no use', async () => {
    const failing = (code: LlmError['code']) =>
      reading([], async () => {
        throw new LlmError(code, 'It said nothing.', '')
      })
    const { found, log } = await explained(failing('unparsable'), ['hidden'])
    expect(blames(found)).toEqual({ hidden: 'unmeasured' })
    expect(log[0]).toBe('hidden: It said nothing.')
    await expect(explained(failing('auth'), ['hidden'])).rejects.toThrow('It said nothing.')
  })

  /** The same system, of which one method fails or gives something else. */
  const broken = (methods: Record<string, () => Promise<unknown>>): SystemDefinition => ({
    ...system,
    create: async (context, options) => ({ ...(await system.create(context, options)), ...methods }),
  })
  const boom = async () => {
    throw new TypeError('boom')
  }

  it.each([
    ['store', 'store failed: boom', { store: boom }],
    ['settle', 'settle failed: boom', { settle: boom }],
    ['insert', 'insert failed: boom', { insert: boom }],
    ['retrieve', 'retrieve failed: retrieve returned object, expected a list', { retrieve: async () => ({}) }],
    ['dump', 'dump failed: dump of notes returned a memory without an id', { dump: async () => [{ text: 'x' }] }],
  ])('leave open what a system did not do whose %s fails, and name the method', async (_, words, methods) => {
    const { found, failures } = await explained(null, ['dropped'], broken(methods))
    expect(failures[0]).toContain(`notes: ${words}`)
    expect(blames(found)).toEqual({ dropped: 'unmeasured' })
    expect(found.dropped!.needed).toBe(true)
  })

  it('do not mind a memory that cannot be closed', async () => {
    const { found, failures, log } = await explained(null, ['dropped'], broken({ close: boom }))
    expect(blames(found)).toEqual({ dropped: 'not_stored' })
    expect(failures).toEqual([])
    expect(log[0]).toBe('notes: close failed: boom')
  })
})
