// Kills runs whose memory, reader and judge are models, in the middle of ingest, answer and judge and at any other time, and resumes them.
// Every finished run must equal an undisturbed one, tokens and cost included. A kill may cost the calls that were under way, never more than
// run at a time, and no reply that had reached the run may be asked for again. What had reached it is told by what the server saw, never by
// how long ago it was: a busy machine reads late.
// Usage: node scripts/kill-llm.mjs [--kills 50] [--seed 1]
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Libsql from 'libsql'
import { actingModel, PRICES, SPEC } from '../build/bench/llm-model.js'
import { startScriptedServer } from '../dist/gateway/index.js'
import { comparable, fail, memscope, seeded } from './killing.mjs'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
})
const wanted = Number(values.kills)
const random = seeded(Number(values.seed))
const LATENCY_MS = 30
const CONCURRENCY = 16
/**
 * A reply is read before its connection is used again, and kept before the run reads anything that comes later: after so many more requests over
 * the same connection it is surely kept.
 */
const SURELY_KEPT_AFTER = 2
const PARTS = ['ingest', 'answer', 'judge']
/** Where a run is killed, in turn; then it may finish and the next begins. */
const MOMENTS = ['any', ...PARTS]

const folder = mkdtempSync(join(tmpdir(), 'memscope-kill-llm-'))
const prices = join(folder, 'prices.json')
writeFileSync(prices, JSON.stringify(PRICES))

/** Calls as the server saw them: what was asked, for which part of a run, whether the reply is out, and how many came after it over its connection. */
const calls = []
/** Which start of the command line is under way, over all runs; and those that were killed. */
let sitting = 0
const killed = new Set()
/** Calls over each connection. */
const over = new Map()
let onCall = () => {}
const model = actingModel({ latencyMs: LATENCY_MS })
const begin = model.begin.bind(model)
model.begin = (kind, request, connection) => {
  const turn = begin(kind, request, connection)
  const id = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const call = { id, part: partOf(request), sitting, open: true, later: 0 }
  calls.push(call)
  const before = over.get(connection) ?? []
  for (const earlier of before) earlier.later++
  over.set(connection, [...before, call])
  onCall(call)
  const end = () => {
    call.open = false
    turn.end()
  }
  return { ...turn, end }
}
const server = await startScriptedServer(model)
const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: server.url }
const models = ['--llm-concurrency', String(CONCURRENCY), '--prices', prices, '--budget', '100']
const fixture = fileURLToPath(new URL('../test/fixtures/llm-notes.ts', import.meta.url))
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

/** Kills a moment after one of the calls of a part has come, or at any time, before the first call too. */
function arming(where, left, strike) {
  return (kill) => {
    const timers = []
    const after = (ms) => {
      timers.push(setTimeout(() => strike(kill), ms))
    }
    if (where === 'any') after(50 + random() * 1500)
    else {
      let countdown = 1 + Math.floor(random() * left)
      let struck = false
      onCall = ({ part }) => {
        if (part !== where || --countdown > 0 || struck) return
        struck = true
        // Half of them with the call surely under way, half anywhere until after its reply.
        if (random() < 0.5) strike(kill)
        else after(random() * 1.5 * LATENCY_MS)
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
const needed = new Map(calls.map(({ id, part }) => [id, part]))
if (needed.size !== calls.length) fail('the undisturbed run made a call twice')
if (kept(join(folder, 'undisturbed')) !== needed.size) fail('the undisturbed run made calls that it did not keep')

let kills = 0
let finished = 0
let repeated = 0
let most = 0
let surelyKept = 0
const during = { ingest: 0, answer: 0, judge: 0, none: 0 }

/** The calls of a run, over all its sittings. */
function checkRun(start) {
  const seen = new Map()
  for (const call of calls.slice(start)) {
    if (!needed.has(call.id)) fail(`after ${kills} kills: a call was made that the undisturbed run did not make`)
    if (killed.has(call.sitting) && call.later >= SURELY_KEPT_AFTER) surelyKept++
    const before = seen.get(call.id)
    seen.set(call.id, call)
    if (!before) continue
    repeated++
    if (!killed.has(before.sitting))
      fail(`after ${kills} kills: a sitting that was not killed made a call that was made again`)
    if (before.later >= SURELY_KEPT_AFTER)
      fail(
        `after ${kills} kills: a reply for ${call.part} was read (${before.later} calls came after it over its connection), and asked for again`,
      )
  }
  if (seen.size !== needed.size) fail(`after ${kills} kills: ${seen.size} different calls, not ${needed.size}`)
}

while (kills < wanted) {
  const home = join(folder, `home-${finished}`)
  const out = join(folder, `run-${finished}.json`)
  const start = calls.length
  const moments = [...MOMENTS]
  let run
  for (;;) {
    const from = calls.length
    sitting++
    const before = kept(home)
    const done = new Set(calls.slice(start).map(({ id }) => id))
    const where = kills < wanted ? moments.shift() : undefined
    const left = [...needed].filter(([id, part]) => part === where && !done.has(id)).length
    const open = new Set()
    const strike = (kill) => {
      for (const call of calls.slice(from)) if (call.open) open.add(call.part)
      killed.add(sitting)
      kill()
    }
    const arm = where === 'any' || left > 0 ? arming(where, left, strike) : undefined
    const args = run ? ['--resume', run] : flags
    const result = await memscope([...args, ...models, '--home', home, '--json', out], { arm, env })
    run ??= result.run
    const lost = calls.length - from - (kept(home) - before)
    if (lost > (result.killed ? CONCURRENCY : 0))
      fail(`after ${kills} kills: ${lost} calls were made and not kept; at most ${CONCURRENCY} run at a time`)
    most = Math.max(most, lost)
    if (result.killed) {
      kills++
      if (open.size === 0) during.none++
      for (const part of open) during[part]++
    } else if (result.code !== 0) fail(`after ${kills} kills: exit ${result.code}\n${result.said}`)
    else if (moments.length === 0 || kills >= wanted || kept(home) === needed.size) break
  }
  checkRun(start)
  if (comparable(out) !== expected) fail(`after ${kills} kills: ${out} differs from ${truth}`)
  finished++
}
if (repeated > kills * CONCURRENCY) fail(`${repeated} calls were made again after ${kills} kills`)
const missed = PARTS.filter((part) => during[part] === 0)
if (wanted >= 10 * MOMENTS.length && surelyKept === 0) fail('no kill came after a reply that was surely kept')
if (wanted >= 10 * MOMENTS.length && missed.length > 0) fail(`no kill met ${missed.join(' or ')}`)
await server.close()
rmSync(folder, { recursive: true })
process.stdout.write(
  `${kills} kills (ingest ${during.ingest}, answer ${during.answer}, judge ${during.judge}, between calls ${during.none}), ` +
    `${finished} finished runs of ${needed.size} calls: all equal to the undisturbed run; ` +
    `${repeated} calls made again, ${(repeated / kills).toFixed(1)} a kill, at most ${most} (${CONCURRENCY} run at a time); ` +
    `none of ${surelyKept} replies that had surely been read before a kill\n`,
)
