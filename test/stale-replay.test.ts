import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRun } from '../src/analysis/results.js'
import { executePlan } from '../src/engine/execute.js'
import { makePlan } from '../src/engine/plan.js'
import { timelineKey } from '../src/engine/timeline.js'
import { createLexicalJudge } from '../src/judges/lexical/index.js'
import { type Fact, type Memory, type Reader, type SystemDefinition, sameJudgePair } from '../src/model/index.js'
import { openSqliteStore } from '../src/store/sqlite-run-store.js'
import { tinyQuestion, tinyScenario } from './engine/keeper.js'
import { tinyRequest } from './engine/request.js'
import { tinySuite } from './engine/suite.js'
import { plainTools } from './engine/tools.js'

/** What memories held and handed over, what readers answered, and what a person says became of it. */
interface Replay {
  facts: Fact[]
  question: { text: string; needs: string[][]; outdated: string[]; value: string; old: string[] }
  memories: Record<string, Record<string, string | Omit<Memory, 'id'>>>
  cases: { memory: string; context: string[]; answer: string | null; outcome: string; why: string }[]
}

const replay = JSON.parse(readFileSync(new URL('./fixtures/stale-replay.json', import.meta.url), 'utf8')) as Replay
const folder = mkdtempSync(join(tmpdir(), 'memscope-stale-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { value, old, ...asked } = replay.question
const question = tinyQuestion('q', asked.needs, { ...asked, gold: { kind: 'current', value, old, text: value } })
const scenario = tinyScenario(replay.facts, [question])
const suite = tinySuite(scenario, 5)
const judge = createLexicalJudge()

/** A memory that holds and gives what was written down of it. */
function recorded({ memory, context }: Replay['cases'][number]): SystemDefinition {
  const held = Object.entries(replay.memories[memory]!).map(
    ([id, kept]): Memory => (typeof kept === 'string' ? { id, text: kept } : { id, ...kept }),
  )
  return {
    name: memory,
    version: '1',
    class: 'raw',
    about: '',
    create: () => {
      let heard = false
      return {
        store: async () => {
          heard = true
        },
        retrieve: async () => context.map((id) => held.find((one) => one.id === id)!),
        dump: async () => (heard ? held : []),
      }
    },
  }
}

async function outcomeOf(one: Replay['cases'][number], at: number): Promise<string | null> {
  const store = openSqliteStore(join(folder, `${at}.db`))
  const reader: Reader = {
    name: 'recorded',
    key: 'recorded@1',
    read: async () => ({ answer: one.answer!, prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }),
  }
  const readers = one.answer === null ? [] : [reader]
  const plan = makePlan(
    tinyRequest({ ks: [5], readers: readers.length > 0 ? ['recorded'] : ['none'] }),
    [{ suite, scenarios: [scenario], datasetHash: 'h', audit: [] }],
    [{ system: one.memory, model: null, definition: recorded(one), options: {} }],
    {},
  )
  await executePlan({
    run: 'r',
    plan,
    judge: sameJudgePair(judge),
    tracker: judge,
    readers: new Map(readers.map((known) => [known.name, known])),
    concurrency: 1,
    tools: plainTools(store, folder),
    onProgress: () => {},
  })
  const results = {
    judge: sameJudgePair(judge.key),
    timeline: timelineKey(judge.key),
    readers: new Map(readers.map((known) => [known.name, known])),
  }
  for await (const life of readRun('r', plan, results, store)) return life.results[0]!.assessment.outcome
  return null
}

describe('an outdated fact', () => {
  for (const [at, one] of replay.cases.entries()) {
    const given = one.answer === null ? 'nobody reads it' : `"${one.answer}"`
    it(`in ${one.memory} (${one.context.join(', ')}), ${given}: ${one.outcome}, for ${one.why}`, async () => {
      expect(await outcomeOf(one, at)).toBe(one.outcome)
    })
  }
})
