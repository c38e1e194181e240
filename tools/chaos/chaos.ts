import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { actingModel, PRICES, SPEC } from '../../bench/llm-model.js'
import { startScriptedServer } from '../../bench/scripted-server.js'
import type { PostgresServer } from '../../test/postgres-server.js'
import { comparable } from '../kill/start.js'
import { checkLog, type LogLine } from './checker.js'

const cli = join(import.meta.dirname, '../../dist/cli/main.js')

export interface ChaosOptions {
  workers: number
  /** Least time of unrest. */
  seconds: number
  killEveryMs: number
  /** When the database is restarted and a worker frozen, as shares of that time. */
  restarts: readonly number[]
  freezeAt: number | null
  leaseSeconds: number
  latencyMs: number
  /** Calls a second over all workers. */
  rate: number
  /** What is run, in flags. */
  plan: readonly string[]
  draw(): number
  folder: string
  tell(message: string): void
}

export interface ChaosResult {
  seconds: number
  kills: number
  cuts: number
  calls: number
  repeated: number
  inFlight: number
  spent: number
  cap: number
  claims: number
  effects: number
  takeovers: number
  longestStuckMs: number
  /** Workers that were given up though nobody had touched them. */
  silent: number
}

/** Calls at a time of one worker. */
const CALLS = 4
/** A unit may be without a worker for no longer, once the database is there. */
const MOST_STUCK_MS = 15_000
/** More than any call here can cost. */
const BOUND_USD = 0.03

/**
 * Runs a plan with models in every part on workers that are killed, cut off, frozen and left without their database, and checks that nothing
 * came of it but time.
 *
 * @throws Error when something that must hold did not
 */
export async function runChaos(server: PostgresServer, options: ChaosOptions): Promise<ChaosResult> {
  const { folder, draw, tell, seconds } = options
  const seen = new Map<string, number>()
  const model = actingModel({ latencyMs: 0 })
  const begin = model.begin.bind(model)
  model.begin = (kind, request, connection = null) => {
    const id = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    seen.set(id, (seen.get(id) ?? 0) + 1)
    return begin(kind, request, connection)
  }
  const provider = await startScriptedServer(model)
  const prices = join(folder, 'prices.json')
  writeFileSync(prices, JSON.stringify(PRICES))
  const env = { ...process.env, NO_COLOR: '1', MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: provider.url }
  const flags = [...options.plan, '--prices', prices, '--quiet']
  const start = (args: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...env, MEMSCOPE_LEASE_SECONDS: String(options.leaseSeconds), ...more },
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-3_000)
    })
    return { child, said: () => said, ended: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]> }
  }

  const truth = join(folder, 'undisturbed.json')
  const calm = start(['run', ...flags, '--home', join(folder, 'calm'), '--json', truth])
  const [calmCode] = await calm.ended
  if (calmCode !== 0) throw new Error(`undisturbed: exit ${calmCode}\n${calm.said()}`)
  const needed = new Map(seen)
  const expected = comparable(truth)
  const ledger = () => {
    const { input, output } = model.stats.billed
    const price = PRICES[SPEC]!
    return (input * price.input + output * price.output) / 1e6
  }
  const calmUsd = ledger()
  const calls = model.stats.calls
  tell(`undisturbed: ${calls} calls, $${calmUsd.toFixed(3)}`)
  seen.clear()
  model.options.latencyMs = options.latencyMs

  const { name, url } = server.fresh()
  const kills = Math.ceil((seconds * 1000) / options.killEveryMs)
  const cap = calmUsd + (kills + 1 + options.workers) * CALLS * BOUND_USD
  const limits = `concurrency=${CALLS},openai-compatible=${Math.round(options.rate * 60)}rpm`
  const shared = ['--store', url, '--workers', '0', '--llm', limits, '--budget', String(cap)]
  const out = join(folder, 'chaos.json')
  const leader = start(['run', ...flags, ...shared, '--home', join(folder, 'home'), '--json', out])
  let over = false
  leader.ended.then(() => {
    over = true
  })
  const sql = (statement: string) => server.sql(name, statement)
  await Promise.race([server.rowsIn(name, 'memscope.unit'), leader.ended])
  if (over) throw new Error(`the run did not begin: ${leader.said()}`)
  const run = sql('SELECT run FROM memscope.job')
  sql('UPDATE memscope.job SET logged = true')
  const running = new Map<number, ReturnType<typeof start>>()
  const deaths = new Map<number, number>()
  const thawed = new Map<number, number>()
  const failures: string[] = []
  const allowed = ['--allow-system', options.plan[options.plan.indexOf('--system') + 1]!]
  const startWorker = () => {
    const home = ['--home', join(folder, `w${deaths.size}-${draw()}`)]
    const worker = start(['worker', '--run', run, '--quiet', ...home, ...allowed], { MEMSCOPE_STORE: url })
    const pid = worker.child.pid!
    running.set(pid, worker)
    worker.ended.then(([code]) => {
      running.delete(pid)
      if (code !== 0 && code !== null) failures.push(`worker ${pid}: exit ${code}\n${worker.said()}`)
    })
  }
  for (let n = 0; n < options.workers; n++) startWorker()

  const [began, startedAt] = [performance.now(), Date.now()]
  const elapsed = () => (performance.now() - began) / 1000
  let [cuts, inFlight, frozen] = [0, 0, null as ChildProcess | null]
  let thaw = Number.POSITIVE_INFINITY
  const back: number[] = []
  const restarts = [...options.restarts]
  let freezeAt = options.freezeAt
  const openOf = (pid: number) =>
    Number(
      sql(`SELECT count(*) FROM memscope.reservation r JOIN memscope.worker w ON w.id = r.worker WHERE w.pid = ${pid}`),
    )
  let spentMost = 0
  for (let n = 1; !over && failures.length === 0; n++) {
    await pause(options.killEveryMs)
    if (over) break
    spentMost = Math.max(spentMost, ledger() - calmUsd)
    if (spentMost > cap) throw new Error(`the provider has charged $${spentMost}, above the cap of $${cap}`)
    if (restarts[0] !== undefined && elapsed() > restarts[0] * seconds) {
      restarts.shift()
      await server.down()
      await pause(2_000)
      await server.up()
      back.push(Date.now())
      tell(`${elapsed().toFixed(0)} s: the database was restarted`)
    }
    if (freezeAt !== null && elapsed() > freezeAt * seconds) {
      freezeAt = null
      const [worker] = [...running.values()]
      frozen = worker!.child
      frozen.kill('SIGSTOP')
      inFlight += openOf(frozen.pid!)
      deaths.set(frozen.pid!, Date.now())
      thaw = performance.now() + (options.leaseSeconds + 4) * 1000
      tell(`${elapsed().toFixed(0)} s: worker ${frozen.pid} is frozen`)
    }
    if (performance.now() > thaw) {
      frozen?.kill('SIGCONT')
      if (frozen) thawed.set(frozen.pid!, Date.now())
      tell(`${elapsed().toFixed(0)} s: it is thawed`)
      frozen = null
      thaw = Number.POSITIVE_INFINITY
    }
    const alive = [...running.values()].filter(({ child }) => child !== frozen)
    const victim = alive[Math.floor(draw() * alive.length)]
    if (victim && elapsed() < seconds) {
      victim.child.kill('SIGKILL')
      deaths.set(victim.child.pid!, Date.now())
      startWorker()
    }
    if (n % 4 === 0) {
      const cut = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'memscope%' AND random() < 0.4`
      cuts += Number(sql(cut))
    }
    if (n % 10 === 0) {
      const done = sql("SELECT count(*) FILTER (WHERE state = 'done') || ' of ' || count(*) FROM memscope.unit")
      tell(
        `${elapsed().toFixed(0)} s: ${deaths.size} killed, ${cuts} connections cut, ${model.stats.calls - calls} calls, ${done} units done`,
      )
    }
  }
  frozen?.kill('SIGCONT')
  const took = elapsed()
  const [code] = await leader.ended
  await Promise.all([...running.values()].map(({ ended }) => ended))
  await provider.close()
  if (code !== 0 || failures.length > 0) throw new Error(`exit ${code}\n${leader.said()}\n${failures.join('\n')}`)
  if (comparable(out) !== expected) throw new Error(`${out} differs from ${truth}`)

  const log = JSON.parse(
    sql(`SELECT coalesce(json_agg(json_build_object('seq', seq, 'at', 1000 * extract(epoch FROM at), 'unit', unit,
      'fence', fence, 'worker', worker, 'what', what)), '[]') FROM memscope.log`),
  ) as LogLine[]
  const { claims, effects, takeovers } = checkLog(log)
  const pids = new Map(
    sql("SELECT id || ' ' || pid FROM memscope.worker")
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
  let longestStuckMs = 0
  const silent = new Set<string>()
  for (const { unit, from, at } of takeovers) {
    const pid = Number(pids.get(from))
    const isBack = (thawed.get(pid) ?? Number.POSITIVE_INFINITY) < at && deaths.get(pid)! < thawed.get(pid)!
    const died = isBack ? undefined : deaths.get(pid)
    // On a machine that is too busy a worker may be silent for a whole lease by itself.
    if (died === undefined) silent.add(from)
    if (died === undefined) continue
    const since = Math.max(died, ...back.filter((time) => time < at))
    longestStuckMs = Math.max(longestStuckMs, at - since)
    if (at - since > MOST_STUCK_MS) {
      const moment = (time: number) => `${((time - startedAt) / 1000).toFixed(1)} s`
      tell(
        `unit ${unit}: its worker ${pid} died at ${moment(died)}, taken at ${moment(at)}; database back at ${back.map(moment)}`,
      )
    }
  }
  if (longestStuckMs > MOST_STUCK_MS) throw new Error(`a unit was stuck for ${longestStuckMs} ms`)

  inFlight += Number(sql('SELECT count(*) FROM memscope.reservation')) + silent.size * CALLS
  let repeated = 0
  for (const [id, count] of seen) {
    if (!needed.has(id)) throw new Error('a call was made that the undisturbed run did not make')
    repeated += Math.max(0, count - needed.get(id)!)
  }
  if ([...needed.keys()].some((id) => !seen.has(id))) throw new Error('a call of the undisturbed run was never made')
  if (repeated > inFlight) throw new Error(`${repeated} calls were made again, and only ${inFlight} were in flight`)
  const spent = ledger() - calmUsd
  if (spent > cap) throw new Error(`the provider has charged $${spent}, above the cap of $${cap}`)
  const [made, killed] = [model.stats.calls - calls, deaths.size]
  const counts = {
    claims,
    effects,
    takeovers: takeovers.length,
    longestStuckMs: Math.round(longestStuckMs),
    silent: silent.size,
  }
  return { seconds: took, kills: killed, cuts, calls: made, repeated, inFlight, spent, cap, ...counts }
}

/** What was found, in words. */
export function wordsOf(result: ChaosResult): string {
  const {
    seconds,
    kills,
    cuts,
    calls,
    repeated,
    inFlight,
    spent,
    cap,
    claims,
    effects,
    takeovers,
    longestStuckMs,
    silent,
  } = result
  return [
    `${seconds.toFixed(0)} s, ${kills} workers killed or frozen, ${cuts} connections cut: equal to the undisturbed run`,
    `${calls} calls, ${repeated} of them again, ${inFlight} were in flight at kills; ${silent} workers too busy to be heard of`,
    `the provider charged $${spent.toFixed(3)} of $${cap.toFixed(3)}`,
    `${claims} claims, ${effects} effects, one valid holder at any time; ${takeovers} takeovers, longest stuck ${(longestStuckMs / 1000).toFixed(1)} s`,
  ].join('\n')
}
