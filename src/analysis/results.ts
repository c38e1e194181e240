import { giveWay } from '../base/give-way.js'
import { entryOf } from '../base/group-by.js'
import { factHash, questionHash } from '../engine/judge-life.js'
import { keptMemories, retrievedMemories } from '../engine/kept-memories.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import type { Depth } from '../model/depth.js'
import { correctionsOf } from '../model/fact.js'
import { answersKey, askKey, type ReaderRef } from '../model/identity.js'
import type { JudgePair } from '../model/judge.js'
import type { Question } from '../model/question.js'
import type {
  AnswerRecord,
  GradeRecord,
  IngestRecord,
  LifeKey,
  MomentRecord,
  RunStore,
  WitnessRecord,
} from '../model/run-store.js'
import { momentOf } from '../model/scenario.js'
import type { Memory } from '../model/system.js'
import type { AnswerVerdict, FactVerdict, StoreSide } from '../model/verdict.js'
import { type Assessment, assessQuestion, type Evidence } from './assess.js'
import { boundsOf, type ResultBounds } from './bounds.js'
import { type Course, readCourse } from './course.js'

/** One question at one depth, with everything that was kept of it. */
export interface Result {
  life: PlannedLife
  question: Question
  depth: Depth
  witness: WitnessRecord
  /** What a reader answered; null without one. */
  answer: AnswerRecord | null
  grade: AnswerVerdict | null
  /** The same as it was kept, with what it took. */
  graded?: GradeRecord
  assessment: Assessment
  bounds: ResultBounds
  side: StoreSide
}

/** All results of one life, with its store as it was at each moment. */
export interface LifeResults {
  planned: PlannedLife
  /** Who answered; null when nobody did. */
  reader: ReaderRef | null
  ingest: IngestRecord | null
  /** The store as it was kept: at probes, and after conversations where there is a timeline. In order. */
  moments: Map<string, MomentRecord>
  course: Course
  /** Results in the order in which questions were asked, and of depths. Questions not asked yet are missing. */
  results: Result[]
  verdictAt(moment: string, fact: string): FactVerdict | undefined
  /** The same by the hash of a snapshot. */
  verdictIn(snapshot: string, fact: string): FactVerdict | undefined
  /** Everything the store held at a moment, by id. Read when asked for. */
  memoriesAt(moment: string): Promise<ReadonlyMap<string, Memory>>
  /** What was retrieved for a question, best first. */
  retrievedFor(witness: WitnessRecord): Promise<Memory[]>
}

/** Reads a life back from the run store and assesses every question of it. */
async function readLife(
  run: string,
  life: PlannedLife,
  reader: ReaderRef | null,
  keys: ResultKeys,
  store: RunStore,
): Promise<LifeResults> {
  const key: LifeKey = { run, ...life.key }
  const kept = new Map((await store.getMoments(key)).map((record) => [record.moment, record]))
  const inOrder = life.scenario.timeline.flatMap((event) => kept.get(momentOf(event)) ?? [])
  const moments = new Map(inOrder.map((record) => [record.moment, record]))
  const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
  const verdicts = new Map<string, Map<string, FactVerdict>>()
  const load = async (snapshot: string) => {
    if (!verdicts.has(snapshot)) verdicts.set(snapshot, await store.getFactVerdicts(keys.judge.facts, snapshot))
  }
  for (const { snapshot } of moments.values()) if (snapshot !== null) await load(snapshot)
  const sides = new Map<string, Promise<Map<string, StoreSide>>>()
  const sidesIn = (snapshot: string) => entryOf(sides, snapshot, () => store.getStoreSides(keys.judge.facts, snapshot))
  const verdictIn = (snapshot: string | null | undefined, fact: string) => {
    const known = facts.get(fact)
    return known && verdicts.get(snapshot ?? '')?.get(factHash(known))
  }
  const memories = new Map<string, Promise<ReadonlyMap<string, Memory>>>()
  const memoriesAt = async (moment: string): Promise<ReadonlyMap<string, Memory>> => {
    const snapshot = moments.get(moment)?.snapshot
    return snapshot ? entryOf(memories, snapshot, () => keptMemories(snapshot, store)) : new Map()
  }
  /** Memories whose standing counts for a question: those of the store, or what was retrieved where nobody can look into it. */
  const standingOf = async ({ probe, retrievedSnapshot }: WitnessRecord): Promise<ReadonlyMap<string, Memory>> => {
    if (moments.get(probe)?.snapshot !== null || retrievedSnapshot === null) return memoriesAt(probe)
    return keptMemories(retrievedSnapshot, store)
  }
  const by = answersKey(reader, keys.readers)
  const answers = byAsk(reader ? await store.getAnswers(key, by) : [])
  const grades = byAsk(reader ? await store.getGrades(key, by, keys.judge.answers) : [])
  const witnesses = byAsk(await store.getWitnesses(key))
  const corrections = correctionsOf(life.scenario.facts)
  const course = await readCourse(life, moments, { judge: keys.judge.facts, timeline: keys.timeline }, store)
  const results: Result[] = []
  for (const { question, depths } of life.asks) {
    await giveWay()
    for (const depth of depths) {
      const asked = askKey(question.id, depth)
      const witness = witnesses.get(asked)
      const answer = answers.get(asked) ?? null
      if (!witness || (reader && witness.error === null && !answer)) continue
      const retrieved = witness.retrievedSnapshot
      if (retrieved !== null) await load(retrieved)
      const snapshot = moments.get(witness.probe)?.snapshot
      const held = await standingOf(witness)
      const graded = grades.get(asked)
      const grade = graded?.verdict ?? null
      const wasStored = (fact: string) => course.storedBefore(fact, witness.probe)
      const evidence: Evidence = {
        question,
        witness,
        inStore: snapshot === null ? null : (fact) => verdictIn(snapshot, fact),
        inRetrieved: retrieved === null ? null : (fact) => verdictIn(retrieved, fact),
        answered: answer && { text: answer.answer, error: answer.error, verdict: grade },
        stages: graded?.stages,
        correctionsOf: (fact) => corrections.get(fact) ?? [],
        wasStored,
        statusOf: (memory) => held.get(memory)?.status,
      }
      const judged = snapshot ? (await sidesIn(snapshot)).get(questionHash(question)) : undefined
      const side = snapshot ? sideOf(question, judged, (fact) => verdictIn(snapshot, fact), wasStored) : {}
      const given = { witness, answer, grade, ...(graded && { graded }) }
      const assessed = { assessment: assessQuestion(evidence), bounds: boundsOf(evidence) }
      results.push({ life, question, depth, ...given, ...assessed, side })
    }
  }
  return {
    planned: life,
    reader,
    ingest: await store.getIngest(key),
    moments,
    course,
    results,
    verdictIn,
    verdictAt: (moment, fact) => verdictIn(moments.get(moment)?.snapshot, fact),
    memoriesAt,
    retrievedFor: async (witness) => retrievedMemories(witness, await memoriesAt(witness.probe), store),
  }
}

/** What the judge said of a store for a question. Of a value to be forgotten that never was in the store nothing became. */
function sideOf(
  { gold, gone = [] }: Question,
  judged: StoreSide | undefined,
  verdictOf: (fact: string) => FactVerdict | undefined,
  wasStored: (fact: string) => boolean,
): StoreSide {
  const [value] = gone
  if (gold.kind === 'withheld' && value !== undefined && verdictOf(value)?.label === 'not_stored' && !wasStored(value))
    return { removal: 'never there' }
  return judged ?? {}
}

function byAsk<T extends { question: string; depth: Depth }>(records: readonly T[]): ReadonlyMap<string, T> {
  return new Map(records.map((record) => [askKey(record.question, record.depth), record]))
}

/** The lives of a plan, one at a time and once for every reader, so that a large run never stands in memory as a whole. */
export async function* readRun(
  run: string,
  plan: Plan,
  keys: ResultKeys,
  store: RunStore,
): AsyncGenerator<LifeResults> {
  for (const life of plan.lives) {
    for (const reader of life.readers.length > 0 ? life.readers : [null]) yield readLife(run, life, reader, keys, store)
  }
}

/** Keys by which verdicts and answers are kept. */
export interface ResultKeys {
  judge: JudgePair<string>
  /** Keys of the same judges for the second time and on. */
  judgedAgain?: readonly JudgePair<string>[]
  /** Under which verdicts along timelines are kept. */
  timeline: string
  /** Readers by their keys in the plan. */
  readers: ReadonlyMap<string, { key: string }>
}
