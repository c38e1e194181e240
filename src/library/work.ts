import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { UserError } from '../base/errors.js'
import { forgetLossy, type LifeUnit, lifeUnits } from '../engine/execute.js'
import { errorMessage } from '../engine/fatal.js'
import {
  type Lease,
  LeaseLostError,
  leaseInForce,
  type RunProgress,
  subjectKey,
  type UnitOfWork,
} from '../model/index.js'
import type { SharedStore } from '../store/postgres/index.js'
import type { Workshop } from './compose.js'
import type { Heard } from './control.js'
import { type KeptRun, lifeTools } from './kept-run.js'
import { withoutSecrets } from './secrets.js'

/** How often a worker without anything to do looks for something. */
const IDLE_MS = 700
/** Time for a unit that was begun to ask its first calls, before another is taken. */
const SETTLING_MS = 40
/** Time that calls under way have to come to their end when a worker is stopped. */
const DRAIN_MS = 30_000
const TOLD_EVERY_MS = 2_000
/** Longest that a run stands in a store without its units. */
const LAID_OUT_MS = 30_000

/** The units of a plan, as workers share them out. */
export function unitsOfPlan(kept: Pick<KeptRun, 'workshop' | 'record'>): UnitOfWork[] {
  return [...plannedUnits(kept, 1, UNUSED)].map(([name, { after, unit }]) => ({ name, after, weight: unit.weight }))
}

type PlannedUnits = Map<
  string,
  { unit: LifeUnit; after: string | null; begin(store: SharedStore): Promise<void>; at: string }
>

const UNUSED = { log: () => {} } as unknown as ReturnType<typeof lifeTools> & { strict: boolean }

function plannedUnits(
  { workshop, record }: Pick<KeptRun, 'workshop' | 'record'>,
  concurrency: number,
  tools: typeof UNUSED,
): PlannedUnits {
  const units: PlannedUnits = new Map()
  const partsOf = lifeUnits({ ...workshop, run: record.id, concurrency, tools })
  for (const life of workshop.plan.lives) {
    const { alive, after } = partsOf(life)
    const at = `${life.scenario.id} · ${subjectKey(life.subject)}`
    units.set(alive.name, {
      unit: alive,
      after: null,
      at,
      // Takeover is resuming: what was stored with losses begins again.
      begin: (store) => forgetLossy(record.id, [life], store),
    })
    for (const unit of after) units.set(unit.name, { unit, after: alive.name, at, begin: async () => {} })
  }
  return units
}

/** How a worker works for one run. */
export interface WorkOptions {
  /** Units side by side. */
  lanes: number
  told: Heard
  /** Stops new calls when the worker is to end. */
  draining: AbortController
}

interface Lane {
  lease: Lease
  since: number
  lost: AbortController
  over: Promise<void>
}

/**
 * Claims units of a run and does them, until the run is done for all. Units are taken one by one, and none while calls wait for their turn:
 * what this worker cannot do now is left to others. A unit whose lease was lost is left at once; whoever has it goes on from what was kept.
 *
 * @throws UserError when the run was stopped for all
 */
export async function workOn(kept: KeptRun & { store: SharedStore }, options: WorkOptions): Promise<RunProgress> {
  const { record, workshop, store } = kept
  const { lanes, told, draining } = options
  const { coordination, presence } = store
  const stop = new AbortController()
  const strict = workshop.plan.request.strict ?? false
  const tools = { ...lifeTools(kept, record.id, told), strict }
  const planned = plannedUnits(kept, lanes, tools)
  const active = new Map<number, Lane>()
  const began = performance.now()
  let failure: unknown
  let halted: string | null = null

  const work = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    const found = planned.get(lease.name)
    if (!found) throw new UserError(`The unit ${lease.name} is none of this worker's plan.`, 'Start it again.')
    await found.begin(store)
    await found.unit.work({ ...tools, signal }, () => {})
    await coordination.settle(lease, 'done')
  }
  const begin = (lease: Lease): void => {
    const lost = new AbortController()
    const signal = AbortSignal.any([lost.signal, stop.signal])
    const over = leaseInForce
      .run(lease, () => work(lease, signal))
      .catch(async (error: unknown) => {
        // Given back at once, if it is still ours: nobody has to wait for the lease to run out.
        await coordination.settle(lease, 'given-back').catch(() => {})
        const isOurs = !signal.aborted && !(error instanceof LeaseLostError) && !draining.signal.aborted
        if (isOurs) failure ??= error
      })
      .finally(() => active.delete(lease.unit))
    active.set(lease.unit, { lease, since: performance.now(), lost, over })
  }
  presence.onBeat((beat, sent) => {
    halted ??= beat.halted
    const fences = new Map(beat.leases.map(({ unit, fence }) => [unit, fence]))
    for (const { lease, since, lost } of active.values())
      if (sent > since && fences.get(lease.unit) !== lease.fence) lost.abort(new LeaseLostError(lease.name))
  })
  const isDraining = drained(draining.signal)
  const drain = () => draining.abort()
  told.signal.addEventListener('abort', drain, { once: true })
  if (told.signal.aborted) drain()
  let [toldAt, lookedAt] = [0, 0]
  const tell = async (): Promise<RunProgress> => {
    const progress = await coordination.progress(record.id)
    halted ??= progress.halted
    toldAt = performance.now()
    const [first] = active.values()
    const at = first ? (planned.get(first.lease.name)?.at ?? '') : `${progress.workers.length} workers`
    if (!told.signal.aborted) told.tell({ type: 'progress', ...progress.questions, at })
    return progress
  }
  try {
    await presence.begin(record.id)
    for (;;) {
      if (draining.signal.aborted || failure !== undefined || halted !== null) break
      const isFree = active.size < lanes && !workshop.gateway?.busy()
      // What a dead worker held is taken also by who has enough to do: nobody else may be free for long.
      const isDue = !isFree && active.size < 2 * lanes && performance.now() - lookedAt > IDLE_MS
      if (isDue) lookedAt = performance.now()
      const claim = () => coordination.claim(record.id, presence.worker, 1, randomUUID(), !isFree)
      const [lease] = isFree || isDue ? await claim() : []
      if (lease) {
        begin(lease)
        if (workshop.gateway) await pause(SETTLING_MS)
        continue
      }
      const progress = active.size === 0 || performance.now() - toldAt > TOLD_EVERY_MS ? await tell() : null
      const { done, total } = progress?.units ?? { done: 0, total: 1 }
      // A run that has just begun is laid out in a moment.
      if (progress && done === total && (total > 0 || performance.now() - began > LAID_OUT_MS)) return progress
      await Promise.race([pause(isFree ? IDLE_MS : SETTLING_MS), isDraining])
    }
    draining.abort()
    // A memory without a model has nothing in flight that was paid for.
    if (!workshop.gateway) stop.abort()
    await Promise.race([
      Promise.all([...active.values()].map(({ over }) => over)),
      pause(DRAIN_MS, null, { ref: false }),
    ])
    if (failure !== undefined) await coordination.halt(record.id, withoutSecrets(errorMessage(failure, {})))
    if (failure !== undefined) throw failure
    if (halted !== null) throw new UserError(`The run ${record.id} was stopped: ${halted}`, 'Go on with --resume.', 3)
    return await coordination.progress(record.id)
  } finally {
    told.signal.removeEventListener('abort', drain)
    stop.abort()
    for (const { lease } of active.values()) await coordination.settle(lease, 'given-back').catch(() => {})
  }
}

function drained(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Units side by side, unless asked otherwise: as many as lives, but no more than there are calls at a time; batches take any number. */
export function lanesFor({ gateway, batch }: Workshop, lives: number, calls = lives): number {
  return gateway && !batch ? Math.min(lives, calls) : lives
}
