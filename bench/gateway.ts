import { fork } from 'node:child_process'
import { z } from 'zod'
import { createGateway, type Gateway, type GatewayOptions } from '../src/gateway/gateway.js'
import { ScriptedModel } from '../src/gateway/scripted/index.js'
import { removeTemporary, temporaryFolder } from '../tools/temporary.js'
import type { Bench } from './bench.js'

const CONCURRENCY = 64
const SPEC = 'openai-compatible:bench'
/** About 500 tokens, as a judge's prompt is. */
const FILLER = 'The user told me about the weather, the garden and a long walk by the river. '.repeat(30)

/** Who ask at the same time; those who have no turn wait in the gateway's queue, as the questions of a run do. */
const CALLERS = 4 * CONCURRENCY

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
  { name: "HTTP by Node's own fetch", latencyMs: 50, calls: 6400, http: true, options: { fetch } },
  { name: 'HTTP, schema, budget', latencyMs: 50, calls: 6400, http: true, schema: true, options: { budgetUsd: 1e6 } },
  { name: 'HTTP', latencyMs: 500, calls: 1280, http: true },
]

/** What the gateway adds to the time that a provider takes. */
export const gatewayBench: Bench = {
  name: 'gateway',
  about: 'overhead per model call at 64 calls at a time',
  run: async (progress) => {
    const rows: string[][] = []
    for (const bench of CASES) {
      progress(`${bench.name}, ${bench.latencyMs} ms`)
      rows.push(await measure(bench))
    }
    return {
      title: 'Gateway',
      note:
        `Scripted model with a fixed latency, ${CONCURRENCY} calls at a time for ${CALLERS} callers, cache on, every reply written to it. ` +
        'Ideal is total latency ÷ concurrency. Overhead is what one call adds to its latency: (wall − ideal) × concurrency ÷ calls, that is, ' +
        'how much longer its place is taken; all replies of a round come at the same moment, so it holds the wait for each other too. CPU is the processor ' +
        'time of the whole process per call. "again" is a second pass per call, all from the cache. The server is a process of its own and ' +
        'shares the processors.',
      columns: ['case', 'latency ms', 'calls', 'ideal s', 'wall s', 'ratio', 'overhead ms', 'CPU ms', 'again ms'],
      rows,
    }
  },
}

async function measure({ name, latencyMs, calls, http, options, schema }: Case): Promise<string[]> {
  const folder = temporaryFolder('bench')
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
    await pass(gateway, spec, 'warm-up', CONCURRENCY * 10, schema)
    const before = process.cpuUsage()
    const started = performance.now()
    await pass(gateway, spec, 'measured', calls, schema)
    const wall = performance.now() - started
    const { user, system } = process.cpuUsage(before)
    const again = performance.now()
    await pass(gateway, spec, 'measured', calls, schema)
    const cached = (performance.now() - again) / calls
    const ideal = (calls * latencyMs) / CONCURRENCY
    const overhead = ((wall - ideal) * CONCURRENCY) / calls
    const figures = [ideal / 1000, wall / 1000, wall / ideal, overhead, (user + system) / 1000 / calls, cached]
    return [name, String(latencyMs), String(calls), ...figures.map((value) => value.toFixed(2))]
  } finally {
    await gateway.close()
    server?.close()
    removeTemporary(folder)
  }
}

async function pass(gateway: Gateway, spec: string, name: string, calls: number, schema = false): Promise<void> {
  const llm = gateway.llm(spec)
  const shape = z.object({ yes: z.boolean() })
  const role = { role: 'judge' } as const
  let next = 0
  const caller = async () => {
    while (next < calls) {
      const messages = [{ role: 'user' as const, content: `${FILLER}${name} ${next++}` }]
      if (schema) await llm.generate({ messages, schema: shape }, role)
      else await llm.generate({ messages }, role)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

async function startServer(latencyMs: number): Promise<{ url: string; close(): void }> {
  const child = fork(new URL('./gateway-server.js', import.meta.url), [String(latencyMs)])
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (said) => resolve(String(said)))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server of the bench ended with ${code}`)))
  })
  return { url, close: () => child.disconnect() }
}
