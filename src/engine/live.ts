import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from '../base/hash.js'
import { countTokens } from '../base/tokens.js'
import type {
  Embedder,
  GoldAccess,
  LifeKey,
  Memory,
  MemorySystem,
  Probe,
  Query,
  Question,
  Reader,
  RunStore,
  Scenario,
  WitnessRecord,
} from '../model/index.js'
import { FIXED_DEPTH, type PlannedLife } from './plan.js'

/** What a life needs from outside. */
export interface LifeTools {
  store: RunStore
  embed: Embedder
  reader: Reader | null
  /** Folder under which systems get theirs. */
  workroot: string
  signal: AbortSignal
  /** Milliseconds a system may take to settle. */
  settleMs: number
  log(message: string): void
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
  const workdir = join(tools.workroot, fingerprint(key))
  await rm(workdir, { recursive: true, force: true })
  await mkdir(workdir, { recursive: true })
  let system: MemorySystem | undefined
  try {
    const clock = { now: life.scenario.timeline[0] ? timeOf(life.scenario.timeline[0]) : '' }
    system = await life.subject.definition.create(
      {
        embed: tools.embed,
        workdir,
        namespace: fingerprint(key),
        now: () => clock.now,
        signal: tools.signal,
        log: tools.log,
        ...(life.subject.definition.needs?.gold && { gold: goldOf(life.scenario) }),
      },
      life.subject.options,
    )
    requireMethods(system, life.subject.label)
    await runTimeline(key, life, system, missing, clock, tools)
  } catch (error) {
    if (tools.signal.aborted || isFatal(error)) throw error
    await giveUp(key, life, missing, error, tools)
  } finally {
    await system?.close?.()
    await rm(workdir, { recursive: true, force: true })
  }
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
  for (const event of life.scenario.timeline) {
    tools.signal.throwIfAborted()
    clock.now = timeOf(event)
    if (event.type === 'conversation') {
      await system.store(event.conversation)
      continue
    }
    const { probe } = event
    if (!probe.questions.some(({ id }) => missing.has(id))) continue
    await system.settle?.(tools.settleMs)
    const held = await system.dump()
    requireUniqueIds(held, life.subject.label)
    const snapshot: string = await tools.store.putSnapshot(held, parent)
    parent = snapshot
    const tokens = held.reduce((sum, { text }) => sum + countTokens(text), 0)
    await tools.store.putProbe(key, { probe: probe.id, snapshot, entries: held.length, tokens })
    const heldText = new Map(held.map(({ id, text }) => [id, text]))
    for (const question of probe.questions) {
      const ks = missing.get(question.id)
      if (!ks) continue
      tools.signal.throwIfAborted()
      const witnesses = []
      for (const k of ks) witnesses.push(await ask(system, question, probe, k, heldText, tools))
      await tools.store.putWitnesses(key, witnesses)
      tools.onWitness(witnesses.length)
      // Keyless systems never wait for anything: let signals and timers in.
      await new Promise((resume) => setImmediate(resume))
    }
  }
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
  try {
    const before = await system.snapshot?.()
    const found = await system.retrieve(query, k === FIXED_DEPTH ? Number.MAX_SAFE_INTEGER : k)
    if (system.restore && before !== undefined) await system.restore(before)
    if (k !== FIXED_DEPTH && found.length > k)
      throw new Error(`retrieve returned ${found.length} memories, at most ${k} were asked for`)
    const asHeld = found.every(({ id, text }) => held.get(id) === text)
    const contextTokens = found.reduce((sum, { text }) => sum + countTokens(text), 0)
    const witness: WitnessRecord = {
      ...blank,
      retrieved: found.map(({ id }) => id),
      scores: found.map(({ score }) => score ?? null),
      retrievedSnapshot: asHeld ? null : await tools.store.putSnapshot(found, null),
      contextTokens,
    }
    return tools.reader ? { ...witness, ...(await answer(system, question, query, found, tools)) } : witness
  } catch (error) {
    if (tools.signal.aborted || isFatal(error)) throw error
    return { ...blank, error: messageOf(error) }
  }
}

async function answer(system: MemorySystem, question: Question, query: Query, found: Memory[], tools: LifeTools) {
  if (system.answer) {
    const { text } = await system.answer({ ...query, text: question.text })
    return { answer: text }
  }
  const reading = await tools.reader!.read(question, found, query.time, tools.signal)
  return {
    answer: reading.answer,
    prompt: reading.prompt,
    tokens: { answer: reading.tokens.input + reading.tokens.output },
    cost: reading.cost,
  }
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
  const message = messageOf(error)
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
  const nothing = { retrieved: [], scores: [], retrievedSnapshot: null, contextTokens: 0, prompt: null, answer: null }
  return { question, probe, k, ...nothing, tokens: {}, cost: 0, error: null }
}

/** The facts as memories, for the oracle: what was said, word for word. */
function goldOf(scenario: Scenario): GoldAccess {
  const memories = new Map(
    scenario.facts.map(({ id, text, sources }) => [id, { id, text, sources } satisfies Memory] as const),
  )
  const needs = new Map<string, string[]>()
  for (const event of scenario.timeline) {
    if (event.type !== 'probe') continue
    for (const question of event.probe.questions) {
      const smallest = [...question.needs].sort((a, b) => a.length - b.length)[0] ?? []
      needs.set(question.id, smallest)
    }
  }
  return {
    needed: (question) => (needs.get(question) ?? []).map((id) => memories.get(id)!),
    all: () => [...memories.values()],
  }
}

function requireMethods(system: MemorySystem, label: string): void {
  for (const method of ['store', 'retrieve', 'dump'] as const) {
    if (typeof system?.[method] !== 'function') {
      throw new Error(`${label} has no ${method}(): a memory system needs store, retrieve and dump`)
    }
  }
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

/** Failures of the harness itself, such as a full disk, end the run; failures of what is measured do not. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && error.name === 'UserError'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
