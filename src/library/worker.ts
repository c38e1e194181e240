import { setTimeout as pause } from 'node:timers/promises'
import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import type { SharedStore } from '../store/postgres/index.js'
import { compose, homeAt } from './compose.js'
import { type Heard, hearControl } from './control.js'
import { requireSameWorker } from './join.js'
import { findRun, keptRequest } from './kept-run.js'
import { isShared, openRunStore, trafficOf } from './open-store.js'
import { Parts } from './own-parts.js'
import type { WorkerOptions } from './run-types.js'
import { MODEL_SETTINGS } from './settings/models.js'
import { refuseMoved } from './settings/moved.js'
import { STORE_VARIABLE } from './shared-run.js'
import type { Control } from './types.js'
import { lanesFor, workOn } from './work.js'

/** How often a store without open runs is looked at. */
const IDLE_MS = 2_000

/** Works for runs in a shared store until there is nothing left to do. */
export async function worker(asked: WorkerOptions = {}, control: Control = {}): Promise<void> {
  const told = hearControl(control)
  const address = asked.store ?? process.env[STORE_VARIABLE]
  if (address === undefined)
    throw new UserError('Which store?', `Usage: memscope worker postgres://…, or set ${STORE_VARIABLE}.`)
  const store = await openRunStore(homeAt(asked.home, address))
  try {
    if (!isShared(store)) throw new UserError('A worker needs a store that is shared.')
    const named = asked.run === undefined ? null : (await findRun(store, asked.run)).id
    const refused = new Map<string, unknown>()
    while (!told.signal.aborted) {
      const open = (await store.coordination.openRuns()).filter((id) => !refused.has(id))
      const next = named ?? open[0]
      if (next === undefined) {
        const [error] = refused.values()
        if (asked.once && error) throw error
        if (asked.once) return
        await pause(IDLE_MS, undefined, { signal: told.signal }).catch(() => {})
        continue
      }
      try {
        await workFor(next, store, asked, told)
      } catch (error) {
        if (named !== null || !(error instanceof UserError)) throw error
        // Other runs may be for this worker all the same.
        refused.set(next, error)
        told.warn(`${error.message}${error.hint ? `\n${error.hint}` : ''}`)
      }
      if (named !== null) return
    }
  } finally {
    await store.close()
  }
}

/** Works for one run until it is done. Refuses one of another version, setting or file. */
async function workFor(run: string, store: SharedStore, asked: WorkerOptions, told: Heard): Promise<void> {
  const record = (await store.getRun(run))!
  const { request, settingParts, shared } = keptRequest(record.request)
  if (!shared)
    throw new UserError(`The run ${run} is not for workers.`, 'Go on with it by: memscope run --store … --resume')
  const home = homeAt(asked.home)
  const draining = new AbortController()
  const number = (flag: string, given: number | undefined) =>
    given === undefined ? undefined : wholeNumber(flag, given, 1, 256)
  const calls = ownConcurrency(asked) ?? shared.access.concurrency
  const workshop = await compose(request, home, {
    access: { ...shared.access, ...(calls !== undefined && { concurrency: calls }) },
    account: run,
    log: told.warn,
    systemMs: shared.systemMs,
    parts: new Parts(asked.parts),
    shared: trafficOf(store, draining.signal),
  })
  try {
    requireSameWorker(record, { settingParts, joins: shared.joins }, workshop)
    const lives = number('concurrency', asked.concurrency) ?? shared.lives
    told.tell({ type: 'note', message: `Works for the run ${run}.` })
    const lanes = lanesFor(workshop, lives, calls)
    await workOn({ record, workshop, store, home }, { lanes, told, draining })
    told.tell({ type: 'done' })
  } finally {
    await workshop.close()
  }
}

/** Most calls of one model at a time, where this worker has a limit of its own; the rest of how models are asked is the run's. */
function ownConcurrency(asked: WorkerOptions): number | undefined {
  refuseMoved(asked)
  const { concurrency, attemptMs, rates } = MODEL_SETTINGS.llm.read(asked.llm ?? [])
  if (attemptMs === undefined && Object.keys(rates).length === 0) return concurrency
  throw new UserError('A worker has no --llm but concurrency=<n>: the rest is as the run says.')
}
