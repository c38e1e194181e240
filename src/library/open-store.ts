import { dirname } from 'node:path'
import { UserError } from '../base/errors.js'
import type { SharedTraffic } from '../gateway/shared.js'
import type { RunStore } from '../model/index.js'
import type { SharedStore } from '../store/postgres/index.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import type { Home } from './compose.js'
import { tightenHome } from './private-home.js'

/** How many seconds a worker that says nothing is taken to be alive, where it is not ten. The same for all workers. */
const LEASE_VARIABLE = 'MEMSCOPE_LEASE_SECONDS'

/** Opens the runs of a home: its own file, or the store that was named instead. */
export async function openRunStore({ database, store }: Home): Promise<RunStore | SharedStore> {
  if (store === null) {
    tightenHome(dirname(database))
    return openSqliteStore(database)
  }
  const { isPostgresUrl, openPostgresStore } = await import('../store/postgres/index.js')
  if (!isPostgresUrl(store))
    throw new UserError('--store is no address of a PostgreSQL.', 'Write postgres://user@host:5432/database.')
  const seconds = Number(process.env[LEASE_VARIABLE])
  return openPostgresStore(store, seconds >= 1 ? seconds * 1000 : undefined)
}

/** Whether workers share a store. */
export function isShared(store: RunStore): store is SharedStore {
  return 'coordination' in store
}

/** What the gateway of this process shares with others; undefined where runs are in a file. */
export function trafficOf(store: RunStore, draining?: AbortSignal): SharedTraffic | undefined {
  if (!isShared(store)) return undefined
  const { coordination, presence, replies, vectors, batches, countCall } = store
  const traffic = { coordination, replies, vectors, batches, countCall }
  return { worker: presence.worker.id, ...traffic, ...(draining && { draining }) }
}
