import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { executePlan } from '../src/engine/execute.js'
import { StoreIndex } from '../src/judges/lexical/store/store-index.js'
import { compose, homeAt, type Workshop } from '../src/library/compose.js'
import { requestFrom } from '../src/library/request.js'
import type { LlmRole } from '../src/model/index.js'
import { openSqliteStore } from '../src/store/sqlite-run-store.js'
import { removeTemporary, temporaryFolder } from '../tools/temporary.js'
import type { Bench } from './bench.js'
import { SPEC } from './llm-model.js'

const LATENCY_MS = 500
const CONCURRENCY = 64
const NOTES = resolve('test/fixtures/llm-notes.ts')

interface Case {
  name: string
  system: string
  /** Facts a conversation: a memory with a model inside takes in one conversation after the other. */
  pack: string
  ks: number[]
}

const CASES: readonly Case[] = [
  { name: 'bm25, reader, judge; k 5', system: 'bm25', pack: '1', ks: [5] },
  { name: 'bm25, reader, judge; k 1, 5, 10, 20', system: 'bm25', pack: '1', ks: [1, 5, 10, 20] },
  { name: 'model inside, reader, judge; k 5', system: NOTES, pack: '10', ks: [5] },
]

/** How near whole runs with models come to what the latency of their calls allows. */
export const llmRunBench: Bench = {
  name: 'llm-run',
  about: `MemFail with models that take ${LATENCY_MS} ms, ${CONCURRENCY} calls at a time`,
  async run(progress) {
    const rows: string[][] = []
    for (const one of CASES) {
      progress(one.name)
      rows.push(await measure(one))
    }
    return {
      title: 'Runs with models',
      note:
        `All of MemFail's bundled corpora against the scripted model over HTTP, ${LATENCY_MS} ms a reply, at most ${CONCURRENCY} calls at a ` +
        'time, start-up excluded. Ideal is the larger of two times that no run can be below: the chain, the longest row of single calls of ' +
        'which each needs the one before (all notes of one memory, one after the other, then one answer, then its grade) × latency; and the ' +
        'load, all calls × latency ÷ concurrency. That the answers of the longest chain cannot all be given at once is not part of it. Busy is how long the ' +
        'main thread worked. The server runs on a thread of its own and shares the processors.',
      columns: ['run', 'notes', 'answers', 'judge', 'chain s', 'load s', 'ideal s', 'wall s', 'ratio', 'busy s'],
      rows,
    }
  },
}

async function measure({ name, system, pack, ks }: Case): Promise<string[]> {
  const folder = temporaryFolder('bench')
  const server = await startServer()
  process.env.MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL = server.url
  const home = homeAt(folder)
  const models = { model: SPEC, reader: SPEC, judge: `llm:${SPEC}` }
  const request = await requestFrom({ suite: 'memfail', settings: { pack }, size: 'paper', system, k: ks, ...models })
  const workshop = await compose(request, home, { access: { concurrency: CONCURRENCY } })
  const store = openSqliteStore(home.database)
  try {
    await warmUp(workshop)
    const before = callsOf(workshop)
    const idle = performance.eventLoopUtilization()
    const started = performance.now()
    await executePlan({
      run: 'bench',
      plan: workshop.plan,
      judge: workshop.judge,
      tracker: workshop.tracker,
      readers: workshop.readers,
      concurrency: 16,
      tools: {
        store,
        embed: workshop.embed,
        llm: workshop.llm,
        inFlight: 64,
        workroot: home.work,
        signal: new AbortController().signal,
        settleMs: 120_000,
        log: () => {},
      },
      onProgress: () => {},
    })
    const wall = (performance.now() - started) / 1000
    const busy = performance.eventLoopUtilization(idle).active / 1000
    const after = callsOf(workshop)
    const made = (['ingest', 'answer', 'judge'] as const).map((role) => (after[role] ?? 0) - (before[role] ?? 0))
    const calls = made.reduce((sum, count) => sum + count, 0)
    const chain = longestChain(workshop)
    const load = (calls * LATENCY_MS) / 1000 / CONCURRENCY
    const ideal = Math.max(chain, load)
    const figures = [chain, load, ideal, wall, wall / ideal, busy].map((value) => value.toFixed(2))
    return [name, ...made.map(String), ...figures]
  } finally {
    await workshop.close()
    await store.close()
    await server.close()
    removeTemporary(folder)
  }
}

/** Seconds of the longest row of calls of which each needs the one before. */
function longestChain({ plan }: Workshop): number {
  const notes = plan.lives.map(({ subject, scenario }) =>
    subject.model === null ? 0 : scenario.timeline.filter(({ type }) => type === 'conversation').length,
  )
  const answerAndGrade = 2
  return ((Math.max(...notes) + answerAndGrade) * LATENCY_MS) / 1000
}

/** Loads what is loaded once, such as the dictionary by which the judge searches large stores, and opens connections. */
async function warmUp(workshop: Workshop): Promise<void> {
  new StoreIndex([{ id: '1', text: 'A cat sat on the mat.' }]).candidates(['Dogs sit on carpets.'], 1)
  const llm = workshop.llm(SPEC, workshop.plan.subjects[0]!.definition)
  await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, i) =>
      llm.generate({ messages: [{ role: 'user', content: `Question: warm-up ${i}` }] }, { role: 'generate' }),
    ),
  )
}

function callsOf({ gateway }: Workshop): Partial<Record<LlmRole, number>> {
  const counts: Partial<Record<LlmRole, number>> = {}
  for (const { role, paid } of gateway?.usage().lines ?? []) counts[role] = (counts[role] ?? 0) + paid.calls
  return counts
}

async function startServer(): Promise<{ url: string; close(): Promise<unknown> }> {
  const worker = new Worker(new URL('./llm-server.js', import.meta.url), { workerData: { latencyMs: LATENCY_MS } })
  const url = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { url, close: () => worker.terminate() }
}
