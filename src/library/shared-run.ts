import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UserError } from '../base/errors.js'
import type { RunRecord } from '../model/index.js'
import type { SharedStore } from '../store/postgres/index.js'
import type { Heard } from './control.js'
import { type KeptRun, keptRequest } from './kept-run.js'
import type { ModelAccess } from './model-access.js'
import { codeIn } from './named-code.js'
import { StoppedError } from './types.js'
import { lanesFor, unitsOfPlan, workOn } from './work.js'

/** How often the progress of workers is looked at. */
const LOOK_MS = 1_000
/** Time that local workers have to drain before they are ended. */
const DRAIN_MS = 35_000

/** Where a worker finds the address of its store, so that no list of processes shows a password. */
export const STORE_VARIABLE = 'MEMSCOPE_STORE'

/** How the work of a run in a shared store is done. */
export interface SharedWork {
  /** Local processes; null: this one works by itself. */
  workers: number | null
  lives: number
  calls: number | undefined
  /** Of the home, for local processes. */
  folder: string | undefined
  draining: AbortController
  /** How models are reached: local processes are given the same providers. */
  access: Pick<ModelAccess, 'providers'>
}

/** Lays out a run for workers, has it done, by this process, local ones or others elsewhere, and waits for its end. */
export async function measureShared(
  kept: KeptRun & { store: SharedStore },
  { workers, lives, calls, folder, draining, access }: SharedWork,
  told: Heard,
): Promise<void> {
  const { record, store, workshop } = kept
  const started = performance.now()
  await store.coordination.enqueue(record.id, unitsOfPlan(kept))
  try {
    if (workers === null) await workOn(kept, { lanes: lanesFor(workshop, lives, calls), told, draining })
    else
      await workedOn(
        kept,
        startWorkers(workers, { record, folder, store: kept.home.store!, accepted: acceptedBy(kept, access) }),
        told,
      )
  } finally {
    const elapsedMs = record.elapsedMs + performance.now() - started
    await store.updateRun(record.id, { elapsedMs }).catch(() => {
      // The store may be what failed; the error under way says so.
    })
  }
  if (told.signal.aborted) throw new StoppedError(record.id, true)
}

/** Watches others do it. */
async function workedOn({ record, store }: KeptRun & { store: SharedStore }, local: LocalWorkers, told: Heard) {
  const { signal, tell } = told
  try {
    while (!signal.aborted) {
      const progress = await store.coordination.progress(record.id)
      const alive = progress.workers.filter((worker) => worker.alive).length
      tell({ type: 'progress', ...progress.questions, at: `${alive} workers` })
      if (progress.halted !== null)
        throw new UserError(`The run ${record.id} was stopped: ${progress.halted}`, 'Go on with --resume.', 3)
      if (progress.units.done === progress.units.total) return
      local.requireSome()
      await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    await local.stop()
  }
}

interface LocalWorkers {
  /** @throws UserError when all of those that were started have failed */
  requireSome(): void
  stop(): Promise<void>
}

/** What local workers are told to accept: what was named for this run, whatever its row says by then. */
function acceptedBy({ record }: KeptRun, { providers }: Pick<ModelAccess, 'providers'>): string[] {
  const { systems, files } = codeIn(keptRequest(record.request).request)
  return [
    ...systems.map((spec) => `--allow-system=${spec}`),
    ...files.map((path) => `--allow-file=${path}`),
    ...(providers ? [`--providers=${JSON.stringify(providers)}`] : []),
  ]
}

interface LocalWork {
  record: RunRecord
  /** Of the home. */
  folder: string | undefined
  store: string
  /** Flags that say what they accept. */
  accepted: readonly string[]
}

/** Starts workers as processes of their own; one that was killed is replaced. */
function startWorkers(count: number, { record: { id }, folder, store, accepted }: LocalWork): LocalWorkers {
  const main = fileURLToPath(new URL('../cli/main.js', import.meta.url))
  const running = new Set<ChildProcess>()
  let failed: { said: string; count: number } = { said: '', count: 0 }
  let stopping = false
  const start = () => {
    const home = folder === undefined ? [] : ['--home', folder]
    const args = [main, 'worker', '--run', id, '--quiet', ...home, ...accepted]
    // In a group of its own: Ctrl-C is passed on once, not twice.
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, [STORE_VARIABLE]: store },
    })
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      said = `${said}${chunk}`.slice(-2_000)
    })
    running.add(child)
    child.on('exit', (code) => {
      running.delete(child)
      if (stopping || code === 0) return
      if (code === null) start()
      else failed = { said, count: failed.count + 1 }
    })
  }
  for (let n = 0; n < count; n++) start()
  return {
    requireSome() {
      if (count > 0 && failed.count >= count)
        throw new UserError(`All workers failed.\n${failed.said.trim()}`, undefined, 3)
    },
    async stop() {
      stopping = true
      const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
      for (const child of running) child.kill('SIGINT')
      await Promise.race([Promise.all(ends), pause(DRAIN_MS, undefined, { ref: false })])
      for (const child of running) child.kill('SIGKILL')
    },
  }
}
