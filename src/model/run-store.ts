import type { AnswerVerdict, FactVerdict } from './judge.js'
import type { RunStatus } from './summary.js'
import type { Memory } from './system.js'

/** A run as it was planned; everything needed to go on with it. */
export interface RunRecord {
  id: string
  created: string
  status: RunStatus
  setting: string
  subjects: Record<string, string>
  /** The request, ready to be planned again. */
  request: unknown
  /** Milliseconds worked so far, over all sittings. */
  elapsedMs: number
}

/** One life of one memory in a run. */
export interface LifeKey {
  run: string
  system: string
  scenario: string
  trial: number
}

/** The store as it was when a probe was asked. */
export interface ProbeRecord {
  probe: string
  snapshot: string
  entries: number
  tokens: number
}

/** Evidence kept of one question at one k. `k` is -1 for systems of fixed depth. */
export interface WitnessRecord {
  question: string
  probe: string
  k: number
  /** Ids of memories, best first. */
  retrieved: string[]
  /** What the system scored them, where it did; parallel to `retrieved`. */
  scores: (number | null)[]
  /** Snapshot of what was retrieved, when it is not made of entries of the dump as they are. */
  retrievedSnapshot: string | null
  contextTokens: number
  prompt: string | null
  answer: string | null
  tokens: Record<string, number>
  cost: number
  /** Why nothing could be measured. */
  error: string | null
}

/** A judge's word on an answer. */
export interface AnswerRecord {
  question: string
  k: number
  verdict: AnswerVerdict
}

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
    change: Partial<Pick<RunRecord, 'status' | 'request' | 'elapsedMs' | 'subjects'>>,
  ): Promise<void>

  /** Keeps a store's contents once per distinct content and returns its hash. `parent` makes it a delta. */
  putSnapshot(memories: readonly Memory[], parent: string | null): Promise<string>
  getSnapshot(hash: string): Promise<Memory[]>

  putProbe(life: LifeKey, probe: ProbeRecord): Promise<void>
  getProbes(life: LifeKey): Promise<ProbeRecord[]>

  /** The witnesses of one question at several k, as one unit. */
  putWitnesses(life: LifeKey, witnesses: readonly WitnessRecord[]): Promise<void>
  getWitnesses(life: LifeKey): Promise<WitnessRecord[]>
  /** What is there already, without reading it: `question` and `k`. */
  witnessKeys(life: LifeKey): Promise<{ question: string; k: number; error: string | null }[]>

  /** Verdicts on facts, kept by judge and store content, whatever the run. Keys of `verdicts` are hashes of facts. */
  putFactVerdicts(judge: string, snapshot: string, verdicts: ReadonlyMap<string, FactVerdict>): Promise<void>
  getFactVerdicts(judge: string, snapshot: string): Promise<Map<string, FactVerdict>>

  putAnswerVerdicts(life: LifeKey, judge: string, records: readonly AnswerRecord[]): Promise<void>
  getAnswerVerdicts(life: LifeKey, judge: string): Promise<AnswerRecord[]>

  close(): Promise<void>
}
