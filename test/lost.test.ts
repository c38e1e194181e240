import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEC } from '../bench/llm-model.js'
import { rehearsedModel } from '../bench/rehearsed-model.js'
import { escapeRegExp } from '../src/base/text.js'
import { ScriptedModel } from '../src/gateway/index.js'
import { conversationsOf, type Fact, probesOf, type Question, type Scenario } from '../src/model/index.js'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { openSqliteStore } from '../src/store/sqlite-run-store.js'
import { meme } from '../src/suites/meme/index.js'
import { memfail } from '../src/suites/memfail/index.js'
import { memora } from '../src/suites/memora/index.js'
import { Stage } from './llm.js'

const EXTRA = { filler: 'none', fillers: '', days: '2', personas: 'sales_manager', pack: '1', replies: 'none' }
/** Vectors of the same server: which memories are found changes nothing here, and vectors of a real model are most of the work. */
const VECTORS = ['--embedder', 'openai-compatible:words']
const SIZE = { memfail: 8, meme: 4, memora: 1 }

const scenarios: Scenario[] = []
let stage: Stage
const summaries = new Map<string, Summary>()

/** Conversations that the model refuses to read: some of those that say what is asked for. */
const isRefused = (index: number) => index % 9 === 4

beforeAll(async () => {
  for (const suite of [memfail, meme, memora]) {
    const size = SIZE[suite.name as keyof typeof SIZE]
    scenarios.push(...(await suite.load({ view: 'audited', seed: 42, size, extra: EXTRA })).scenarios)
  }
  const refused = scenarios.flatMap((scenario) => {
    const telling = new Set(scenario.facts.flatMap(({ sources }) => sources))
    const told = conversationsOf(scenario).filter(({ id }) => telling.has(id))
    return told.filter((_, i) => isRefused(i)).map(({ turns }) => turns.find(({ role }) => role === 'user')!.text)
  })
  const anyOf = refused.map((text) => escapeRegExp(text.slice(0, 80))).join('|')
  stage = await Stage.open(
    new ScriptedModel({
      rules: [
        { when: { text: new RegExp(anyOf) }, reply: 'I am sorry, but I cannot help with that.' },
        ...rehearsedModel().options.rules,
      ],
    }),
  )
  for (const suite of ['memfail', 'meme', 'memora'] as const) {
    const extra = suite === 'meme' ? ['--filler', 'none'] : suite === 'memora' ? ['--days', '2'] : []
    const named = suite === 'memora' ? 'memora:personas=sales_manager' : suite
    const size = suite === 'memora' ? [] : ['--size', String(SIZE[suite])]
    const flags = ['--suite', named, ...size, ...extra, '--system', 'mem0-v1', '--model', SPEC, '--k', '5']
    const { out } = await stage.play(['run', ...flags, ...VECTORS, '--quiet', '--json', '-', '--home', suite])
    summaries.set(suite, JSON.parse(out))
  }
})

afterAll(() => stage.server.close())

/** The questions that the rule names, worked out anew: what each alternative rests on, and what was corrected where. */
function named({ facts, timeline }: Scenario, lost: ReadonlySet<string>): Set<string> {
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const gone = new Set<string>()
  const heard = new Set<string>()
  const isLost = (id: string) => byId.get(id)!.sources.some((source) => lost.has(source) && heard.has(source))
  const unmeasured = ({ needs, outdated }: Question) => {
    const rests = (set: string[]): boolean =>
      set.some((id) => (byId.get(id)!.sources.length > 0 ? isLost(id) : rests(needs[0]!)))
    const corrects = ({ replaces, invalidates = [] }: Fact) =>
      outdated.some((id) => id === replaces || invalidates.includes(id))
    return (needs.length > 0 && needs.every(rests)) || facts.some((fact) => corrects(fact) && isLost(fact.id))
  }
  for (const event of timeline) {
    if (event.type === 'conversation') heard.add(event.conversation.id)
    else for (const question of event.probe.questions) if (unmeasured(question)) gone.add(question.id)
  }
  return gone
}

describe.each(['memfail', 'meme', 'memora'])('a model that refuses some conversations of %s', (suite) => {
  it('leaves unmeasured exactly the questions that the rule names', async () => {
    const store = openSqliteStore(join(stage.cwd, suite, 'memscope.db'))
    const { run, cells } = summaries.get(suite)!
    let [lost, unmeasured, measured] = [0, 0, 0]
    for (const scenario of scenarios.filter((one) => one.suite === suite)) {
      const life = { run: run.id, subject: { system: 'mem0-v1', model: SPEC }, scenario: scenario.id, trial: 0 }
      const missing = new Set((await store.getIngest(life))?.lost?.map(({ conversation }) => conversation))
      const errors = (await store.witnessKeys(life))
        .filter(({ error }) => error !== null)
        .map(({ question }) => question)
      expect(new Set(errors), scenario.id).toEqual(named(scenario, missing))
      lost += missing.size
      unmeasured += errors.length
      measured += probesOf(scenario).flatMap(({ questions }) => questions).length - errors.length
    }
    await store.close()
    expect(lost).toBeGreaterThan(0)
    expect(unmeasured).toBeGreaterThan(0)
    expect(measured).toBeGreaterThan(unmeasured)
    const told = cells.filter(({ system }) => system === 'mem0-v1')
    expect(told.reduce((sum, cell) => sum + cell.errors, 0)).toBe(unmeasured)
    expect(Math.max(...told.map(({ conversations }) => conversations.lost))).toBeGreaterThan(0)
  })

  it('says in the report how many conversations were lost, and marks the row', async () => {
    const { out } = await stage.play(['report', 'last', '--md', '-', '--home', suite])
    expect(out).toMatch(/! mem0-v1 could not store [\d,]+ of [\d,]+ conversations \(\d+ %\)/)
  })

  it('ends the whole life with --strict', async () => {
    if (suite !== 'memfail') return
    const flags = ['--suite', 'memfail/long-hop', '--size', '8', '--system', 'mem0-v1', '--model', SPEC, '--k', '5']
    const { out } = await stage.play([
      'run',
      ...flags,
      ...VECTORS,
      '--strict',
      '--quiet',
      '--json',
      '-',
      '--home',
      'strict',
    ])
    const cell = (JSON.parse(out) as Summary).cells.find(({ system }) => system === 'mem0-v1')!
    expect(cell.errors).toBe(cell.n)
  })
})
