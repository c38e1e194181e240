import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Coordination, WorkerInfo, WorkerStats } from '../../model/coordination.js'
import type { RunHolder, RunStore } from '../../model/run-store.js'
import { sqlRunStore } from '../sql-run-store.js'
import { openClient, type PgClient } from './client.js'
import { coordinationIn } from './postgres-coordination.js'
import { postgresDriver } from './postgres-driver.js'
import { prepareStore } from './postgres-schema.js'
import { presenceOf, type WorkerPresence } from './presence.js'
import { batchesIn, repliesIn, vectorsIn } from './traffic.js'

export { isPostgresUrl } from './client.js'
export type { WorkerPresence } from './presence.js'
export type { PaidCall } from './traffic.js'

/** Everything that processes on several machines share: runs, work, replies, vectors. */
export interface SharedStore extends RunStore {
  coordination: Coordination
  presence: WorkerPresence
  replies: ReturnType<typeof repliesIn>
  vectors: ReturnType<typeof vectorsIn>
  batches: ReturnType<typeof batchesIn>
  /** Notes a call that this process made and what it cost, for its heartbeats. */
  countCall(usd: number): void
}

/** Opens runs in a PostgreSQL, and makes or updates its tables where that is allowed. */
export async function openPostgresStore(url: string, leaseMs?: number): Promise<SharedStore> {
  const client = await openClient(url)
  try {
    await prepareStore(client, url)
  } catch (error) {
    await client.close()
    throw error
  }
  const worker: WorkerInfo = { id: randomUUID(), host: hostname(), pid: process.pid }
  let [calls, spent] = [0, 0]
  let recent: number[] = []
  const stats = (): WorkerStats => {
    recent = recent.filter((at) => at > performance.now() - 60_000)
    return { calls, callsPerMinute: recent.length, usd: spent }
  }
  const countCall = (usd: number) => {
    calls++
    spent += usd
    recent.push(performance.now())
  }
  const coordination = coordinationIn(client, leaseMs)
  const presence = presenceOf(worker, coordination, stats)
  const close = async () => {
    await presence.leave().catch(() => {
      // Who does not answer any more is given up by the others all the same.
    })
    await client.close()
  }
  const holdRun: RunStore['holdRun'] = (run, holder) => hold(client, presence, run, holder)
  const runs = sqlRunStore(postgresDriver(client, { holdRun, close }))
  const traffic = { replies: repliesIn(client), vectors: vectorsIn(client), batches: batchesIn(client, worker.id) }
  return { ...runs, ...traffic, coordination, presence, countCall }
}

/** A run is held by a process for as long as its heartbeat goes; who dies is followed by the next a lease later. */
async function hold(
  client: PgClient,
  presence: WorkerPresence,
  run: string,
  holder: RunHolder,
): ReturnType<RunStore['holdRun']> {
  await presence.begin(null)
  const token = randomUUID()
  await client.query(
    `INSERT INTO memscope.holder AS h (run, worker, token, body) VALUES ($1, $2, $3, $4)
    ON CONFLICT (run) DO UPDATE SET worker = excluded.worker, token = excluded.token, body = excluded.body
    WHERE NOT EXISTS (SELECT FROM memscope.worker w WHERE w.id = h.worker AND w.until > clock_timestamp())`,
    [run, presence.worker.id, token, JSON.stringify(holder)],
  )
  const find = 'SELECT token, body FROM memscope.holder WHERE run = $1'
  const [kept] = await client.query<{ token: string; body: string }>(find, [run])
  if (kept?.token !== token) return { held: false, by: kept ? JSON.parse(kept.body) : null }
  const release = async () => {
    await client.query('DELETE FROM memscope.holder WHERE run = $1 AND token = $2', [run, token])
  }
  return { held: true, release }
}
