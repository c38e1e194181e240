import { factHash } from '../engine/judge.js'
import { FIXED_DEPTH, type Plan, type PlannedLife } from '../engine/plan.js'
import type {
  AnswerVerdict,
  FactVerdict,
  LifeKey,
  Memory,
  ProbeRecord,
  Question,
  RunStore,
  WitnessRecord,
} from '../model/index.js'
import { type Assessment, assess } from './assess.js'

/** One question at one depth, with everything that was kept of it. */
export interface Result {
  life: PlannedLife
  question: Question
  /** Null for systems of fixed depth. */
  k: number | null
  witness: WitnessRecord
  answer: AnswerVerdict | null
  assessment: Assessment
}

/** All results of one life, with its store as it was at each probe. */
export interface LifeResults {
  life: PlannedLife
  probes: Map<string, ProbeRecord>
  /** Results in the order in which questions were asked, and of k. Questions not asked yet are missing. */
  results: Result[]
  verdictOf(probe: string, fact: string): FactVerdict | undefined
  /** Everything the store held at a probe, by id. Read when asked for. */
  memoriesOf(probe: string): Promise<ReadonlyMap<string, Memory>>
  memoriesOfSnapshot(hash: string): Promise<Memory[]>
}

/** Reads a life back from the run store and assesses every question of it. */
export async function readLife(
  run: string,
  life: PlannedLife,
  judgeKey: string,
  store: RunStore,
): Promise<LifeResults> {
  const key: LifeKey = { run, ...life.key }
  const probes = new Map((await store.getProbes(key)).map((probe) => [probe.probe, probe]))
  const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
  const verdicts = new Map<string, Map<string, FactVerdict>>()
  const load = async (snapshot: string) => {
    if (!verdicts.has(snapshot)) verdicts.set(snapshot, await store.getFactVerdicts(judgeKey, snapshot))
    return verdicts.get(snapshot)!
  }
  for (const { snapshot } of probes.values()) await load(snapshot)
  const verdictIn = (snapshot: string | undefined, fact: string) => {
    const known = facts.get(fact)
    return snapshot === undefined || !known ? undefined : verdicts.get(snapshot)?.get(factHash(known))
  }
  const memories = new Map<string, Map<string, Memory>>()
  const memoriesOf = async (probe: string) => {
    const snapshot = probes.get(probe)?.snapshot
    if (snapshot === undefined) return new Map<string, Memory>()
    if (!memories.has(snapshot)) {
      memories.set(snapshot, new Map((await store.getSnapshot(snapshot)).map((memory) => [memory.id, memory])))
    }
    return memories.get(snapshot)!
  }
  const answers = new Map(
    (await store.getAnswerVerdicts(key, judgeKey)).map(({ question, k, verdict }) => [`${k} ${question}`, verdict]),
  )
  const witnesses = new Map(
    (await store.getWitnesses(key)).map((witness) => [`${witness.k} ${witness.question}`, witness]),
  )
  const revisions = new Map<string, string[]>()
  for (const { id, replaces } of life.scenario.facts) {
    if (replaces !== undefined) revisions.set(replaces, [...(revisions.get(replaces) ?? []), id])
  }
  const results: Result[] = []
  for (const { question, ks } of life.asks) {
    for (const k of ks) {
      const witness = witnesses.get(`${k} ${question.id}`)
      if (!witness) continue
      const retrieved = witness.retrievedSnapshot
      if (retrieved !== null) await load(retrieved)
      const held = question.outdated.length > 0 ? await memoriesOf(witness.probe) : null
      const answer = answers.get(`${k} ${question.id}`) ?? null
      const assessment = assess({
        question,
        witness,
        inStore: (fact) => verdictIn(probes.get(witness.probe)?.snapshot, fact),
        inRetrieved: retrieved === null ? null : (fact) => verdictIn(retrieved, fact),
        answer,
        revisionsOf: (fact) => revisions.get(fact) ?? [],
        statusOf: (memory) => held?.get(memory)?.status,
      })
      results.push({ life, question, k: k === FIXED_DEPTH ? null : k, witness, answer, assessment })
    }
  }
  return {
    life,
    probes,
    results,
    verdictOf: (probe, fact) => verdictIn(probes.get(probe)?.snapshot, fact),
    memoriesOf,
    memoriesOfSnapshot: (hash) => store.getSnapshot(hash),
  }
}

/** The lives of a plan, one at a time, so that a large run never stands in memory as a whole. */
export async function* readRun(
  run: string,
  plan: Plan,
  judgeKey: string,
  store: RunStore,
): AsyncGenerator<LifeResults> {
  for (const life of plan.lives) yield readLife(run, life, judgeKey, store)
}
