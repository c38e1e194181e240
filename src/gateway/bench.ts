import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { createGateway, type Gateway, type GatewayOptions } from './gateway.js'
import { ScriptedModel } from './scripted/index.js'

const CONCURRENCY = 64
const SPEC = 'openai-compatible:bench'
/** About 500 tokens, as a judge's prompt is. */
const FILLER = 'The user told me about the weather, the garden and a long walk by the river. '.repeat(30)

interface Case {
  name: string
  latencyMs: number
  calls: number
  http: boolean
  options?: Partial<GatewayOptions>
  schema?: boolean
}

const CASES: readonly Case[] = [
  { name: 'in process', latencyMs: 50, calls: 6400, http: false },
  { name: 'HTTP', latencyMs: 50, calls: 6400, http: true },
  { name: 'HTTP, schema, budget', latencyMs: 50, calls: 6400, http: true, schema: true, options: { budgetUsd: 1e6 } },
  { name: 'HTTP', latencyMs: 500, calls: 1280, http: true },
]

/** What the gateway adds to the time that a provider takes. Has the shape of a `Bench`, see `src/bench/bench.ts`. */
export const gatewayBench = {
  name: 'gateway',
  about: 'overhead per model call at 64 calls at a time',
  run: async (progress: (message: string) => void) => {
    const rows: string[][] = []
    for (const bench of CASES) {
      progress(`${bench.name}, ${bench.latencyMs} ms`)
      rows.push(await measure(bench))
    }
    return {
      title: 'Gateway',
      note:
        `Scripted model with a fixed latency, ${CONCURRENCY} calls at a time, cache on, every reply written to it. Ideal is total latency ÷ ` +
        'concurrency. Overhead is what one call adds to it: (wall − ideal) × concurrency ÷ calls, that is, how much longer a slot is busy; ' +
        'work is how long the main thread is busy per call, which bounds calls a second. "again" is a second pass, all from the cache. The server runs on a thread ' +
        'of its own and shares the processors.',
      columns: ['case', 'latency ms', 'calls', 'ideal s', 'wall s', 'ratio', 'overhead ms', 'work ms', 'again ms'],
      rows,
    }
  },
}

async function measure({ name, latencyMs, calls, http, options, schema }: Case): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-bench-'))
  const server = http ? await startServer(latencyMs) : null
  const scripted = { bench: new ScriptedModel({ rules: [], otherwise: 'It is what the memories say.', latencyMs }) }
  const gateway = createGateway({
    env: server ? { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: server.url } : {},
    cacheDir: folder,
    concurrency: CONCURRENCY,
    prices: { bench: { input: 1, output: 1, maxOutput: 100 } },
    scripted,
    ...options,
  })
  const spec = http ? SPEC : 'scripted:bench'
  try {
    await pass(gateway, spec, 'warm-up', CONCURRENCY * 4, schema)
    const before = performance.eventLoopUtilization()
    const started = performance.now()
    await pass(gateway, spec, 'measured', calls, schema)
    const wall = performance.now() - started
    const { active } = performance.eventLoopUtilization(before)
    const again = performance.now()
    await pass(gateway, spec, 'measured', calls, schema)
    const cached = (performance.now() - again) / calls
    const ideal = (calls * latencyMs) / CONCURRENCY
    const overhead = ((wall - ideal) * CONCURRENCY) / calls
    const figures = [ideal / 1000, wall / 1000, wall / ideal, overhead, active / calls, cached]
    return [name, String(latencyMs), String(calls), ...figures.map((value) => value.toFixed(2))]
  } finally {
    await gateway.close()
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pass(gateway: Gateway, spec: string, name: string, calls: number, schema = false): Promise<void> {
  const llm = gateway.llm(spec)
  const shape = z.object({ yes: z.boolean() })
  await Promise.all(
    Array.from({ length: calls }, (_, i) => {
      const messages = [{ role: 'user' as const, content: `${FILLER}${name} ${i}` }]
      const role = { role: 'judge' } as const
      return schema ? llm.generate({ messages, schema: shape }, role) : llm.generate({ messages }, role)
    }),
  )
}

async function startServer(latencyMs: number): Promise<{ url: string; close(): Promise<unknown> }> {
  const worker = new Worker(new URL('./bench-server.js', import.meta.url), { workerData: { latencyMs } })
  const url = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { url, close: () => worker.terminate() }
}
