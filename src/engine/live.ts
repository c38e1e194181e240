import { countTokens } from '../base/tokens.js'
import {
  type AnswerRecord,
  type Embedder,
  type LifeKey,
  type Llm,
  type Memory,
  type MemorySystem,
  momentOf,
  type OpenEndpoint,
  type Probe,
  type Query,
  type Question,
  type RunStore,
  type Scenario,
  type SystemDefinition,
  textWithChoices,
  type WitnessRecord,
} from '../model/index.js'
import { billedTo, newBill } from './bill.js'
import { isFatal } from './fatal.js'
import { inLanes } from './lanes.js'
import { inFolder, openSystem } from './open-system.js'
import { depthOf, FIXED_DEPTH, type PlannedLife, SELF } from './plan.js'

/** Memories asked for when a budget of tokens is to be filled. */
export const MOST_FOR_BUDGET = 1000

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
  log(message: string): void
  /** Takes secrets out of what systems throw, before it is kept. */
  redact?(message: string): string
  /** Called with the number of witnesses just kept. */
  onWitness(count: number): void
}

/**
 * Lives one life: stores every conversation once, and asks every question of its probes at every depth that has no witness yet. Witnesses
 * that ended in an error are asked again. Returns at once when nothing is missing.
 */
export async function live(run: string, life: PlannedLife, tools: LifeTools): Promise<void> {
  const key: LifeKey = { run, ...life.key }
  const missing = await missingAsks(key, life, tools.store)
  if (missing.size === 0) return
  await inFolder(tools.workroot, key, async (workdir) => {
    let system: MemorySystem | undefined
    try {
      const clock = { now: life.scenario.timeline[0] ? timeOf(life.scenario.timeline[0]) : '' }
      system = await openSystem(key, life, workdir, clock, tools)
      await runTimeline(key, life, system, missing, clock, tools)
    } catch (error) {
      if (tools.signal.aborted || isFatal(error)) throw error
      await giveUp(key, life, missing, error, tools)
    } finally {
      await system?.close?.()
    }
  })
}

type Missing = Map<string, number[]>

async function missingAsks(key: LifeKey, life: PlannedLife, store: RunStore): Promise<Missing> {
  const done = new Set<string>()
  for (const { question, k, error } of await store.witnessKeys(key)) if (error === null) done.add(`${k} ${question}`)
  const missing: Missing = new Map()
  for (const { question, ks } of life.asks) {
    const left = ks.filter((k) => !done.has(`${k} ${question.id}`))
    if (left.length > 0) missing.set(question.id, left)
  }
  return missing
}

async function runTimeline(
  key: LifeKey,
  life: PlannedLife,
  system: MemorySystem,
  missing: Missing,
  clock: { now: string },
  tools: LifeTools,
): Promise<void> {
  let parent: string | null = null
  const ingest = newBill()
  for (const event of life.scenario.timeline) {
    tools.signal.throwIfAborted()
    clock.now = timeOf(event)
    if (event.type === 'conversation') {
      await billedTo(ingest, () => system.store(event.conversation))
      if (life.timeline) {
        await billedTo(ingest, async () => system.settle?.(tools.settleMs))
        parent = (await keepStore(key, momentOf(event), system, parent, life.subject.label, tools.store)).snapshot
      }
      continue
    }
    const { probe } = event
    if (!probe.questions.some(({ id }) => missing.has(id))) continue
    await billedTo(ingest, async () => system.settle?.(tools.settleMs))
    await tools.store.putIngest(key, ingest)
    const { held, snapshot } = await keepStore(key, probe.id, system, parent, life.subject.label, tools.store)
    parent = snapshot
    const heldText = new Map(held.map(({ id, text }) => [id, text]))
    const open = probe.questions.filter(({ id }) => missing.has(id))
    // A memory that changes when asked is asked one question at a time.
    const lanes = system.snapshot && system.restore ? 1 : tools.inFlight
    await inLanes(open, lanes, async (question) => {
      tools.signal.throwIfAborted()
      const witnesses = []
      for (const k of missing.get(question.id)!) witnesses.push(await ask(system, question, probe, k, heldText, tools))
      if (life.subject.definition.answers)
        await tools.store.putAnswers(key, SELF, await ownAnswers(system, question, probe, witnesses, tools))
      await tools.store.putWitnesses(key, witnesses)
      tools.onWitness(witnesses.length)
      // Keyless systems never wait for anything: let signals and timers in.
      await new Promise((resume) => setImmediate(resume))
    })
  }
}

/** Keeps what the memory holds now, under the name of the moment. */
async function keepStore(
  key: LifeKey,
  moment: string,
  system: MemorySystem,
  parent: string | null,
  label: string,
  store: RunStore,
): Promise<{ held: Memory[]; snapshot: string }> {
  const held = await system.dump()
  requireUniqueIds(held, label)
  const snapshot = await store.putSnapshot(held, parent)
  const tokens = held.reduce((sum, { text }) => sum + countTokens(text), 0)
  await store.putProbe(key, { probe: moment, snapshot, entries: held.length, tokens })
  return { held, snapshot }
}

async function ask(
  system: MemorySystem,
  question: Question,
  probe: Probe,
  k: number,
  held: ReadonlyMap<string, string>,
  tools: LifeTools,
): Promise<WitnessRecord> {
  const query: Query = { id: question.id, text: question.query ?? question.text, time: probe.time }
  const blank = blankWitness(question.id, probe.id, k)
  const bill = newBill()
  try {
    const before = await system.snapshot?.()
    const { budget } = depthOf(k)
    const most = budget !== null ? MOST_FOR_BUDGET : k === FIXED_DEPTH ? Number.MAX_SAFE_INTEGER : k
    const all = await billedTo(bill, () => system.retrieve(query, most))
    if (system.restore && before !== undefined) await system.restore(before)
    if (all.length > most) throw new Error(`retrieve returned ${all.length} memories, at most ${most} were asked for`)
    const found = budget === null ? all : withinBudget(all, budget)
    const asHeld = found.every(({ id, text }) => held.get(id) === text)
    return {
      ...blank,
      retrieved: found.map(({ id }) => id),
      scores: found.map(({ score }) => score ?? null),
      retrievedSnapshot: asHeld ? null : await tools.store.putSnapshot(found, null),
      contextTokens: found.reduce((sum, { text }) => sum + countTokens(text), 0),
      ...bill,
    }
  } catch (error) {
    if (tools.signal.aborted || isFatal(error)) throw error
    return { ...blank, ...bill, error: messageOf(error, tools) }
  }
}

/** The answers of a system that answers by itself; one, whatever the depth. */
async function ownAnswers(
  system: MemorySystem,
  question: Question,
  probe: Probe,
  witnesses: readonly WitnessRecord[],
  tools: LifeTools,
): Promise<AnswerRecord[]> {
  const blank = { prompt: '', answer: null, tokens: { input: 0, output: 0 }, cost: 0, error: null }
  const bill = newBill()
  let given: Partial<AnswerRecord>
  try {
    if (!system.answer) throw new Error('it declares that it answers by itself, but has no answer()')
    const { text } = await billedTo(bill, () =>
      system.answer!({ id: question.id, text: textWithChoices(question), time: probe.time }),
    )
    given = { answer: text }
  } catch (error) {
    if (tools.signal.aborted || isFatal(error)) throw error
    given = { error: messageOf(error, tools) }
  }
  const input = Object.values(bill.tokens).reduce((sum, tokens) => sum + tokens, 0)
  return witnesses.map(({ k }) => ({
    question: question.id,
    k,
    ...blank,
    tokens: { input, output: 0 },
    cost: bill.cost,
    ...(bill.repairs && { repairs: bill.repairs }),
    ...given,
  }))
}

/** As many as fit, best first; the first that does not fit ends it. */
export function withinBudget(memories: readonly Memory[], budget: number): Memory[] {
  let left = budget
  const end = memories.findIndex(({ text }) => {
    left -= countTokens(text)
    return left < 0
  })
  return memories.slice(0, end < 0 ? memories.length : end)
}

/** A memory that cannot go on leaves an error for every question it did not answer; they are no zeros. */
async function giveUp(
  key: LifeKey,
  life: PlannedLife,
  missing: Missing,
  error: unknown,
  tools: LifeTools,
): Promise<void> {
  const done = await missingAsks(key, life, tools.store)
  const message = messageOf(error, tools)
  tools.log(`${life.subject.label} failed on ${life.scenario.id}: ${message}`)
  for (const event of life.scenario.timeline) {
    if (event.type !== 'probe') continue
    for (const { id } of event.probe.questions) {
      const ks = (missing.get(id) ?? []).filter((k) => done.get(id)?.includes(k))
      if (ks.length === 0) continue
      await tools.store.putWitnesses(
        key,
        ks.map((k) => ({ ...blankWitness(id, event.probe.id, k), error: message })),
      )
      tools.onWitness(ks.length)
    }
  }
}

function blankWitness(question: string, probe: string, k: number): WitnessRecord {
  const nothing = { retrieved: [], scores: [], retrievedSnapshot: null, contextTokens: 0 }
  return { question, probe, k, ...nothing, tokens: {}, cost: 0, error: null }
}

function requireUniqueIds(held: readonly Memory[], label: string): void {
  const ids = new Set<string>()
  for (const { id } of held) {
    if (ids.has(id)) throw new Error(`dump of ${label} holds the id "${id}" twice; ids must be unique`)
    ids.add(id)
  }
}

function timeOf(event: Scenario['timeline'][number]): string {
  return event.type === 'conversation' ? event.conversation.time : event.probe.time
}

function messageOf(error: unknown, { redact = (message) => message }: Pick<LifeTools, 'redact'>): string {
  return redact(error instanceof Error ? error.message : String(error))
}
