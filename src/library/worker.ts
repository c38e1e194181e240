import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import type { SharedStore } from '../store/postgres/index.js'
import { compose, homeAt } from './compose.js'
import { type Heard, hearControl } from './control.js'
import { requireSameProgram, requireSameWorker } from './join.js'
import { findRun, keptRequest, vectorLengthOf } from './kept-run.js'
import { codeIn, type NamedCode } from './named-code.js'
import { isShared, openRunStore, trafficOf } from './open-store.js'
import { Parts } from './own-parts.js'
import type { WorkerOptions } from './run-types.js'
import { MODEL_SETTINGS, providersFrom } from './settings/models.js'
import { refuseMoved } from './settings/moved.js'
import { listOf } from './settings/values.js'
import { STORE_VARIABLE } from './shared-run.js'
import { workerAccess } from './shared-settings.js'
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

/**
 * Refuses a run that names code which this worker was not told to run: its row may be of anybody who can write to the store.
 *
 * @throws UserError before any of it is loaded
 */
function requireAllowed(run: string, { systems, files }: NamedCode, { allowSystem, allowFile }: WorkerOptions): void {
  const [known, paths] = [listOf(allowSystem) ?? [], (listOf(allowFile) ?? []).map((path) => resolve(path))]
  const refused = [
    ...systems.filter((spec) => !known.includes(spec)).map((spec) => `--allow-system ${quoted(spec)}`),
    ...files.filter((path) => !paths.includes(resolve(path))).map((path) => `--allow-file ${quoted(path)}`),
  ]
  if (refused.length === 0) return
  throw new UserError(
    `The run ${run} would run here what this worker was not told to run.`,
    `If you know what it is and who started the run, start the worker with: ${refused.join(' ')}`,
  )
}

/** As a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Works for one run until it is done. Refuses what it was not told to accept, then one of another version, setting or file. */
async function workFor(run: string, store: SharedStore, asked: WorkerOptions, told: Heard): Promise<void> {
  const record = (await store.getRun(run))!
  const { request, settingParts, shared, code } = keptRequest(record.request)
  if (!shared)
    throw new UserError(`The run ${run} is not for workers.`, 'Go on with it by: memscope run --store … --resume')
  const parts = new Parts(asked.parts)
  const own = asked.providers === undefined ? undefined : providersFrom(asked.providers)
  const { access, systemMs, joins, lives: usual } = workerAccess(run, shared, own)
  const named = codeIn(request, parts)
  requireAllowed(run, named, asked)
  requireSameProgram(run, joins, { named, hashes: code?.hashes ?? {} })
  const home = homeAt(asked.home)
  const draining = new AbortController()
  const number = (flag: string, given: number | undefined) =>
    given === undefined ? undefined : wholeNumber(flag, given, 1, 256)
  const calls = ownConcurrency(asked) ?? access.concurrency
  const workshop = await compose(request, home, {
    access: { ...access, ...(calls !== undefined && { concurrency: calls }) },
    account: run,
    log: told.warn,
    systemMs,
    parts,
    vectorLength: vectorLengthOf(settingParts.embedder),
    shared: trafficOf(store, draining.signal),
  })
  try {
    requireSameWorker(record, settingParts, workshop)
    const lives = number('concurrency', asked.concurrency) ?? usual
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
