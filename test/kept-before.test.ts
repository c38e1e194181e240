import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { analyseRun } from '../src/analysis/summarize.js'
import { executePlan } from '../src/engine/execute.js'
import { makePlan } from '../src/engine/plan.js'
import { timelineKey } from '../src/engine/timeline.js'
import { settingParts } from '../src/library/settings/parts.js'
import { type RunStore, sameJudgePair } from '../src/model/index.js'
import { summaryJson } from '../src/report/summary-json.js'
import { openSqliteStore } from '../src/store/sqlite-run-store.js'
import { root } from './cli.js'
import { definitions, instrumentsOver, loaded, request } from './fixtures/kept-6/setting.js'

/** A run store of version 6 and its replies, as the code of that version wrote them, with the summary it made of them. */
const KEPT = join(root, 'test/fixtures/kept-6')

const folder = mkdtempSync(join(tmpdir(), 'memscope-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

/** Databases as they were written before: the store, and the cache of replies. */
function written(name: 'memscope' | 'replies', within: string): string {
  const file = join(within, `${name}.db`)
  const db = new Database(file)
  db.exec(readFileSync(join(KEPT, `${name}.sql`), 'utf8'))
  db.close()
  return file
}

/** Runs the plan; what it makes of it, and how often a model had to be asked. */
async function ran(store: RunStore, cacheDir: string) {
  const { model, gateway, judge, readers, tools } = instrumentsOver(cacheDir, store, cacheDir)
  const keys = Object.fromEntries([...readers].map(([name, { key }]) => [name, key]))
  const subjects = definitions.map((one) => ({ ...one, system: one.definition.name, options: {} }))
  const instruments = { judge: sameJudgePair(judge.key), readers: keys, embedder: 'none', harness: '0' }
  const plan = makePlan(request, [loaded], subjects, settingParts({ request, suites: [loaded], ...instruments }))
  await executePlan({
    ...{ run: 'r', plan, judge: sameJudgePair(judge), tracker: judge, readers, concurrency: 1, tools },
    onProgress: () => {},
  })
  const record = {
    ...{ id: 'r', created: '2026-01-01T00:00:00Z', status: 'valid' as const, setting: plan.setting },
    ...{ subjects: plan.subjectPrints, request: {}, elapsedMs: 0, embedding: { texts: 0, ms: 0 } },
  }
  const resultKeys = { judge: sameJudgePair(judge.key), timeline: timelineKey(judge.key), readers }
  const { summary } = await analyseRun(record, plan, sameJudgePair('exact'), resultKeys, store)
  await gateway.close()
  // Bounds were not written then.
  const text = summaryJson(summary)
  const { schema, timing, ...told } = JSON.parse(text, (key, value) => (/bounds$/i.test(key) ? undefined : value))
  return { calls: model.stats.calls, told, life: { run: 'r', ...plan.lives[0]!.key } }
}

const before = JSON.parse(readFileSync(join(KEPT, 'summary.json'), 'utf8'))

function newFolder(): string {
  return mkdtempSync(join(folder, `${count++}-`))
}

describe('what was kept by the version before', () => {
  it('in a run store is all found again: nothing is asked, and the cells are the same', async () => {
    const home = newFolder()
    const store = openSqliteStore(written('memscope', home))
    const { calls, told, life } = await ran(store, home)
    expect(calls).toBe(0)
    expect(told).toEqual(before)
    expect(await store.getCounterfactuals(life, 'fake@1', 'exact@1')).toEqual([
      ...[
        { question: 'q2', depth: { tokens: 8 }, needed: true, store: null, stored: false, faithful: null, both: true },
      ],
    ])
    expect((await store.getRun('r'))?.subjects).toEqual(before.fingerprint.subjects)
    await store.close()
  })

  it('in a store of version 4 is found as well', async () => {
    const home = newFolder()
    const file = written('memscope', home)
    const db = new Database(file)
    db.exec('DROP TABLE attempt; DROP TABLE holder; DROP TABLE store_side; PRAGMA user_version = 4')
    db.close()
    const store = openSqliteStore(file)
    const { calls, told } = await ran(store, home)
    expect([calls, told]).toEqual([0, before])
    await store.close()
  })

  it('as replies of models answers every call of a new run', async () => {
    const home = newFolder()
    written('replies', home)
    const store = openSqliteStore(join(home, 'memscope.db'))
    const { calls, told } = await ran(store, home)
    expect([calls, told]).toEqual([0, before])
    await store.close()
  })

  it('would be asked for again, were it not there', async () => {
    const home = newFolder()
    const store = openSqliteStore(join(home, 'memscope.db'))
    const { calls, told } = await ran(store, home)
    expect([calls, told]).toEqual([51, before])
    await store.close()
  })
})
