import type { Depth } from './depth.js'
import type { Subject } from './identity.js'
import type { RunStatus } from './summary.js'
import type { Memory } from './system.js'
import type { AnswerVerdict, FactStages, FactVerdict, JudgingShare, Repaired, StoreSide } from './verdict.js'

/** A run as it was planned; everything needed to go on with it. */
export interface RunRecord {
  id: string
  created: string
  status: RunStatus
  setting: string
  subjects: Record<string, string>
  /** Ready to be planned again. */
  request: unknown
  /** Milliseconds worked so far, over all sittings. */
  elapsedMs: number
  /** What had to be embedded on this machine so far, and the time during which that went on. */
  embedding: { texts: number; ms: number }
}

/** One life of one memory in a run. */
export interface LifeKey {
  run: string
  subject: Subject
  scenario: string
  trial: number
}

/** The store as it was at a moment. All of it is null for a memory that cannot be looked into. */
export type MomentRecord = { moment: string } & (
  | { snapshot: string; entries: number; tokens: number }
  | { snapshot: null; entries: null; tokens: null }
)

/** Evidence kept of one question at one depth. */
export interface WitnessRecord extends Repaired {
  question: string
  probe: string
  depth: Depth
  /** Ids of memories, best first; `scores` of the system, where it gave some, and `sizes` in tokens are parallel to it. */
  retrieved: string[]
  scores: (number | null)[]
  /** Snapshot of what was retrieved, when it is not made of entries of the dump as they are. */
  retrievedSnapshot: string | null
  contextTokens: number
  sizes: number[]
  /** Milliseconds that `retrieve` took; null when a kept reply made it faster than it is. */
  ms: number | null
  /** Tokens of models inside the system, spent on this retrieval. */
  tokens: Record<string, number>
  /** In USD; null when a price is not known. */
  cost: number | null
  /** Why nothing could be measured. */
  error: string | null
}

/** What a reader made of what was retrieved. */
export interface AnswerRecord extends Repaired {
  question: string
  depth: Depth
  prompt: string
  answer: string | null
  tokens: { input: number; output: number }
  cost: number | null
  /** Milliseconds that it took; absent when the reply was kept from before. */
  ms?: number
  error: string | null
}

/** A judge's word on an answer. */
export interface GradeRecord extends JudgingShare {
  question: string
  depth: Depth
  /** Null: a judge that goes by question did not read the answer, for a stage before it had failed. */
  verdict: AnswerVerdict | null
  /** What a judge that goes by question said of the facts. */
  stages?: FactStages[]
}

/**
 * What happened to a failed question when one part of the memory was made perfect: true when it then succeeded, null when that could not be
 * measured.
 */
export interface Counterfactual {
  question: string
  depth: Depth
  /** The needed facts were handed over. */
  needed: boolean | null
  /** Everything in the system's own store was handed over. */
  store: boolean | null
  /** Missing facts were put into the store; retrieval was the system's own. */
  stored: boolean | null
  /** Faithful versions were put beside damaged ones; retrieval was the system's own. */
  faithful: boolean | null
  /** Both of these. */
  both: boolean | null
}

/** What storing the conversations of a life took, and what could not be stored. */
export interface IngestRecord extends Repaired {
  tokens: Record<string, number>
  cost: number | null
  /** Milliseconds of each `store`, of those that no kept reply made faster than it is. */
  ms?: number[]
  /** Conversations that could not be stored, with why. Absent when there were none. */
  lost?: { conversation: string; error: string }[]
}

/** Keys under which answers, grades and counterfactuals of a life are kept. */
export interface LifeParts {
  answers: { reader: string }[]
  grades: { reader: string; judge: string }[]
  counterfactuals: { reader: string; judge: string }[]
}

/** Who works on a run. */
export interface RunHolder {
  pid: number
  host: string
  since: string
}

/** A run that is held from now on, or who holds it already; null when they have not said yet. */
export type HeldRun = { held: true; release(): Promise<void> } | { held: false; by: RunHolder | null }

/**
 * Where runs are kept. Every write is one durable unit: after a kill at any moment, all writes that returned are there, whole, and no
 * other. Writing the same unit twice is harmless.
 */
export interface RunStore {
  createRun(run: RunRecord): Promise<void>
  getRun(id: string): Promise<RunRecord | null>
  /** Newest first. */
  listRuns(): Promise<RunRecord[]>
  updateRun(
    id: string,
    change: Partial<Pick<RunRecord, 'status' | 'request' | 'elapsedMs' | 'embedding' | 'subjects'>>,
  ): Promise<void>

  /** Keeps a store's contents once per distinct content and returns its hash. `parent` makes it a delta. */
  putSnapshot(memories: readonly Memory[], parent: string | null): Promise<string>
  getSnapshot(hash: string): Promise<Memory[]>

  /** Counts attempts at a life: how many there are with this one. Written before it begins, and never taken back. */
  beginAttempt(life: LifeKey): Promise<number>

  putMoment(life: LifeKey, moment: MomentRecord): Promise<void>
  getMoments(life: LifeKey): Promise<MomentRecord[]>

  /** The witnesses of one question at several depths, as one unit. */
  putWitnesses(life: LifeKey, witnesses: readonly WitnessRecord[]): Promise<void>
  getWitnesses(life: LifeKey): Promise<WitnessRecord[]>
  /** What is there already, without reading it. */
  witnessKeys(life: LifeKey): Promise<{ question: string; depth: Depth; error: string | null }[]>

  /** Verdicts on facts, kept by judge and store content, whatever the run. Keys of `verdicts` are hashes of facts. */
  putFactVerdicts(judge: string, snapshot: string, verdicts: ReadonlyMap<string, FactVerdict>): Promise<void>
  getFactVerdicts(judge: string, snapshot: string): Promise<Map<string, FactVerdict>>

  /** What judges said of stores beyond facts, kept in the same way. Keys of `sides` are hashes of questions. */
  putStoreSides(judge: string, snapshot: string, sides: ReadonlyMap<string, StoreSide>): Promise<void>
  getStoreSides(judge: string, snapshot: string): Promise<Map<string, StoreSide>>

  /** What storing took, written when the last conversation is in. */
  putIngest(life: LifeKey, ingest: IngestRecord): Promise<void>
  getIngest(life: LifeKey): Promise<IngestRecord | null>

  putAnswers(life: LifeKey, reader: string, records: readonly AnswerRecord[]): Promise<void>
  getAnswers(life: LifeKey, reader: string): Promise<AnswerRecord[]>
  putCounterfactuals(life: LifeKey, reader: string, judge: string, records: readonly Counterfactual[]): Promise<void>
  getCounterfactuals(life: LifeKey, reader: string, judge: string): Promise<Counterfactual[]>
  putGrades(life: LifeKey, reader: string, judge: string, records: readonly GradeRecord[]): Promise<void>
  getGrades(life: LifeKey, reader: string, judge: string): Promise<GradeRecord[]>

  /** Takes away all that was kept of a life, but for verdicts on store contents, so that it can begin again. */
  forgetLife(life: LifeKey): Promise<void>
  /** Takes away the witnesses of a probe, with their answers and grades, so that it can be asked again of another store. */
  forgetProbe(life: LifeKey, probe: string): Promise<void>

  /** What there is of a run, to be copied: its lives with how often each was begun; who read and judged one; who judged a snapshot. */
  livesOf(run: string): Promise<{ life: LifeKey; attempts: number }[]>
  partsOf(life: LifeKey): Promise<LifeParts>
  judgesOf(snapshot: string): Promise<{ facts: string[]; sides: string[] }>

  /** Keeps everybody else from writing to a run until it is released, or this process ends, in whatever way. */
  holdRun(run: string, holder: RunHolder): Promise<HeldRun>
  close(): Promise<void>
}
