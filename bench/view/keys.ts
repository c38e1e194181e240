import { defineSuite, defineSystem, fingerprint, type Memory, type Scenario } from '../../src/index.js'

const SCENARIOS = 500
const EACH = 100
const TASKS = Array.from({ length: 20 }, (_, at) => `door-${at + 1}`)

/** Questions of the suite. */
export const QUESTIONS = SCENARIOS * EACH

/** Keys and what each opens: as many questions as a run may have, and quickly made. */
export const keySuite = suiteOf('keys', SCENARIOS)

/** The same with few questions, to be asked of many systems at many depths: a matrix as wide as one may be. */
export const wideSuite = suiteOf('few-keys', 4)

function suiteOf(name: string, scenarios: number) {
  return defineSuite({
    name,
    about: 'which door a key opens',
    defaultK: [1],
    tasks: TASKS.map((task) => ({ name: task, about: 'the door of a key' })),
    async load() {
      const all = Array.from({ length: scenarios }, (_, at) => scenario(name, at))
      return { scenarios: all, datasetHash: fingerprint({ scenarios, EACH }), audit: [] }
    },
  })
}

function scenario(suite: string, at: number): Scenario {
  const time = '2026-01-01T00:00:00Z'
  const keys = Array.from({ length: EACH }, (_, i) => `key-${at * EACH + i}`)
  const door = (key: string) => `door-${key.slice(4)}`
  return {
    id: `${suite}/house-${at}`,
    suite,
    timeline: [
      ...keys.map((key) => {
        const turns = [{ role: 'user' as const, text: `The ${key} opens the ${door(key)}.` }]
        return { type: 'conversation' as const, conversation: { id: key, time, turns } }
      }),
      {
        type: 'probe',
        probe: {
          id: 'end',
          time,
          questions: keys.map((key, i) => ({
            id: key,
            task: TASKS[i % TASKS.length]!,
            text: `What does the ${key} open?`,
            needs: [[key]],
            outdated: [],
            tags: {},
            gold: { kind: 'free' as const, text: door(key) },
          })),
        },
      },
    ],
    facts: keys.map((key) => ({
      id: key,
      text: `The ${key} opens the ${door(key)}.`,
      sources: [key],
      cues: {
        kind: 'statement' as const,
        explicit: true,
        parts: [
          { role: 'what' as const, forms: [key] },
          { role: 'value' as const, forms: [door(key)] },
        ],
      },
    })),
  }
}

/** Memories that find three of four keys. */
export const keyMemories = Array.from({ length: 8 }, (_, at) => keyMemory(at === 0 ? 'key-ring' : `key-ring-${at + 1}`))

function keyMemory(name: string) {
  return defineSystem({
    name,
    version: '1',
    create() {
      const held = new Map<string, Memory>()
      return {
        async store({ id, turns }) {
          held.set(id, { id, text: turns[0]!.text })
        },
        async retrieve({ text }, k) {
          const key = /key-\d+/.exec(text)?.[0] ?? ''
          const isMissed = Number(key.slice(4)) % 4 === 0
          const found = isMissed ? [...held.values()][0] : held.get(key)
          return found ? [found].slice(0, k) : []
        },
        async dump() {
          return [...held.values()]
        },
      }
    },
  })
}
