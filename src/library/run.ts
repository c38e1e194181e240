import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { UserError } from '../base/errors.js'
import { executePlan } from '../engine/execute.js'
import type { RunRequest } from '../engine/plan.js'
import { priceTable } from '../gateway/index.js'
import { type RunRecord, type RunStore, SYSTEM_TIMEOUT_MS } from '../model/index.js'
import { leftOut } from './all-systems.js'
import { type FoundBaseline, findBaseline, requireBaseline } from './baseline.js'
import { type ComposeOptions, compose, homeAt, type Workshop } from './compose.js'
import { type Heard, hearControl, stoppable, untilStopped } from './control.js'
import { watchEmbedding } from './embedding.js'
import { plainWorkMs } from './forecast.js'
import { findRun, holdRun, type KeptRequest, type KeptRun, keptRequest, lifeTools } from './kept-run.js'
import { keepSuites } from './kept-suites.js'
import { modelAccess } from './model-access.js'
import { codeIn, type NamedCode } from './named-code.js'
import { isShared, openRunStore, trafficOf } from './open-store.js'
import { Parts } from './own-parts.js'
import { checkGate, checkOutputs, publishRun, writeTo } from './publish.js'
import { quickSizeNote, requestFrom, resumedRequest } from './request.js'
import { newRunId } from './run-id.js'
import { refuseMoved } from './settings/moved.js'
import { requireSameSetting } from './settings/parts.js'
import { listOf, systemMsFrom } from './settings/values.js'
import { WORK } from './settings/work.js'
import { measureShared } from './shared-run.js'
import { requireNoSecrets, type SharedSettings, sharedSettings } from './shared-settings.js'
import { keptCode, requireTrusted } from './trust.js'
import { tryOptions } from './try-options.js'
import {
  type Control,
  type EstimateOptions,
  type RunEstimate,
  type RunOptions,
  type RunResult,
  StoppedError,
} from './types.js'

/** Memories side by side when models are waited for. */
const LIVES_WITH_MODELS = 16

/** The same when their answers come in batches. */
const LIVES_IN_BATCHES = 64

/** Time after a stop that parts of the program have to close. */
const CLOSE_MS = 200

/** What is asked for, read and checked; a request that is new has its workshop already, so that a mistake leaves no trace on disk. */
interface Prepared {
  id: string
  fresh: { request: RunRequest; workshop: Workshop } | null
  /** What the run is held against. */
  baseline: FoundBaseline | null
  options: ComposeOptions & Required<Pick<ComposeOptions, 'access' | 'parts'>>
  /** Memories side by side. */
  lives(workshop: Workshop): number
  /** Open already where it is shared: what is paid for and limited is written there. */
  store: RunStore | null
  draining: AbortController
}

/** Measures memory systems, or goes on with a run that stopped. */
export async function run(asked: RunOptions = {}, control: Control = {}): Promise<RunResult> {
  const told = hearControl(control)
  const prepared = await prepare(asked, told)
  const { id, fresh, lives } = prepared
  let workshop = fresh?.workshop ?? null
  let store = prepared.store
  let release = async () => {}
  try {
    let modelsMs: number | null = null
    if (workshop && asked.forecast && needsModels(workshop)) {
      const estimate = await estimated(workshop, prepared, false)
      modelsMs = estimate.seconds.high * 1000
      told.tell({ type: 'estimated', estimate })
    }
    told.stopIfAsked(null)
    const home = homeAt(asked.home, asked.store)
    store ??= await openRunStore(home)
    let record: RunRecord
    const { access, systemMs } = prepared.options
    const settings = (one: Workshop) => (isShared(store!) ? sharedSettings(access, systemMs, lives(one)) : undefined)
    if (fresh) {
      release = await holdRun(store, id)
      record = await begin(id, fresh, store, settings(fresh.workshop))
    } else {
      record = await findRun(store, asked.resume!)
      release = await holdRun(store, record.id)
      workshop = await pickUp(record, asked, prepared, store, settings)
    }
    const { lives: planned, request } = workshop!.plan
    told.tell({
      type: 'started',
      run: record.id,
      questions: planned.reduce((sum, { asks }) => sum + asks.reduce((n, { depths }) => n + depths.length, 0), 0),
      ms: fresh && (modelsMs ?? plainWorkMs(workshop!.plan)),
      own: planned.some(({ subject }) => subject.outside && !subject.definition.playback),
      size: request.size,
    })
    const kept: KeptRun = { record, workshop: workshop!, store, home }
    if (isShared(store)) {
      const { draining, options } = prepared
      const { access } = options
      const sides = { lives: lives(workshop!), calls: access.concurrency, folder: asked.home, draining, access }
      const workers = asked.workers === undefined ? null : WORK.workers.read(asked.workers)
      await measureShared({ ...kept, store }, { ...sides, workers }, told)
    } else await measure(kept, lives(workshop!), told)
    told.tell({ type: 'measured', run: record.id })
    kept.record = (await store.getRun(record.id))!
    const prover = asked.oracles ? await import('./explain.js') : null
    const explained = (await prover?.attributeFailures(kept, null, told)) ?? null
    // Its suites were named in this call, or the run is trusted: a baseline is read with them.
    const load = kept.workshop.plan.request.suites.flatMap(({ file }) => file ?? [])
    const result = { ...(await publishRun(kept, { ...asked, load }, prepared.baseline)), explained }
    told.tell({ type: 'done' })
    return result
  } finally {
    // What hangs is left behind when a run is stopped: whoever stops does not wait for it.
    const closing = Promise.resolve(workshop?.close())
    await (told.signal.aborted ? Promise.race([closing, pause(CLOSE_MS)]) : closing)
    await release()
    await store?.close()
  }
}

/** What a run would take; it is played on models that only count. */
export async function estimate(asked: EstimateOptions = {}, control: Control = {}): Promise<RunEstimate> {
  const told = hearControl(control)
  const prepared = await prepare(asked, told, true)
  const { workshop } = prepared.fresh!
  try {
    return await stoppable(told, async () => {
      const found = await estimated(workshop, prepared, true)
      const { words, paid, ...data } = found
      await writeTo(asked.json, (write) => write(`${JSON.stringify(data, null, 2)}\n`))
      return found
    })
  } finally {
    await workshop.close()
  }
}

async function estimated(workshop: Workshop, { options: { access }, lives }: Prepared, rehearse: boolean) {
  const { estimateOf } = await import('./run-estimate.js')
  return estimateOf(workshop, access, rehearse, { lives: lives(workshop), calls: access.concurrency })
}

async function prepare(asked: RunOptions, told: Heard, offline = false): Promise<Prepared> {
  const { tell } = told
  told.stopIfAsked(null)
  refuseMoved(asked)
  checkOutputs(asked)
  const sideBySide = asked.concurrency === undefined ? null : WORK.concurrency.read(asked.concurrency)
  if (offline && asked.resume !== undefined)
    throw new UserError('--estimate is for runs that have not begun.', 'Leave out --resume and name what to run.')
  const baseline = await findBaseline(asked)
  const parts = new Parts(asked.parts)
  const request = asked.resume === undefined ? await requestFrom(asked, parts) : null
  const missing = await leftOut(parts.names(asked.system) ?? [], listOf(asked.model) ?? [])
  for (const message of [missing, quickSizeNote(asked)]) if (message !== null) tell({ type: 'note', message })
  const id = newRunId()
  const access = { ...modelAccess(asked), offline }
  const composed = { access, account: asked.account ?? id, log: told.warn, systemMs: systemMsFrom(asked), parts }
  const home = homeAt(asked.home, asked.store)
  const draining = new AbortController()
  if (home.store === null && (asked.workers !== undefined || access.rates) && !offline)
    throw new UserError(
      '--workers and limits of providers are for runs in a shared store.',
      'Name it with --store postgres://….',
    )
  if (home.store !== null && (asked.record ?? asked.replay) !== undefined)
    throw new UserError('Cassettes are for runs of one process.', 'Leave out --record and --replay, or --store.')
  const store = home.store === null || offline ? null : await openRunStore(home)
  const shared = store ? trafficOf(store, draining.signal) : undefined
  const options = { ...composed, shared }
  const workshop = request && (await compose(request, home, options).catch(closing(store)))
  if (workshop)
    await closedUnless(workshop, async ({ plan, systemMs }) => {
      checkGate(asked, plan)
      if (baseline) requireBaseline(baseline, plan)
      await tryOptions(plan.subjects, systemMs)
    }).catch(closing(store))
  const fresh = workshop && { request: request!, workshop }
  return { id, fresh, baseline, options, store, draining, lives: (one) => sideBySide ?? defaultConcurrency(one) }
}

/** Closes a store before what went wrong is passed on. */
function closing(store: RunStore | null): (error: unknown) => Promise<never> {
  return async (error) => {
    await store?.close()
    throw error
  }
}

/** A workshop that turns out not to be usable is closed. */
async function closedUnless(workshop: Workshop, check: (workshop: Workshop) => void | Promise<void>): Promise<void> {
  try {
    await check(workshop)
  } catch (error) {
    await workshop.close()
    throw error
  }
}

/** Whether anything will be sent to a model. */
function needsModels({ plan, judgeModels }: Workshop): boolean {
  return (
    judgeModels.length > 0 || plan.lives.some(({ readers, subject }) => readers.length > 0 || subject.model !== null)
  )
}

/** Memories that wait for models leave the processor to others. */
function defaultConcurrency({ plan, gateway, batch }: Workshop): number {
  if (batch) return LIVES_IN_BATCHES
  const waiting = gateway !== null || plan.subjects.some(({ model }) => model !== null)
  return waiting ? Math.max(LIVES_WITH_MODELS, availableParallelism()) : availableParallelism()
}

async function begin(
  id: string,
  fresh: NonNullable<Prepared['fresh']>,
  store: RunStore,
  shared: SharedSettings | undefined,
): Promise<RunRecord> {
  const kept = await keptOf(fresh.request, fresh.workshop, store, shared)
  const { plan } = fresh.workshop
  const record: RunRecord = {
    id,
    created: new Date().toISOString(),
    status: 'partial',
    setting: plan.setting,
    subjects: plan.subjectPrints,
    request: kept,
    elapsedMs: 0,
    embedding: { texts: 0, ms: 0 },
  }
  await store.createRun(record)
  return record
}

/** What is kept of a request, to look at the run without any of its code and to go on with it. */
async function keptOf(
  request: RunRequest,
  { plan, own, instruments, prices }: Workshop,
  store: RunStore,
  shared: SharedSettings | undefined,
): Promise<KeptRequest> {
  const suites = await keepSuites(plan.suites, store)
  const { settingParts } = plan
  const parts = { own, instruments, suites, ...keptCode(codeIn(request)) }
  const kept: KeptRequest = { request, settingParts, ...parts, prices, ...(shared && { shared }) }
  if (shared) requireNoSecrets(kept)
  return kept
}

/** Code that was named in this call. What it does not name of a run is known from the run alone. */
function typedCode(request: RunRequest, asked: RunOptions): NamedCode {
  const { suites, systems, judge, readers } = request
  const [facts, answers] = [asked.factJudge ?? asked.judge, asked.answerJudge ?? asked.judge]
  return codeIn({
    suites: asked.suite === undefined ? [] : suites,
    systems: asked.system === undefined ? [] : systems,
    judge: {
      ...(facts !== undefined && { facts: judge.facts }),
      ...(answers !== undefined && { answers: judge.answers }),
    },
    readers: asked.reader === undefined ? [] : readers,
  })
}

/** Plans a run that stopped again; refuses when anything but k, trials or limits differs. */
async function pickUp(
  record: RunRecord,
  asked: RunOptions,
  { options, baseline }: Prepared,
  store: RunStore,
  settings: (workshop: Workshop) => SharedSettings | undefined,
): Promise<Workshop> {
  const kept = keptRequest(record.request)
  const named = { all: codeIn(kept.request), made: codeIn(kept.request, options.parts) }
  // Before anything is loaded. What this call names must be what the run has: anything else is refused below.
  requireTrusted(record.id, named, kept.code, {
    typed: typedCode(kept.request, asked),
    ...(asked.trustRun && { trustRun: true }),
  })
  const request = await resumedRequest(kept.request, asked, options.parts)
  const workshop = await compose(request, homeAt(asked.home, asked.store), { ...options, account: record.id })
  await closedUnless(workshop, ({ plan }) => {
    requireSameSetting(kept.settingParts, plan.settingParts, `The run ${record.id}`)
    const changed = Object.keys(record.subjects).filter((label) => record.subjects[label] !== plan.subjectPrints[label])
    if (changed.length > 0)
      throw new UserError(
        `${changed.join(', ')} changed since the run ${record.id} began (another version or file).`,
        'Start a new run, so that numbers of two versions are never mixed.',
      )
    checkGate(asked, plan)
    if (baseline) requireBaseline(baseline, plan, record.id)
  })
  const shared = settings(workshop)
  const told = await keptOf(request, workshop, store, shared)
  await store.updateRun(record.id, { request: told, status: 'partial' })
  return workshop
}

/**
 * Runs until done or stopped. A stop lets the units in flight finish that do so at once, and leaves a run that can go on: whatever is kept
 * is whole, and the rest is done again.
 */
async function measure(kept: KeptRun, concurrency: number, told: Heard): Promise<void> {
  const { record, workshop, store } = kept
  const { tell, signal } = told
  const embedding = watchEmbedding(workshop.embed, tell)
  const ticking = setInterval(embedding.look, 1_000)
  const started = performance.now()
  const strict = workshop.plan.request.strict ?? false
  try {
    const work = executePlan({
      ...workshop,
      run: record.id,
      concurrency,
      tools: { ...lifeTools(kept, record.id, told), strict },
      onProgress: (progress) => {
        if (signal.aborted) return
        embedding.count()
        tell({ type: 'progress', ...progress })
      },
    })
    await untilStopped(told, work)
    const total = embedding.total()
    if (total) tell({ type: 'note', message: total })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearInterval(ticking)
    const elapsedMs = record.elapsedMs + performance.now() - started
    const { texts, ms } = embedding.spent()
    const embedded = { texts: record.embedding.texts + texts, ms: record.embedding.ms + ms }
    await store.updateRun(record.id, { elapsedMs, embedding: embedded }).catch(() => {
      // The disk may be what failed; the error under way says so.
    })
  }
  if (signal.aborted) throw new StoppedError(record.id)
}
