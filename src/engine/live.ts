import { messageOf } from '../base/errors.js'
import { giveWay } from '../base/give-way.js'
import { countTokens } from '../base/tokens.js'
import {
  type AnswerRecord,
  type Depth,
  type Embedder,
  type IngestRecord,
  type LifeKey,
  type Llm,
  type Memory,
  MemoryGoneError,
  type MemorySystem,
  momentOf,
  type OpenEndpoint,
  type Probe,
  probesOf,
  type Query,
  type Question,
  type RunStore,
  readerKey,
  type SystemDefinition,
  textWithChoices,
  timeOf,
  tokensOf,
  type WitnessRecord,
} from '../model/index.js'
import { billedTo, newBill, timedOn } from './bill.js'
import { checkAnswer, checkHeld, checkRetrieved, holdsTheSame, requireEmpty } from './checked.js'
import { isFatal } from './fatal.js'
import { inLanes } from './lanes.js'
import { lossFinder } from './lost.js'
import { askAgain, type Missing, missingAsks, type Stuck } from './missing.js'
import { inFolder, openSystem, queryIdOf } from './open-system.js'
import type { PlannedLife } from './plan.js'
import { HalfStoredError, storeSafely } from './storing.js'

/** Most memories asked for when a budget of tokens is to be filled. */
const MOST_FOR_BUDGET = 1000

/** What a life needs from outside. */
export interface LifeTools {
  store: RunStore
  embed: Embedder
  /** The model by its name, for a system that has one inside. */
  llm(model: string, inside: SystemDefinition): Llm
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

/**
 * Lives one life: stores every conversation once, and asks every question of its probes at every depth that has no witness yet. Witnesses
 * that ended in an error are asked again. Returns at once when nothing is missing.
 *
 * When nobody knows any more what the memory holds, for a conversation was stored in part or a call never came back, the life begins again,
 * once, in a namespace that was never used.
 */
export async function live(run: string, life: PlannedLife, tools: LifeTools): Promise<void> {
  const key: LifeKey = { run, ...life.key }
  const stuck: Stuck = new Map()
  for (let again = false; ; again = true) {
    const missing = await missingAsks(key, life, tools.store)
    for (const question of stuck.keys()) missing.delete(question)
    const failure = missing.size === 0 ? null : await attempt(key, life, { missing, stuck, again }, tools)
    if (!again && (failure instanceof HalfStoredError || failure instanceof MemoryGoneError)) {
      tools.log(`${life.subject.system} begins ${life.scenario.id} again: ${thrown(failure, tools)}`)
      continue
    }
    const left = await missingAsks(key, life, tools.store)
    for (const [question, error] of stuck) {
      await keepErrorsOf(key, life, new Map([[question, left.get(question) ?? []]]), error, tools)
      left.delete(question)
    }
    if (failure === null) return
    const message = thrown(failure, tools)
    tools.log(`${life.subject.system} failed on ${life.scenario.id}: ${message}`)
    return keepErrorsOf(key, life, left, message, tools)
  }
}

interface Attempt {
  missing: Missing
  stuck: Stuck
  /** It is the second in this sitting. */
  again: boolean
}

/** One attempt at a life, in a folder and a namespace of its own. Returns what ended it, or null when it came to its end. */
async function attempt(key: LifeKey, life: PlannedLife, own: Attempt, tools: LifeTools): Promise<unknown> {
  const fresh = { ...key, attempt: await tools.store.beginAttempt(key) }
  return inFolder(tools.workroot, fresh, async (workdir) => {
    let system: MemorySystem | undefined
    try {
      const clock = { now: life.scenario.timeline[0] ? timeOf(life.scenario.timeline[0]) : '' }
      system = await openSystem(fresh, life, workdir, clock, tools)
      await requireEmpty(system, life.subject)
      await runTimeline(key, life, system, own, clock, tools)
      return null
    } catch (error) {
      if (tools.signal.aborted || isFatal(error)) throw error
      return error
    } finally {
      await system?.close?.().catch((error: unknown) => {
        if (error instanceof MemoryGoneError && !error.timedOut) return
        tools.log(`${life.subject.system} could not be closed after ${life.scenario.id}: ${thrown(error, tools)}`)
      })
    }
  })
}

async function runTimeline(
  key: LifeKey,
  life: PlannedLife,
  system: MemorySystem,
  { missing, stuck, again }: Attempt,
  clock: { now: string },
  tools: LifeTools,
): Promise<void> {
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
        const store = () => timedOn(bill, () => system.store(event.conversation))
        const took = await storeSafely(store, definition.idempotent, tools.signal)
        if (took.ms !== null) ms.push(took.ms)
      } catch (error) {
        if (tools.signal.aborted || isFatal(error) || tools.strict || error instanceof MemoryGoneError) throw error
        const message = thrown(error, tools)
        // What a built-in system asks was tried again by the gateway already.
        if (!again && (outside || !definition.atomic))
          throw new HalfStoredError(`${id} could not be stored: ${message}`)
        if (!definition.atomic) throw error
        lost.push({ conversation: id, error: message })
        tools.log(`${label} could not store ${id} of ${life.scenario.id}: ${message}`)
      }
      if (life.timeline) {
        await settled()
        parent = (await keepStore(key, momentOf(event), system, parent, label, tools.store)).snapshot
      }
      continue
    }
    const { probe } = event
    if (!probe.questions.some(({ id }) => missing.has(id))) continue
    await settled()
    await tools.store.putIngest(key, { ...bill, ms, ...(lost.length > 0 && { lost }) })
    const kept = await keepStore(key, probe.id, system, parent, label, tools.store, async (snapshot) => {
      // What was witnessed in another store, say one with other ids, cannot stand beside what is witnessed in this one.
      if (!before.has(probe.id) || before.get(probe.id) === snapshot) return
      await tools.store.forgetProbe(key, probe.id)
      tools.onWitness(-askAgain(life, probe, missing, stuck))
    })
    parent = kept.snapshot
    const asked = probe.questions.filter(({ id }) => missing.has(id))
    const gone = new Set(lost.map(({ conversation }) => conversation))
    const open = asked.filter((question) => lossOf(question, gone) === null)
    for (const question of asked.filter((one) => !open.includes(one))) {
      const loss = lost.find(({ conversation }) => conversation === lossOf(question, gone))!
      const error = `${loss.conversation}, which it rests on, could not be stored: ${loss.error}`
      await keepErrors(key, [question], probe, missing, error, tools)
    }
    await askAll(key, life, system, probe, open, missing, stuck, kept.held, tools)
  }
}

/** Asks questions of one probe at every depth that is missing, and keeps what came. */
async function askAll(
  key: LifeKey,
  life: PlannedLife,
  system: MemorySystem,
  probe: Probe,
  questions: readonly Question[],
  missing: Missing,
  stuck: Stuck,
  held: readonly Memory[] | null,
  tools: LifeTools,
): Promise<void> {
  const heldText = held && new Map(held.map(({ id, text }) => [id, text]))
  // A memory that changes when asked is asked one question at a time.
  const lanes = system.snapshot && system.restore ? 1 : tools.inFlight
  await inLanes(questions, lanes, async (question) => {
    tools.signal.throwIfAborted()
    const query = { id: queryIdOf(life.scenario, question), text: question.query ?? question.text, time: probe.time }
    const witnesses: WitnessRecord[] = []
    let answers: AnswerRecord[] = []
    try {
      for (const depth of missing.get(question.id)!)
        witnesses.push(await ask(system, query, blankWitness(question.id, probe.id, depth), heldText, tools))
      if (life.subject.definition.answers) answers = await ownAnswers(system, question, query, witnesses, tools)
    } catch (error) {
      if (error instanceof MemoryGoneError && error.timedOut) stuck.set(question.id, thrown(error, tools))
      throw error
    }
    if (answers.length > 0) await tools.store.putAnswers(key, readerKey('self'), answers)
    await tools.store.putWitnesses(key, witnesses)
    tools.onWitness(witnesses.length)
    // Keyless systems never wait for anything: let signals and timers in.
    await new Promise((resume) => setImmediate(resume))
  })
  if (!held || questions.length === 0) return
  const after: unknown = await system.dump!()
  checkHeld(after, life.subject.system)
  if (holdsTheSame(held, after)) return
  const error =
    'its store changed while it was asked: retrieve must be read-only, or snapshot and restore must put it back'
  await keepErrors(key, questions, probe, missing, error, { ...tools, onWitness: () => {} })
}

/** Keeps what the memory holds now, under the name of the moment; nothing of a memory that cannot be looked into. */
async function keepStore(
  key: LifeKey,
  moment: string,
  system: MemorySystem,
  parent: string | null,
  label: string,
  store: RunStore,
  beforeKept: (snapshot: string | null) => Promise<void> = async () => {},
): Promise<{ held: Memory[] | null; snapshot: string | null }> {
  if (!system.dump) {
    await beforeKept(null)
    await store.putMoment(key, { moment, snapshot: null, entries: null, tokens: null })
    return { held: null, snapshot: null }
  }
  const held: unknown = await system.dump()
  checkHeld(held, label)
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

async function ask(
  system: MemorySystem,
  query: Query,
  blank: WitnessRecord,
  held: ReadonlyMap<string, string> | null,
  tools: LifeTools,
): Promise<WitnessRecord> {
  const bill = newBill()
  try {
    const before = await system.snapshot?.()
    const { depth } = blank
    const most = mostAt(depth)
    const { result: all, ms } = await timedOn(bill, () => system.retrieve(query, most, depth))
    if (system.restore && before !== undefined) await system.restore(before)
    checkRetrieved(all, most, held)
    const found = withinBudget(all, tokensOf(depth) ?? Number.POSITIVE_INFINITY)
    const sizes = found.map(({ text }) => countTokens(text))
    const asHeld = held !== null && found.every(({ id }) => held.has(id))
    return {
      ...blank,
      retrieved: found.map(({ id }) => id),
      scores: found.map(({ score }) => score ?? null),
      retrievedSnapshot: asHeld ? null : await tools.store.putSnapshot(found, null),
      contextTokens: sizes.reduce((sum, size) => sum + size, 0),
      sizes,
      ms,
      ...bill,
    }
  } catch (error) {
    if (tools.signal.aborted || isFatal(error) || error instanceof MemoryGoneError) throw error
    return { ...blank, ...bill, error: thrown(error, tools) }
  }
}

/** The most memories a system may return at a depth. A budget is never filled by more memories than it has tokens. */
export function mostAt(depth: Depth): number {
  if (depth === 'all') return Number.MAX_SAFE_INTEGER
  return 'k' in depth ? depth.k : Math.min(depth.tokens, MOST_FOR_BUDGET)
}

/** The answers of a system that answers by itself; one, whatever the depth. */
async function ownAnswers(
  system: MemorySystem,
  question: Question,
  query: Query,
  witnesses: readonly WitnessRecord[],
  tools: LifeTools,
): Promise<AnswerRecord[]> {
  const blank = { prompt: '', answer: null, tokens: { input: 0, output: 0 }, cost: 0, error: null }
  const bill = newBill()
  let given: Partial<AnswerRecord>
  try {
    if (!system.answer) throw new Error('it declares that it answers by itself, but has no answer()')
    const { result, ms } = await timedOn(bill, () => system.answer!({ ...query, text: textWithChoices(question) }))
    checkAnswer(result)
    given = { answer: result.text, ...(ms !== null && { ms }) }
  } catch (error) {
    if (tools.signal.aborted || isFatal(error) || error instanceof MemoryGoneError) throw error
    given = { error: thrown(error, tools) }
  }
  const input = Object.values(bill.tokens).reduce((sum, tokens) => sum + tokens, 0)
  return witnesses.map(({ depth }) => ({
    question: question.id,
    depth,
    ...blank,
    tokens: { input, output: 0 },
    cost: bill.cost,
    ...(bill.repairs && { repairs: bill.repairs }),
    ...given,
  }))
}

/** As many as fit, best first; the first that does not fit ends it. The one rule by which budgets are cut. */
export function withinBudget(memories: readonly Memory[], budget: number): Memory[] {
  let left = budget
  const end = memories.findIndex(({ text }) => {
    left -= countTokens(text)
    return left < 0
  })
  return memories.slice(0, end < 0 ? memories.length : end)
}

/** Leaves an error for all that is missing: what a memory that cannot go on did not answer is no zero. */
async function keepErrorsOf(
  key: LifeKey,
  life: PlannedLife,
  missing: Missing,
  error: string,
  tools: LifeTools,
): Promise<void> {
  for (const probe of probesOf(life.scenario)) await keepErrors(key, probe.questions, probe, missing, error, tools)
}

/** Leaves an error for questions at every depth that is missing. */
async function keepErrors(
  key: LifeKey,
  questions: readonly Question[],
  probe: Probe,
  missing: Missing,
  error: string,
  tools: LifeTools,
): Promise<void> {
  for (const { id } of questions) {
    const depths = missing.get(id) ?? []
    if (depths.length === 0) continue
    const witnesses = depths.map((depth) => ({ ...blankWitness(id, probe.id, depth), error }))
    await tools.store.putWitnesses(key, witnesses)
    tools.onWitness(depths.length)
  }
}

function blankWitness(question: string, probe: string, depth: Depth): WitnessRecord {
  const nothing = { retrieved: [], scores: [], retrievedSnapshot: null, contextTokens: 0, sizes: [], ms: null }
  return { question, probe, depth, ...nothing, tokens: {}, cost: 0, error: null }
}

function thrown(error: unknown, { redact = (message) => message }: Pick<LifeTools, 'redact'>): string {
  return redact(messageOf(error))
}
