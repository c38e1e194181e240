import { setTimeout as wait } from 'node:timers/promises'
import { causesOf } from '../base/errors.js'
import { giveWay } from '../base/give-way.js'
import { countTokens } from '../base/tokens.js'
import type { Depth } from '../model/depth.js'
import { askKey, readerKey } from '../model/identity.js'
import type { Embedder, Llm, OpenEndpoint } from '../model/llm.js'
import type { Question } from '../model/question.js'
import type { AnswerRecord, IngestRecord, LifeKey, RunStore, WitnessRecord } from '../model/run-store.js'
import { momentOf, type Probe, probesByQuestion, timeOf } from '../model/scenario.js'
import { type Memory, MemoryGoneError, type MemorySystem, type SystemDefinition } from '../model/system.js'
import { askQuestion, blankWitness, ownAnswers } from './ask.js'
import { billedTo, newBill, runBilled } from './bill.js'
import { checkedDump, holdsTheSame, requireEmpty } from './checked.js'
import { endsAttempt, errorMessage, isFatal } from './fatal.js'
import { inLanes } from './lanes.js'
import { lossFinder } from './lost.js'
import { inFolder, openSystem, queryOf } from './open-system.js'
import type { PlannedLife } from './plan.js'
import { type TestTaker, withReplies } from './taker.js'

/** What a life needs from outside. */
export interface LifeTools {
  store: RunStore
  embed: Embedder
  /** For memories whose model is only played; as `embed` when left out. */
  rehearsedEmbed?: Embedder
  /** The model by its name, for a system that has one inside. */
  llm(model: string, inside: SystemDefinition): Llm
  /** Replies to what is told, where a scenario wants that. */
  taker?: TestTaker | null
  /** Makes servers for systems whose own client talks to the model. */
  endpoint?: OpenEndpoint
  /** Folder under which systems get theirs. */
  workroot: string
  signal: AbortSignal
  /** Questions asked of one memory at a time. */
  inFlight: number
  /** Milliseconds a system may take to settle. */
  settleMs: number
  /** Milliseconds of its own that any call of a system may take. */
  systemMs?: number
  /** A conversation that could not be stored ends its life, whatever the system declares. */
  strict?: boolean
  log(message: string): void
  /** Takes secrets out of what systems throw, before it is kept. */
  redact?(message: string): string
  /** Called with the number of witnesses just kept. */
  onWitness(count: number): void
}

/** Depths at which questions are still to be asked, by question. */
type Missing = Map<string, Depth[]>

/** One attempt at a life. */
interface Attempt {
  key: LifeKey
  life: PlannedLife
  tools: LifeTools
  missing: Missing
  /** Questions over which the memory never came back, with what is said of them. */
  stuck: Map<string, string>
  /** It is the second in this sitting. */
  again: boolean
}

/** A conversation could not be stored, and what the memory holds of it is not known: its life may begin again. */
class HalfStoredError extends Error {}

/**
 * Lives one life: stores every conversation once, and asks every question of its probes at every depth that has no witness yet. Witnesses
 * that ended in an error are asked again. Returns at once when nothing is missing.
 *
 * When nobody knows any more what the memory holds, for a conversation was stored in part or a call never came back, the life begins again,
 * once, in a namespace that was never used.
 */
export async function liveOnce(run: string, life: PlannedLife, tools: LifeTools): Promise<void> {
  const key: LifeKey = { run, ...life.key }
  const stuck = new Map<string, string>()
  for (let again = false; ; again = true) {
    const missing = await missingAsks(key, life, tools.store)
    for (const question of stuck.keys()) missing.delete(question)
    const own: Attempt = { key, life, tools, missing, stuck, again }
    const failure = missing.size === 0 ? null : await attempt(own)
    if (!again && (failure instanceof HalfStoredError || failure instanceof MemoryGoneError)) {
      tools.log(`${life.subject.system} begins ${life.scenario.id} again: ${errorMessage(failure, tools)}`)
      continue
    }
    const left = await missingAsks(key, life, tools.store)
    for (const [question, error] of stuck) {
      await keepErrors(own, [question], left, error)
      left.delete(question)
    }
    if (failure === null) return
    const message = errorMessage(failure, tools)
    tools.log(`${life.subject.system} failed on ${life.scenario.id}: ${message}`)
    return keepErrors(own, left.keys(), left, message)
  }
}

/** What has no witness yet, or one that ended in an error. */
async function missingAsks(key: LifeKey, life: PlannedLife, store: RunStore): Promise<Missing> {
  const kept = (await store.witnessKeys(key)).filter(({ error }) => error === null)
  const done = new Set(kept.map(({ question, depth }) => askKey(question, depth)))
  const missing: Missing = new Map()
  for (const { question, depths } of life.asks) {
    const left = depths.filter((depth) => !done.has(askKey(question.id, depth)))
    if (left.length > 0) missing.set(question.id, left)
  }
  return missing
}

/** Has one attempt made in a folder and a namespace of its own. Returns what ended it, or null when it came to its end. */
async function attempt(own: Attempt): Promise<unknown> {
  const { key, life, tools } = own
  const fresh = { ...key, attempt: await tools.store.beginAttempt(key) }
  return inFolder(tools.workroot, fresh, async (workdir) => {
    let system: MemorySystem | undefined
    try {
      const clock = { now: life.scenario.timeline[0] ? timeOf(life.scenario.timeline[0]) : '' }
      system = await openSystem(fresh, life, workdir, clock, tools)
      await requireEmpty(system, life.subject)
      await runTimeline(own, system, clock)
      return null
    } catch (error) {
      if (tools.signal.aborted || isFatal(error)) throw error
      return error
    } finally {
      await system?.close?.().catch((error: unknown) => {
        if (error instanceof MemoryGoneError && !error.timedOut) return
        tools.log(`${life.subject.system} could not be closed after ${life.scenario.id}: ${errorMessage(error, tools)}`)
      })
    }
  })
}

async function runTimeline(own: Attempt, system: MemorySystem, clock: { now: string }): Promise<void> {
  const { key, life, tools, missing } = own
  const { definition, system: label, outside } = life.subject
  const before = new Map((await tools.store.getMoments(key)).map(({ moment, snapshot }) => [moment, snapshot]))
  let parent: string | null = null
  const bill = newBill()
  const ms: number[] = []
  const lost: NonNullable<IngestRecord['lost']> = []
  const lossOf = lossFinder(life.scenario)
  const settled = () => billedTo(bill, async () => system.settle?.(tools.settleMs))
  for (const event of life.scenario.timeline) {
    await giveWay()
    tools.signal.throwIfAborted()
    clock.now = timeOf(event)
    if (event.type === 'conversation') {
      const { id } = event.conversation
      try {
        const taking = { taker: tools.taker, signal: tools.signal, trial: key.trial }
        const told = await billedTo(bill, () => withReplies(event.conversation, life.scenario, system, taking))
        const store = () => runBilled(bill, () => system.store(told))
        const took = await storeSafely(store, definition.idempotent, tools.signal)
        if (took.ms !== null) ms.push(took.ms)
      } catch (error) {
        if (tools.strict || endsAttempt(error, tools)) throw error
        const message = errorMessage(error, tools)
        // What a built-in system asks was tried again by the gateway already.
        if (!own.again && (outside || !definition.atomic))
          throw new HalfStoredError(`${id} could not be stored: ${message}`)
        if (!definition.atomic) throw error
        lost.push({ conversation: id, error: message })
        tools.log(`${label} could not store ${id} of ${life.scenario.id}: ${message}`)
      }
      if (life.timeline) {
        await settled()
        parent = (await keepStore(own, momentOf(event), system, parent)).snapshot
      }
      continue
    }
    const { probe } = event
    if (!probe.questions.some(({ id }) => missing.has(id))) continue
    await settled()
    await tools.store.putIngest(key, { ...bill, ms, ...(lost.length > 0 && { lost }) })
    const kept = await keepStore(own, probe.id, system, parent, async (snapshot) => {
      // What was witnessed in another store, say one with other ids, cannot stand beside what is witnessed in this one.
      if (!before.has(probe.id) || before.get(probe.id) === snapshot) return
      await tools.store.forgetProbe(key, probe.id)
      tools.onWitness(-askAgain(own, probe))
    })
    parent = kept.snapshot
    const gone = new Set(lost.map(({ conversation }) => conversation))
    const open: Question[] = []
    for (const question of probe.questions.filter(({ id }) => missing.has(id))) {
      const source = lossOf(question, gone)
      const loss = lost.find(({ conversation }) => conversation === source)
      if (!loss) open.push(question)
      else {
        const error = `${loss.conversation}, which it rests on, could not be stored: ${loss.error}`
        await keepErrors(own, [question.id], missing, error)
      }
    }
    await askAll(own, system, probe, open, kept.held)
  }
}

/** Milliseconds before a conversation is told once more. */
const WAITS = [200, 1_000, 3_000]

/**
 * Stores a conversation; once more, after a while, when it failed and that can do no harm: the memory was certainly not reached (a connection
 * refused, or a name that leads nowhere), or it takes a conversation that is told again as the same.
 */
async function storeSafely<T>(
  store: () => Promise<T>,
  idempotent: boolean | undefined,
  signal: AbortSignal,
): Promise<T> {
  const wasNotReached = (error: unknown) =>
    causesOf(error).some((at) => 'code' in at && (at.code === 'ECONNREFUSED' || at.code === 'ENOTFOUND'))
  for (const ms of WAITS) {
    try {
      return await store()
    } catch (error) {
      if (endsAttempt(error, { signal }) || !(idempotent || wasNotReached(error))) throw error
      await wait(ms, undefined, { signal })
    }
  }
  return store()
}

/** Makes all questions of a probe missing again; returns how many had been answered. */
function askAgain({ life, missing, stuck }: Attempt, probe: Probe): number {
  const here = new Set(probe.questions.map(({ id }) => id))
  let answered = 0
  for (const { question, depths } of life.asks) {
    if (!here.has(question.id) || stuck.has(question.id)) continue
    answered += depths.length - (missing.get(question.id)?.length ?? 0)
    missing.set(question.id, depths)
  }
  return answered
}

/** Keeps what the memory holds now, under the name of the moment; nothing of a memory that cannot be looked into. */
async function keepStore(
  { key, life, tools: { store } }: Attempt,
  moment: string,
  system: MemorySystem,
  parent: string | null,
  beforeKept: (snapshot: string | null) => Promise<void> = async () => {},
): Promise<{ held: Memory[] | null; snapshot: string | null }> {
  const held = await checkedDump(system, life.subject.system)
  if (!held) {
    await beforeKept(null)
    await store.putMoment(key, { moment, snapshot: null, entries: null, tokens: null })
    return { held, snapshot: null }
  }
  const snapshot = await store.putSnapshot(held, parent)
  let tokens = 0
  for (const { text } of held) {
    await giveWay()
    tokens += countTokens(text)
  }
  await beforeKept(snapshot)
  await store.putMoment(key, { moment, snapshot, entries: held.length, tokens })
  return { held, snapshot }
}

/** Asks questions of one probe at every depth that is missing, and keeps what came. */
async function askAll(
  own: Attempt,
  system: MemorySystem,
  probe: Probe,
  questions: readonly Question[],
  held: readonly Memory[] | null,
): Promise<void> {
  const { key, life, tools, missing, stuck } = own
  const { answers: answering, mostFound } = life.subject.definition
  const heldById = held && new Map(held.map((memory) => [memory.id, memory]))
  // A memory that changes when asked is asked one question at a time.
  const lanes = system.snapshot && system.restore ? 1 : tools.inFlight
  await inLanes(questions, lanes, async (question) => {
    tools.signal.throwIfAborted()
    const query = queryOf(life.scenario, question, probe.time)
    const witnesses: WitnessRecord[] = []
    let answers: AnswerRecord[] = []
    try {
      for (const depth of missing.get(question.id)!)
        witnesses.push(
          await askQuestion(system, query, blankWitness(question.id, probe.id, depth), heldById, tools, mostFound),
        )
      if (answering) answers = await ownAnswers(system, question, query, witnesses, tools)
    } catch (error) {
      if (error instanceof MemoryGoneError && error.timedOut) stuck.set(question.id, errorMessage(error, tools))
      throw error
    }
    if (answers.length > 0) await tools.store.putAnswers(key, readerKey('self'), answers)
    await tools.store.putWitnesses(key, witnesses)
    tools.onWitness(witnesses.length)
    // Keyless systems never wait for anything: let signals and timers in.
    await new Promise((resume) => setImmediate(resume))
  })
  if (!held || questions.length === 0) return
  const after = await checkedDump(system, life.subject.system)
  if (after && holdsTheSame(held, after)) return
  const error =
    'its store changed while it was asked: retrieve must be read-only, or snapshot and restore must put it back'
  const asked = questions.map(({ id }) => id)
  await keepErrors({ ...own, tools: { ...tools, onWitness: () => {} } }, asked, missing, error)
}

/** Leaves an error for questions at every depth that is missing: what a memory did not answer is no zero. */
async function keepErrors(
  { key, life, tools }: Attempt,
  questions: Iterable<string>,
  missing: Missing,
  error: string,
): Promise<void> {
  const probes = probesByQuestion(life.scenario)
  for (const id of questions) {
    const witnesses = (missing.get(id) ?? []).map((depth) => ({
      ...blankWitness(id, probes.get(id)!.id, depth),
      error,
    }))
    if (witnesses.length === 0) continue
    await tools.store.putWitnesses(key, witnesses)
    tools.onWitness(witnesses.length)
  }
}
