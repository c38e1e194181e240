import type { Counterfactual, Fact, Judge, LifeKey, Memory, MemorySystem, Question, Reader } from '../model/index.js'
import { factHash } from './judge.js'
import { inLanes } from './lanes.js'
import type { LifeTools } from './live.js'
import { inFolder, openSystem } from './open-system.js'
import { FIXED_DEPTH, type PlannedLife } from './plan.js'

/** A question that failed at a depth. */
export interface Failed {
  question: Question
  probe: string
  time: string
  k: number
}

export interface OracleTools extends Omit<LifeTools, 'onWitness'> {
  judge: Judge
  /** Null: the evidence itself is the answer. */
  reader: Reader | null
  grade(question: Question, answer: string, facts: readonly Fact[]): Promise<boolean | null>
}

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
  const labels = await labelsOf(run, life, tools)
  const wanted = [...new Set(failed.flatMap(({ question }) => question.needs.flat()))].map((id) => facts.get(id)!)
  const byLabel = (probe: string, label: string) => wanted.filter(({ id }) => labels.get(probe)?.get(id) === label)
  const results = new Map<string, Counterfactual>(
    failed.map(({ question, k }) => [
      `${k} ${question.id}`,
      { question: question.id, k, needed: null, store: null, stored: null, faithful: null, both: null },
    ]),
  )
  const settle = async (
    part: 'needed' | 'store' | 'stored' | 'faithful' | 'both',
    one: Failed,
    memories: readonly Memory[],
  ) => {
    results.get(`${one.k} ${one.question.id}`)![part] = await isRight(one, memories, facts, life.key.trial, tools)
  }
  const plain = (fact: Fact): Memory => ({ id: `oracle:${fact.id}`, text: fact.text, sources: fact.sources })
  await inLanes(failed, tools.inFlight, async (one) => {
    const smallest = [...one.question.needs].sort((a, b) => a.length - b.length)[0] ?? []
    await settle(
      'needed',
      one,
      smallest.map((id) => plain(facts.get(id)!)),
    )
  })
  const worlds = [
    { part: 'store', insert: [], whole: true },
    { part: 'stored', insert: ['not_stored'], whole: false },
    { part: 'faithful', insert: ['summary_error'], whole: false },
    { part: 'both', insert: ['not_stored', 'summary_error'], whole: false },
  ] as const
  for (const { part, insert, whole } of worlds) {
    tools.signal.throwIfAborted()
    await relive(run, life, part, tools, async (system, probe) => {
      const asked = failed.filter((one) => one.probe === probe)
      const added = insert.flatMap((label) => byLabel(probe, label)).map(plain)
      // Where nothing needs to be put in, the world is the one that was measured, and it failed.
      if (!whole && added.length === 0) return
      await put(system, added)
      const held = whole ? await system.dump() : []
      await inLanes(asked, system.snapshot && system.restore ? 1 : tools.inFlight, async (one) => {
        const relevant =
          whole || added.some(({ id }) => one.question.needs.flat().some((fact) => id === `oracle:${fact}`))
        if (!relevant) return settle(part, one, [])
        await settle(part, one, whole ? held : await retrieve(system, one))
      })
    })
    for (const one of failed) results.get(`${one.k} ${one.question.id}`)![part] ??= false
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
  await inFolder(tools.workroot, key, async (workdir) => {
    const clock = { now: '' }
    const system = await openSystem(key, life, workdir, clock, tools)
    try {
      for (const event of life.scenario.timeline) {
        tools.signal.throwIfAborted()
        if (event.type === 'conversation') {
          clock.now = event.conversation.time
          await system.store(event.conversation)
        } else {
          clock.now = event.probe.time
          await system.settle?.(tools.settleMs)
          await atProbe(system, event.probe.id)
        }
      }
    } finally {
      await system.close?.()
    }
  })
}

/** Puts memories in as they are; a system that has no way for that is told them in conversations of their own. */
async function put(system: MemorySystem, memories: readonly Memory[]): Promise<void> {
  if (memories.length === 0) return
  if (system.insert) return system.insert(memories)
  for (const { id, text } of memories)
    await system.store({ id, time: new Date(0).toISOString(), turns: [{ role: 'user', text }] })
  await system.settle?.(60_000)
}

async function retrieve(system: MemorySystem, { question, time, k }: Failed): Promise<Memory[]> {
  const before = await system.snapshot?.()
  const found = await system.retrieve(
    { id: question.id, text: question.query ?? question.text, time },
    k === FIXED_DEPTH ? Number.MAX_SAFE_INTEGER : k,
  )
  if (system.restore && before !== undefined) await system.restore(before)
  return found
}

/** With a reader, whether its answer is right; without one, whether these memories hold everything that is needed. */
async function isRight(
  { question, time }: Failed,
  memories: readonly Memory[],
  facts: ReadonlyMap<string, Fact>,
  trial: number,
  tools: OracleTools,
): Promise<boolean | null> {
  const needed = [...new Set(question.needs.flat())].map((id) => facts.get(id)!)
  if (tools.reader) {
    const { answer } = await tools.reader.read(question, memories, { time, trial, signal: tools.signal })
    return tools.grade(question, answer, needed)
  }
  const verdicts = await tools.judge.judgeFacts(needed, memories, tools.signal)
  const kept = new Set(verdicts.filter(({ label }) => label === 'correct').map(({ fact }) => fact))
  return question.needs.some((set) => set.every((id) => kept.has(id)))
}

/** What became of each fact in the store of each probe, as judged before. */
async function labelsOf(run: string, life: PlannedLife, tools: OracleTools): Promise<Map<string, Map<string, string>>> {
  const labels = new Map<string, Map<string, string>>()
  for (const { probe, snapshot } of await tools.store.getProbes({ run, ...life.key })) {
    const verdicts = await tools.store.getFactVerdicts(tools.judge.key, snapshot)
    labels.set(
      probe,
      new Map(
        life.scenario.facts.flatMap((fact) => {
          const verdict = verdicts.get(factHash(fact))
          return verdict ? [[fact.id, verdict.label] as const] : []
        }),
      ),
    )
  }
  return labels
}
