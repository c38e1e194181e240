import type { Question } from './question.js'
import type { Scenario } from './scenario.js'

export type View = 'audited' | 'released'

/** How a suite is asked to load its scenarios. */
export interface SuiteOptions {
  /** Only these tasks; all when absent. */
  tasks?: string[]
  /** Folder of a published release; the bundled corpus when absent. */
  data?: string
  view: View
  seed: number
  size: 'quick' | 'paper' | number
  /** Suite-specific settings such as `pack` or `replies`. */
  extra: Record<string, string>
}

/** Something that was repaired, flagged or dropped on the way from a published row to a scenario. */
export interface AuditNote {
  task: string
  /** Row number or id as in the published file. */
  row: string
  action: 'repaired' | 'flagged' | 'dropped'
  why: string
}

export interface LoadedSuite {
  scenarios: Scenario[]
  /** Hash of everything that was read. */
  datasetHash: string
  audit: AuditNote[]
}

export interface TaskInfo {
  name: string
  about: string
  /** Depths at which the paper reports this task. */
  paperK: number[]
  /** Tags worth a breakdown of their own in reports. */
  breakdowns: string[]
}

/** Published figures that stand beside ours. */
export interface ReferenceSeries {
  source: string
  model: string
  system: string
  task: string
  /** Subset of the task's questions it speaks of, when not all. */
  subset?: string
  points: { k: number; n: number; correct: number; counts: Record<string, number> }[]
}

/** A guess that reads no memory: the probability of being right on one question, or null where it does not apply. */
export interface Guesser {
  name: string
  about: string
  /** Chance of being right for every question of a scenario, in order; null where the guesser does not apply. */
  guess(scenario: Scenario): (number | null)[]
}

/** A benchmark. */
export interface Suite {
  name: string
  version: string
  about: string
  paper: string
  tasks: TaskInfo[]
  defaultK: number[]
  /** Extra settings this suite understands, with defaults. */
  extras: Record<string, { default: string; values: string[]; about: string }>
  guessers: Guesser[]
  load(options: SuiteOptions): Promise<LoadedSuite>
  references(): ReferenceSeries[]
  /** Deterministic grade of an answer, or null when a judge with understanding is needed. `error`: no answer could be read. */
  grade(question: Question, answer: string): { grade: 'right' | 'wrong' | 'error'; reason: string } | null
}
