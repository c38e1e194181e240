// Kills runs whose memory, reader and judge are models, at random moments of ingest, answer and judge, and resumes them. Every finished run
// must equal an undisturbed one, tokens and cost included, and no call may be made twice whose reply the cache had.
// Usage: node scripts/kill-llm.mjs [--kills 50] [--seed 1]
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Libsql from 'libsql'
import { actingModel, PRICES, SPEC } from '../dist/bench/llm-model.js'
import { startScriptedServer } from '../dist/gateway/index.js'
import { comparable, fail, memscope, seeded } from './killing.mjs'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
const wanted = Number(values.kills)
const random = seeded(Number(values.seed))
const LATENCY_MS = 30
/** A reply that has left the server needs as long to reach the cache of the other process, on a busy machine. */
const ON_ITS_WAY_MS = 1000
const CONCURRENCY = 16
/** Kills of one run; then it may finish and the next begins, so that every part gets its share. */
const KILLS_A_RUN = 4

const folder = mkdtempSync(join(tmpdir(), 'memscope-kill-llm-'))
const prices = join(folder, 'prices.json')
writeFileSync(prices, JSON.stringify(PRICES))

/** Calls as the server saw them: their part in the run, and when they ended. */
const calls = []
let onCall = () => {}
const model = actingModel({ latencyMs: LATENCY_MS })
const begin = model.begin.bind(model)
model.begin = (kind, request) => {
  const turn = begin(kind, request)
  const call = { part: partOf(request), ended: Number.POSITIVE_INFINITY }
  calls.push(call)
  onCall()
  const end = () => {
    call.ended = Math.min(call.ended, performance.now())
    turn.end()
  }
  return { ...turn, end }
}
const server = await startScriptedServer(model)
const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: server.url }
const models = ['--llm-concurrency', String(CONCURRENCY), '--prices', prices, '--budget', '100']
const fixture = new URL('../test/fixtures/llm-notes.ts', import.meta.url).pathname
const flags = [
  ...['--suite', 'memfail', '--system', fixture, '--size', '6', '--pack', '8'],
  ...['--model', SPEC, '--reader', SPEC, '--judge', `llm:${SPEC}`],
]

function partOf({ format }) {
  const properties = format?.schema?.properties ?? {}
  return properties.note ? 'ingest' : properties.verdicts || properties.grades ? 'judge' : 'answer'
}

/** Replies in the cache of a home. */
function kept(home) {
  const file = join(home, 'cache', 'replies.db')
  if (!existsSync(file)) return 0
  const db = new Libsql(file)
  try {
    return db.prepare('SELECT COUNT(*) AS n FROM reply').get().n
  } catch (error) {
    // Killed before the table was made.
    if (/no such table/.test(String(error))) return 0
    throw error
  } finally {
    db.close()
  }
}

/** Kills a moment after a certain call has come; now and then at any time, before the first call too. */
function moment(left, notes) {
  return (kill) => {
    const strike = () => {
      const now = performance.now()
      const first = notes.from
      notes.open = calls.slice(first).filter(({ ended }) => ended > now - ON_ITS_WAY_MS)
      notes.parts = new Set(notes.open.filter(({ ended }) => ended > now).map(({ part }) => part))
      kill()
    }
    const timers = []
    if (random() < 0.1) timers.push(setTimeout(strike, 50 + random() * 1500))
    else {
      let countdown = 1 + Math.floor(random() * left)
      onCall = () => {
        if (--countdown === 0) timers.push(setTimeout(strike, random() * LATENCY_MS))
      }
    }
    return () => {
      onCall = () => {}
      for (const timer of timers) clearTimeout(timer)
    }
  }
}

const truth = join(folder, 'undisturbed.json')
const calm = await memscope([...flags, ...models, '--home', join(folder, 'undisturbed'), '--json', truth], { env })
if (calm.code !== 0) fail(calm.said)
const expected = comparable(truth)
const needed = calls.length
if (kept(join(folder, 'undisturbed')) !== needed) fail('the undisturbed run made calls that it did not keep')

let kills = 0
let finished = 0
let lostInAll = 0
let inFlight = 0
const during = { ingest: 0, answer: 0, judge: 0, none: 0 }
while (kills < wanted) {
  const home = join(folder, `home-${finished}`)
  const out = join(folder, `run-${finished}.json`)
  const start = calls.length
  let allowed = 0
  let here = 0
  let run
  for (;;) {
    const before = kept(home)
    const notes = { from: calls.length, open: [], parts: new Set() }
    const arm = kills < wanted && here < KILLS_A_RUN ? moment(needed - before, notes) : undefined
    const args = run ? ['--resume', run] : flags
    const result = await memscope([...args, ...models, '--home', home, '--json', out], { arm, env })
    run ??= result.run
    const lost = calls.length - notes.from - (kept(home) - before)
    const most = result.killed ? notes.open.length : 0
    if (lost > most)
      fail(`after ${kills} kills: ${lost} calls were made that the cache lacks or had, ${most} in flight`)
    lostInAll += lost
    allowed += most
    if (result.killed) {
      kills++
      here++
      if (notes.parts.size === 0) during.none++
      for (const part of notes.parts) during[part]++
      continue
    }
    if (result.code !== 0) fail(`after ${kills} kills: exit ${result.code}\n${result.said}`)
    break
  }
  if (calls.length - start > needed + allowed)
    fail(`after ${kills} kills: ${calls.length - start} calls, not ${needed}`)
  if (comparable(out) !== expected) fail(`after ${kills} kills: ${out} differs from ${truth}`)
  inFlight += allowed
  finished++
}
await server.close()
rmSync(folder, { recursive: true })
process.stdout.write(
  `${kills} kills (ingest ${during.ingest}, answer ${during.answer}, judge ${during.judge}, between ${during.none}), ` +
    `${finished} finished runs of ${needed} calls: all equal to the undisturbed run; ` +
    `${lostInAll} calls made again, ${inFlight} were in flight\n`,
)
