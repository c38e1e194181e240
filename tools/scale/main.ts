import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { actingModel, PRICES, SPEC } from '../../bench/llm-model.js'
import { startScriptedServer } from '../../bench/scripted-server.js'
import { missing, PostgresServer } from '../../test/postgres-server.js'

/*
 * Throughput of workers that share a run, against a provider that answers after 500 ms and takes so many calls a second: npm run scale
 * One worker alone, eight with a provider that takes all they ask, eight with one that takes less. Four calls at a time a worker.
 */

const cli = join(import.meta.dirname, '../../dist/cli/main.js')
const LATENCY_MS = 500
const [FEW, MANY] = [160, 800]

if (missing.length > 0) {
  process.stderr.write(`Not found here: ${missing.join(', ')}.\n`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'memscope-scale-'))
const prices = join(folder, 'prices.json')
writeFileSync(prices, JSON.stringify(PRICES))
const server = await PostgresServer.start()
const plan = [
  ...['run', '--suite', 'memfail', '--system', 'bm25,bm25:unit=sentence,full-context', '--size', '60', '--k', '1,3'],
  ...['--reader', SPEC, '--llm-concurrency', '4', '--prices', prices, '--quiet'],
]

try {
  const one = await measure(1, null, FEW)
  const above = await measure(8, 10 * one, MANY)
  const limit = Math.round(4 * one)
  const below = await measure(8, limit, MANY / 2)
  const told = (name: string, found: number, ideal: number) =>
    `${name.padEnd(44)} ${found.toFixed(1).padStart(6)} calls a second, ${(found / ideal).toFixed(2)} of ${ideal.toFixed(1)}\n`
  process.stdout.write(told('1 worker', one, one))
  process.stdout.write(told('8 workers, provider takes more', above, 8 * one))
  process.stdout.write(told(`8 workers, provider takes ${limit} a second`, below, limit))
  if (above < 0.9 * 8 * one || below < 0.9 * limit) process.exitCode = 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Calls a second while all are at work: between the first fifth and the last of so many calls. */
async function measure(workers: number, limit: number | null, calls: number): Promise<number> {
  const model = actingModel({ latencyMs: LATENCY_MS }, { input: 400, output: 20 })
  const times: number[] = []
  let tokens = 1
  let filled = performance.now()
  const begin = model.begin.bind(model)
  model.begin = (kind, request, connection = null) => {
    const now = performance.now()
    if (limit !== null) {
      tokens = Math.min(limit, tokens + ((now - filled) / 1000) * limit)
      filled = now
      if (tokens < 1) return { ...begin(kind, request, connection), fault: 'rate-limit' }
      tokens--
    }
    times.push(now)
    return begin(kind, request, connection)
  }
  const provider = await startScriptedServer(model)
  const env = { ...process.env, MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: provider.url }
  const { name, url } = server.fresh()
  const rate = limit === null ? [] : ['--rate', `openai-compatible=${Math.floor(limit * 60)}rpm`]
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [cli, ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const leader = start([...plan, ...rate, '--store', url, '--workers', '0', '--home', join(folder, 'leader')])
  await server.rowsIn(name, 'memscope.unit')
  const crew = Array.from({ length: workers }, (_, n) =>
    start(['worker', url, '--run', 'last', '--quiet', '--home', join(folder, `w${n}`)]),
  )
  while (times.length < calls && leader.exitCode === null) await pause(50)
  const ended = [leader, ...crew].map((child) => (child.exitCode === null ? once(child, 'exit') : null))
  for (const child of [leader, ...crew]) child.kill('SIGKILL')
  await Promise.all(ended)
  await provider.close()
  const [from, to] = [times[Math.floor(calls * 0.25)]!, times[Math.floor(calls * 0.95)]!]
  const found = (1000 * calls * 0.7) / (to - from)
  const refused = model.stats.faults['rate-limit'] ?? model.stats.calls - times.length
  process.stderr.write(
    `${workers} workers, limit ${limit?.toFixed(0) ?? 'none'}: ${found.toFixed(1)} a second, ${refused} refused\n`,
  )
  return found
}
