import { giveWay } from '../base/give-way.js'
import { factHash, questionHash } from '../engine/judge.js'
import { type Plan, type PlannedLife, SELF } from '../engine/plan.js'
import {
  type AnswerRecord,
  type AnswerVerdict,
  correctionsOf,
  type Depth,
  depthOf,
  type FactVerdict,
  type GradeRecord,
  type IngestRecord,
  type JudgePair,
  type LifeKey,
  type Memory,
  memoriesOf as memoriesAt,
  momentOf,
  type ProbeRecord,
  type Question,
  type RunStore,
  type Spent,
  type StoreSide,
  type WitnessRecord,
} from '../model/index.js'
import { type Assessment, assess } from './assess.js'
import { type Course, readCourse } from './course.js'
import { sideOf } from './store-side.js'

/** One question at one depth, with everything that was kept of it. */
export interface Result {
  life: PlannedLife
  question: Question
  /** Memories asked for; null at other depths. */
  k: number | null
  depth: Depth
  witness: WitnessRecord
  /** What a reader answered; null without one. */
  answer: AnswerRecord | null
  grade: AnswerVerdict | null
  /** What grading the answer took in models. */
  gradeTook?: Spent
  /** What unusable replies of the grader took besides. */
  gradeRepairs?: Spent
  /** Milliseconds of the call that graded the answer. */
  gradeMs?: number
  assessment: Assessment
  /** What else the store tells of it. */
  side: StoreSide
}

/** All results of one life, with its store as it was at each probe. */
export interface LifeResults {
  life: PlannedLife
  /** Name of the reader, or `none`. */
  reader: string
  ingest: IngestRecord | null
  /** The store as it was kept: at probes, and after conversations where there is a timeline. By moment, in order. */
  probes: Map<string, ProbeRecord>
  /** How its facts fared along the timeline. */
  course: Course
  /** Results in the order in which questions were asked, and of k. Questions not asked yet are missing. */
  results: Result[]
  verdictOf(probe: string, fact: string): FactVerdict | undefined
  /** The same by the hash of a snapshot. */
  verdictIn(snapshot: string, fact: string): FactVerdict | undefined
  /** Everything the store held at a probe, by id. Read when asked for. */
  memoriesOf(probe: string): Promise<ReadonlyMap<string, Memory>>
  memoriesOfSnapshot(hash: string): Promise<Memory[]>
}

/** Reads a life back from the run store and assesses every question of it. */
async function readLife(
  run: string,
  life: PlannedLife,
  reader: ReaderName,
  keys: Pick<ResultKeys, 'judge' | 'timeline'>,
  store: RunStore,
): Promise<LifeResults> {
  const key: LifeKey = { run, ...life.key }
  const kept = new Map((await store.getProbes(key)).map((probe) => [probe.probe, probe]))
  const probes = new Map(
    life.scenario.timeline.flatMap((event) => {
      const record = kept.get(momentOf(event))
      return record ? [[record.probe, record] as const] : []
    }),
  )
  const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
  const verdicts = new Map<string, Map<string, FactVerdict>>()
  const load = async (snapshot: string) => {
    if (!verdicts.has(snapshot)) verdicts.set(snapshot, await store.getFactVerdicts(keys.judge.facts, snapshot))
    return verdicts.get(snapshot)!
  }
  for (const { snapshot } of probes.values()) if (snapshot !== null) await load(snapshot)
  const sides = new Map<string, Promise<Map<string, StoreSide>>>()
  const sidesIn = (snapshot: string) => {
    const known = sides.get(snapshot) ?? store.getStoreSides(keys.judge.facts, snapshot)
    sides.set(snapshot, known)
    return known
  }
  const verdictIn = (snapshot: string | null | undefined, fact: string) => {
    const known = facts.get(fact)
    return snapshot === undefined || snapshot === null || !known
      ? undefined
      : verdicts.get(snapshot)?.get(factHash(known))
  }
  const memories = new Map<string, Map<string, Memory>>()
  const memoriesOf = async (probe: string) => {
    const snapshot = probes.get(probe)?.snapshot
    if (snapshot === undefined || snapshot === null) return new Map<string, Memory>()
    if (!memories.has(snapshot)) {
      memories.set(snapshot, new Map((await store.getSnapshot(snapshot)).map((memory) => [memory.id, memory])))
    }
    return memories.get(snapshot)!
  }
  /** Memories whose standing counts for a question: those of the store, or what was retrieved where nobody can look into it. */
  const standingOf = async ({ probe, retrievedSnapshot }: WitnessRecord): Promise<ReadonlyMap<string, Memory>> => {
    if (probes.get(probe)?.snapshot !== null || retrievedSnapshot === null) return memoriesOf(probe)
    return new Map((await store.getSnapshot(retrievedSnapshot)).map((memory) => [memory.id, memory]))
  }
  const answers = new Map<string, AnswerRecord>()
  const grades = new Map<string, GradeRecord>()
  if (reader.key !== null) {
    for (const record of await store.getAnswers(key, reader.key)) answers.set(`${record.k} ${record.question}`, record)
    for (const record of await store.getGrades(key, reader.key, keys.judge.answers))
      grades.set(`${record.k} ${record.question}`, record)
  }
  const witnesses = new Map(
    (await store.getWitnesses(key)).map((witness) => [`${witness.k} ${witness.question}`, witness]),
  )
  const corrections = correctionsOf(life.scenario.facts)
  const course = await readCourse(life, probes, { judge: keys.judge.facts, timeline: keys.timeline }, store)
  const results: Result[] = []
  for (const { question, ks } of life.asks) {
    await giveWay()
    for (const k of ks) {
      const witness = witnesses.get(`${k} ${question.id}`)
      const answer = answers.get(`${k} ${question.id}`) ?? null
      if (!witness || (reader.key !== null && witness.error === null && !answer)) continue
      const retrieved = witness.retrievedSnapshot
      if (retrieved !== null) await load(retrieved)
      const snapshot = probes.get(witness.probe)?.snapshot
      const held = await standingOf(witness)
      const graded = grades.get(`${k} ${question.id}`)
      const grade = graded?.verdict ?? null
      const assessment = assess({
        question,
        witness,
        inStore: snapshot === null ? null : (fact) => verdictIn(snapshot, fact),
        inRetrieved: retrieved === null ? null : (fact) => verdictIn(retrieved, fact),
        answered: answer && { text: answer.answer, error: answer.error, verdict: grade },
        stages: graded?.stages,
        correctionsOf: (fact) => corrections.get(fact) ?? [],
        wasStored: (fact) => course.storedBefore(fact, witness.probe),
        statusOf: (memory) => held.get(memory)?.status,
      })
      const wasStored = (fact: string) => course.storedBefore(fact, witness.probe)
      const judged = snapshot ? (await sidesIn(snapshot)).get(questionHash(question)) : undefined
      const side = snapshot ? sideOf(question, judged, (fact) => verdictIn(snapshot, fact), wasStored) : {}
      results.push({
        life,
        question,
        side,
        k: memoriesAt(depthOf(k)),
        depth: depthOf(k),
        witness,
        answer,
        grade,
        ...(graded?.took && { gradeTook: graded.took }),
        ...(graded?.repairs && { gradeRepairs: graded.repairs }),
        ...(graded?.ms !== undefined && { gradeMs: graded.ms }),
        assessment,
      })
    }
  }
  return {
    life,
    reader: reader.name,
    ingest: await store.getIngest(key),
    probes,
    course,
    results,
    verdictIn,
    verdictOf: (probe, fact) => verdictIn(probes.get(probe)?.snapshot, fact),
    memoriesOf,
    memoriesOfSnapshot: (hash) => store.getSnapshot(hash),
  }
}

/** A reader by name and key; `none` has no key. */
export interface ReaderName {
  name: string
  key: string | null
}

/** The lives of a plan, one at a time and once for every reader, so that a large run never stands in memory as a whole. */
export async function* readRun(
  run: string,
  plan: Plan,
  keys: ResultKeys,
  store: RunStore,
): AsyncGenerator<LifeResults> {
  for (const life of plan.lives) {
    const readers: ReaderName[] = life.readers.map((name) => ({
      name,
      key: name === SELF ? SELF : keys.readers[name]!,
    }))
    for (const reader of readers.length > 0 ? readers : [{ name: 'none', key: null }])
      yield readLife(run, life, reader, keys, store)
  }
}

/** Keys by which verdicts and answers are kept. */
export interface ResultKeys {
  judge: JudgePair<string>
  /** Keys of the same judges for the second time and on. */
  judgedAgain?: readonly JudgePair<string>[]
  /** Under which verdicts along timelines are kept. */
  timeline: string
  /** By the name of the reader. */
  readers: Record<string, string>
}
