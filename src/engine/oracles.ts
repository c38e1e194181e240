import { giveWay } from '../base/give-way.js'
import type { Depth } from '../model/depth.js'
import type { Fact } from '../model/fact.js'
import { askKey } from '../model/identity.js'
import type { Reader } from '../model/instrument.js'
import { type Judge, UnjudgedError } from '../model/judge.js'
import { leastEvidenceIn } from '../model/least-evidence.js'
import { LlmError } from '../model/llm.js'
import { type Question, questionForReader } from '../model/question.js'
import type { Counterfactual, LifeKey } from '../model/run-store.js'
import { conversationsOf, timeOf } from '../model/scenario.js'
import { type Memory, MemoryGoneError, type MemorySystem } from '../model/system.js'
import { mostAt, withinDepth } from './ask.js'
import { FailedCallError, namingMethod, namingMethods } from './failed-call.js'
import { isFatal } from './fatal.js'
import { factHash } from './judge-life.js'
import { inLanes } from './lanes.js'
import type { LifeTools } from './live.js'
import { inFolder, openSystem, queryOf } from './open-system.js'
import type { PlannedLife } from './plan.js'
import { withReplies } from './taker.js'

/** A question that failed at a depth. */
export interface Failed {
  question: Question
  probe: string
  time: string
  depth: Depth
}

export interface OracleTools extends Omit<LifeTools, 'onWitness'> {
  /** Of facts. */
  judge: Judge
  /** Null: the evidence itself is the answer. */
  reader: Reader | null
  grade(question: Question, answer: string, facts: readonly Fact[]): Promise<boolean | null>
  /** Told of a system that failed while it lived again: what would have come of it is not known. */
  onFailure(message: string): void
}

/** What is put into each world, by what became of it; in the first, the whole store is handed over instead. */
const WORLDS = {
  store: [],
  stored: ['not_stored'],
  faithful: ['summary_error'],
  both: ['not_stored', 'summary_error'],
} as const

/**
 * Asks every failed question again with one part of the memory made perfect at a time: the needed facts handed over, the whole store handed
 * over, missing facts put into the store, damaged ones put right, and both. What repairs the answer is what broke it.
 */
export async function askOracles(
  run: string,
  life: PlannedLife,
  failed: readonly Failed[],
  tools: OracleTools,
): Promise<Counterfactual[]> {
  if (failed.length === 0) return []
  const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
  const judged = await judgedStores(run, life, tools)
  const times = new Map(conversationsOf(life.scenario).map(({ id, time }) => [id, time]))
  const wanted = [...new Set(failed.flatMap(({ question }) => question.needs.flat()))].map((id) => facts.get(id)!)
  const results = new Map<string, Counterfactual>(
    failed.map(({ question, depth }) => [
      askKey(question.id, depth),
      { question: question.id, depth, needed: null, store: null, stored: null, faithful: null, both: null },
    ]),
  )
  const resultOf = ({ question, depth }: Failed) => results.get(askKey(question.id, depth))!
  const isRepaired = (one: Failed, memories: readonly Memory[]) => isRight(one, memories, facts, life.key.trial, tools)
  const plain = ({ id, text, sources }: Fact): Memory => {
    const time = times.get(sources[0] ?? '')
    return { id: `oracle:${id}`, text, sources, ...(time !== undefined && { time }) }
  }
  const least = leastEvidenceIn(life.scenario)
  await inLanes(failed, tools.inFlight, async (one) => {
    const enough = least(one.question, 'all')?.facts ?? []
    resultOf(one).needed = await isRepaired(
      one,
      enough.map((id) => plain(facts.get(id)!)),
    )
  })
  for (const part of ['store', 'stored', 'faithful', 'both'] as const) {
    tools.signal.throwIfAborted()
    const insert: readonly string[] = WORLDS[part]
    let unseen = false
    await relive(run, life, part, tools, async (system, probe) => {
      const asked = failed.filter((one) => one.probe === probe)
      const { labels, damaged } = judged.get(probe) ?? {}
      const added = insert.flatMap((label) => wanted.filter(({ id }) => labels?.get(id) === label)).map(plain)
      const lanes = system.snapshot && system.restore ? 1 : tools.inFlight
      if (part === 'store') {
        const held = await system.dump?.()
        // The store of a memory that cannot be looked into cannot be handed over: what would have come of it is not known.
        unseen ||= !held
        if (!held) return
        return inLanes(asked, lanes, async (one) => {
          resultOf(one).store = await isRepaired(one, held)
        })
      }
      // Where nothing needs to be put in, the world is the one that was measured, and it failed.
      if (added.length === 0) return
      await put(system, added)
      await inLanes(asked, lanes, async (one) => {
        const needed = one.question.needs.flat().map((fact) => `oracle:${fact}`)
        if (!added.some(({ id }) => needed.includes(id))) return
        const found = await retrieve(system, life, one, part === 'stored' ? undefined : damaged)
        resultOf(one)[part] = await isRepaired(one, found)
      })
    }).catch((error: unknown) => {
      if (tools.signal.aborted || !(error instanceof MemoryGoneError || error instanceof FailedCallError)) throw error
      unseen = true
      tools.onFailure(`${life.subject.system}: ${error.message}`)
    })
    if (!unseen) for (const one of failed) resultOf(one)[part] ??= false
  }
  return [...results.values()]
}

/** Lives the life again up to each probe, in a folder of its own. */
async function relive(
  run: string,
  life: PlannedLife,
  world: string,
  tools: OracleTools,
  atProbe: (system: MemorySystem, probe: string) => Promise<void>,
): Promise<void> {
  const key: LifeKey = { run: `${run}/${world}`, ...life.key }
  const { lost = [] } = (await tools.store.getIngest({ run, ...life.key })) ?? {}
  const gone = new Set(lost.map(({ conversation }) => conversation))
  const fresh = { ...key, attempt: await tools.store.beginAttempt(key) }
  await inFolder(tools.workroot, fresh, async (workdir) => {
    const clock = { now: '' }
    const opened = await namingMethod('create', () => openSystem(fresh, life, workdir, clock, tools))
    const system = namingMethods(opened, life.subject)
    try {
      for (const event of life.scenario.timeline) {
        await giveWay()
        tools.signal.throwIfAborted()
        clock.now = timeOf(event)
        if (event.type === 'conversation') {
          const taking = { taker: tools.taker, signal: tools.signal, trial: key.trial }
          if (!gone.has(event.conversation.id))
            await system.store(await withReplies(event.conversation, life.scenario, system, taking))
        } else {
          await system.settle?.(tools.settleMs)
          await atProbe(system, event.probe.id)
        }
      }
    } finally {
      await system.close?.().catch((error: Error) => tools.log(`${life.subject.system}: ${error.message}`))
    }
  })
}

/** Puts memories in as they are; a system that has no way for that is told them in conversations of their own. */
async function put(system: MemorySystem, memories: readonly Memory[]): Promise<void> {
  if (system.insert) return system.insert(memories)
  for (const { id, text, time } of memories)
    await system.store({ id, time: time ?? new Date(0).toISOString(), turns: [{ role: 'user', text }] })
  await system.settle?.(60_000)
}

/** @param replaced texts that count as gone: better versions were put in, and take their places */
async function retrieve(
  system: MemorySystem,
  { scenario, subject: { definition } }: PlannedLife,
  { question, time, depth }: Failed,
  replaced: ReadonlySet<string> = new Set(),
): Promise<Memory[]> {
  const before = await system.snapshot?.()
  const most = mostAt(depth)
  const wanted = Math.min(Number.MAX_SAFE_INTEGER, most + replaced.size)
  const found = await system.retrieve(queryOf(scenario, question, time), wanted, depth)
  if (system.restore && before !== undefined) await system.restore(before)
  const left = found.filter(({ text }) => !replaced.has(text))
  return withinDepth(left.slice(0, definition.mostFound?.(most) ?? most), depth)
}

/**
 * With a reader, whether its answer is right; without one, whether these memories hold everything that is needed. Null when no answer or no
 * verdict could be had.
 */
async function isRight(
  { question, time }: Failed,
  memories: readonly Memory[],
  facts: ReadonlyMap<string, Fact>,
  trial: number,
  { reader, judge, grade, signal, log }: OracleTools,
): Promise<boolean | null> {
  const needed = [...new Set(question.needs.flat())].map((id) => facts.get(id)!)
  try {
    if (reader) {
      const { answer } = await reader.read(questionForReader(question), memories, { time, trial, signal })
      return await grade(question, answer, needed)
    }
    const verdicts = await judge.judgeFacts(needed, memories, signal)
    const kept = new Set(verdicts.filter(({ label }) => label === 'correct').map(({ fact }) => fact))
    return question.needs.some((set) => set.every((id) => kept.has(id)))
  } catch (error) {
    if (signal.aborted || isFatal(error) || !(error instanceof LlmError || error instanceof UnjudgedError)) throw error
    log(`${question.id}: ${error.message}`)
    return null
  }
}

interface JudgedStore {
  /** What became of each fact. */
  labels: Map<string, string>
  /** Texts of memories that carry a damaged fact and nothing that is kept well. */
  damaged: Set<string>
}

/** The store at each moment, as judged before. */
async function judgedStores(run: string, life: PlannedLife, tools: OracleTools): Promise<Map<string, JudgedStore>> {
  const stores = new Map<string, JudgedStore>()
  for (const { moment, snapshot } of await tools.store.getMoments({ run, ...life.key })) {
    if (snapshot === null) continue
    const verdicts = await tools.store.getFactVerdicts(tools.judge.key, snapshot)
    const labels = new Map<string, string>()
    const [bad, good] = [new Set<string>(), new Set<string>()]
    for (const fact of life.scenario.facts) {
      const verdict = verdicts.get(factHash(fact))
      if (!verdict) continue
      labels.set(fact.id, verdict.label)
      const side = verdict.label === 'summary_error' ? bad : good
      for (const id of verdict.support.flat()) side.add(id)
    }
    const held = bad.size > 0 ? await tools.store.getSnapshot(snapshot) : []
    const damaged = held.filter(({ id }) => bad.has(id) && !good.has(id)).map(({ text }) => text)
    stores.set(moment, { labels, damaged: new Set(damaged) })
  }
  return stores
}
