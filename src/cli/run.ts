import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import { TASK_EXAMPLE } from '../builtins.js'
import { execute } from '../engine/execute.js'
import { type RunRequest, requireSameSetting } from '../engine/plan.js'
import type { RunRecord, RunStore } from '../model/index.js'
import { leftOut } from './all-systems.js'
import { type Command, type Typed, wholeNumber } from './args.js'
import { compose, type Home, homeAt, openStore, type Workshop } from './compose.js'
import { configured } from './config.js'
import { watchEmbedding } from './embedding.js'
import { type Pace, plainWorkMs } from './forecast.js'
import { holdRun } from './hold-run.js'
import { MODEL_FLAGS, type ModelAccess, modelAccess } from './models.js'
import { checkGate, checkOutputs, OUTPUT_FLAGS, type Outputs, outputsFrom, publish } from './outputs.js'
import { progressLine } from './progress.js'
import { grown, ownAndQuick, REQUEST_FLAGS, requestFrom } from './request.js'
import { findRun, type KeptRequest, keptRequest } from './runs.js'
import { withoutSecrets } from './secrets.js'
import { startLine } from './start-line.js'
import { suiteFlags } from './suite-flags.js'
import { systemMsFrom, TIMEOUT_FLAG } from './system-timeout.js'
import { tryOptions } from './try-options.js'
import { writeWhole } from './whole-file.js'

/** Questions of one memory that are asked, answered or judged at a time. */
const IN_FLIGHT = 64

/** Memories side by side when models are waited for. */
const LIVES_WITH_MODELS = 16

/** Time after Ctrl-C that units in flight have to finish, and then parts of the program to close. */
const GRACE_MS = 400
const CLOSE_MS = 200

/** `memscope run`: measures memory systems. */
export const run: Command = {
  name: 'run',
  about: 'measure memory systems; without flags, the keyless tour',
  usage: 'run [config.ts] [flags]',
  flags: {
    ...REQUEST_FLAGS,
    estimate: {
      type: 'switch',
      about: 'say what the run would take (calls, cost, time, disk, texts to embed), and stop',
    },
    oracles: { type: 'switch', about: 'then prove the attribution, as memscope explain does' },
    concurrency: { type: 'text', value: '<n>', about: 'memories run side by side (default: cores; 16 with models)' },
    ...TIMEOUT_FLAG,
    resume: { type: 'text', value: '<run>', about: 'go on with a run that stopped; "last" is the newest' },
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  flagsOf: suiteFlags,
  words: 1,
  examples: [
    'memscope run',
    `memscope run --suite ${TASK_EXAMPLE} --system bm25,bm25-hops --k 1,5,10`,
    'memscope run --system ./my-memory.ts --size quick --fail-under "evidence.low>=0.5"',
    'memscope run --resume last',
  ],
  async run(words) {
    const typed = await configured(words, this)
    const { on } = typed
    const home = homeAt(typed.text.home)
    const outputs = outputsFrom(typed)
    checkOutputs(outputs)
    const sideBySide =
      typed.text.concurrency === undefined ? null : wholeNumber('concurrency', typed.text.concurrency, 1, 256)
    const resume = typed.text.resume
    if (on.estimate && resume !== undefined)
      throw new UserError('--estimate is for runs that have not begun.', 'Leave out --resume and name what to run.')
    const fresh = resume === undefined ? await requestFrom(typed) : null
    const missing = await leftOut(typed.list.system ?? [], typed.list.model ?? [])
    const shortened = ownAndQuick(typed)
    for (const line of [missing, shortened]) if (line !== null && !outputs.quiet) process.stderr.write(`${line}\n`)
    const isTour =
      fresh !== null && Object.keys(REQUEST_FLAGS).every((flag) => !(flag in typed.text || flag in typed.list))
    // A new request is composed first: a mistake in it must leave no trace on disk.
    const access: ModelAccess = { ...modelAccess(typed), ...(on.estimate && { offline: true }) }
    const log = (message: string) => process.stderr.write(`${message}\n`)
    const id = newRunId()
    const systemMs = systemMsFrom(typed)
    const paceOf = (one: Workshop): Pace => ({
      lives: sideBySide ?? defaultConcurrency(one),
      calls: access.concurrency,
    })
    let workshop = fresh ? await compose(fresh, home, { access, account: id, log, systemMs }) : null
    if (workshop) await tried(workshop, outputs)
    let modelsMs: number | null = null
    if (workshop && (on.estimate || (needsModels(workshop) && !outputs.quiet))) {
      const { estimateData, estimateOf } = await import('./estimate.js')
      const told = await estimateOf(workshop, access.prices, on.estimate === true, paceOf(workshop))
      if (on.estimate) {
        const data = () => `${JSON.stringify(estimateData(told), null, 2)}\n`
        if (outputs.json === '-') process.stdout.write(data())
        else process.stdout.write(`${told.words}\n`)
        if (outputs.json !== undefined && outputs.json !== '-') await writeWhole(outputs.json, (write) => write(data()))
        await workshop.close()
        return 0
      }
      modelsMs = told.ms.high
      if (told.paid) process.stderr.write(`${told.words}\n`)
    }
    const store = openStore(home)
    let release = async () => {}
    try {
      let record: RunRecord
      if (workshop) {
        release = await holdRun(store, id)
        record = await begin(id, workshop, fresh!, store)
      } else {
        const stopped = await findRun(store, resume!)
        release = await holdRun(store, stopped.id)
        const found = await pickUp(stopped, typed, access, home, store, outputs)
        record = found.record
        workshop = found.workshop
      }
      const aheadMs = fresh === null ? null : (modelsMs ?? plainWorkMs(workshop.plan))
      if (!outputs.quiet) process.stderr.write(`${startLine(workshop.plan, aheadMs)}\n`)
      await work(record, workshop, store, home, sideBySide ?? defaultConcurrency(workshop), outputs.quiet)
      const finished = (await store.getRun(record.id))!
      const prover = on.oracles ? await import('./explain.js') : null
      const proof = await prover?.attribute(finished, workshop, store, home, { depth: null, quiet: outputs.quiet })
      const html = outputs.html ?? (isTour ? join(home.reports, `${record.id}.html`) : undefined)
      const code = await publish(finished, workshop, store, { ...outputs, ...(html !== undefined && { html }) })
      if (prover && proof && !outputs.quiet) process.stderr.write(`\n${prover.tablesOf(proof)}`)
      return code
    } finally {
      await workshop?.close()
      await release()
      await store.close()
    }
  },
}

/** Reads the gate and tries the options of all systems; a workshop that cannot be used is closed. */
async function tried(workshop: Workshop, outputs: Outputs): Promise<void> {
  try {
    checkGate(outputs, workshop.plan)
    await tryOptions(workshop.plan.subjects, workshop.systemMs)
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
function defaultConcurrency({ plan, gateway }: Workshop): number {
  const waiting = gateway !== null || plan.subjects.some(({ model }) => model !== null)
  return waiting ? Math.max(LIVES_WITH_MODELS, availableParallelism()) : availableParallelism()
}

function newRunId(): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${time}-${randomBytes(2).toString('hex')}`
}

async function begin(id: string, { plan }: Workshop, request: RunRequest, store: RunStore): Promise<RunRecord> {
  const created = new Date().toISOString()
  const kept: KeptRequest = { request, settingParts: plan.settingParts }
  const record: RunRecord = {
    id,
    created,
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

/** Plans a run that stopped again; refuses when anything but k, trials or limits differs. */
async function pickUp(
  record: RunRecord,
  typed: Typed,
  access: ModelAccess,
  home: Home,
  store: RunStore,
  outputs: Outputs,
): Promise<{ record: RunRecord; workshop: Workshop }> {
  const kept = keptRequest(record.request)
  const request = await grown(kept.request, typed)
  const log = (message: string) => process.stderr.write(`${message}\n`)
  const workshop = await compose(request, home, { access, account: record.id, log, systemMs: systemMsFrom(typed) })
  requireSameSetting(kept.settingParts, workshop.plan.settingParts, `The run ${record.id}`)
  const changed = Object.keys(record.subjects).filter(
    (label) => record.subjects[label] !== workshop.plan.subjectPrints[label],
  )
  if (changed.length > 0) {
    await workshop.close()
    throw new UserError(
      `${changed.join(', ')} changed since the run ${record.id} began (another version or file).`,
      'Start a new run, so that numbers of two versions are never mixed.',
    )
  }
  checkGate(outputs, workshop.plan)
  const grownKept: KeptRequest = { request, settingParts: kept.settingParts }
  await store.updateRun(record.id, { request: grownKept, status: 'partial' })
  return { record, workshop }
}

/**
 * Runs until done or stopped. Ctrl-C lets the units in flight finish that do so at once, and leaves a run that can go on: whatever is kept is
 * whole, and the rest is done again.
 */
async function work(
  record: RunRecord,
  workshop: Workshop,
  store: RunStore,
  home: Home,
  concurrency: number,
  quiet: boolean,
): Promise<void> {
  const { plan, judge, judgedAgain, readers, embed } = workshop
  const stop = new AbortController()
  const embedding = watchEmbedding(embed)
  const line = progressLine(process.stderr, embedding.beside)
  const tick = () => {
    const advice = embedding.advice()
    if (advice) line.note(advice)
    line.again()
  }
  const ticking = quiet ? undefined : setInterval(tick, 1_000)
  let interrupted: NodeJS.Signals | null = null
  let giveUpWaiting = () => {}
  const waitedEnough = new Promise<void>((resolve) => {
    giveUpWaiting = resolve
  })
  const onSignal = (signal: NodeJS.Signals) => {
    if (interrupted) process.exit(130)
    interrupted = signal
    line.note('Stopping; once more to stop at once.')
    stop.abort()
    setTimeout(giveUpWaiting, GRACE_MS)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const started = performance.now()
  if (!quiet) line.note(`Run ${record.id}`)
  try {
    const work = execute({
      run: record.id,
      plan,
      judge,
      judgedAgain,
      tracker: workshop.tracker,
      readers,
      concurrency,
      tools: {
        store,
        embed,
        llm: workshop.llm,
        endpoint: workshop.endpoint,
        inFlight: IN_FLIGHT,
        workroot: join(home.work, record.id),
        signal: stop.signal,
        settleMs: workshop.systemMs,
        systemMs: workshop.systemMs,
        ...(plan.request.strict && { strict: true }),
        log: (message) => line.note(withoutSecrets(message)),
        redact: withoutSecrets,
      },
      onProgress: quiet ? () => {} : line.update,
    })
    await Promise.race([work, waitedEnough])
    const total = embedding.total()
    if (total && !quiet) line.note(total)
  } catch (error) {
    if (!interrupted) throw error
  } finally {
    clearInterval(ticking)
    line.end()
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    const elapsedMs = record.elapsedMs + performance.now() - started
    const { texts, ms } = embedding.spent()
    const embedded = { texts: record.embedding.texts + texts, ms: record.embedding.ms + ms }
    await store.updateRun(record.id, { elapsedMs, embedding: embedded }).catch(() => {
      // The disk may be what failed; the error under way says so.
    })
  }
  if (interrupted) {
    await Promise.race([workshop.close(), new Promise((resume) => setTimeout(resume, CLOSE_MS))])
    await store.close()
    process.stderr.write(`Stopped. Go on with: memscope run --resume ${record.id}\n`)
    process.exit(interrupted === 'SIGINT' ? 130 : 143)
  }
}
