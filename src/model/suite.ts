import type { AnswerVerdict } from './judge.js'
import type { Outcome } from './outcome.js'
import type { Question } from './question.js'
import type { Scenario } from './scenario.js'
import type { Cell } from './summary.js'

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

/** A published score that stands beside ours. */
export interface PublishedFigure {
  /** Paper and table. */
  source: string
  system: string
  model?: string
  task: string
  /** Name of our score it is to be compared with. */
  score: string
  value: number
  /** The setting it was measured in, such as `k` or `filler`, where the paper varies it. */
  at?: Record<string, string>
}

/**
 * One measured question at one depth, as suites make scores of it. With the outcome `error` its answer was graded, but its facts could not be
 * judged: it counts in scores of answers alone.
 */
export interface ScoredQuestion {
  question: Question
  scenario: string
  outcome: Outcome | null
  evidence: boolean | null
  answer: boolean | null
  verdict: AnswerVerdict | null
  /** The needed facts of the alternative that came furthest. */
  facts: readonly { id: string; stored: boolean | null; faithful: boolean | null; retrieved: boolean }[]
  /** Outdated facts that are still live in the store, and those that were retrieved with nothing beside them that corrects them. */
  outdated: readonly { id: string; live: boolean; standing: boolean }[]
  /** What the store tells beyond that, such as `order` of a series or `removal` of a value. */
  side: Readonly<Record<string, string>>
  /** What became of the question it is paired with; null when it has none or that could not be measured. */
  pair: { evidence: boolean | null; answer: boolean | null } | null
}

/** What became of one criterion of one question. */
export interface CriterionStage {
  /** As in the gold. */
  id: string
  /** Null: no judge could decide it, so that it is neither met nor missed. Without a reader: its evidence is there. */
  met: boolean | null
  /** Where it was lost, such as `never_stored`; null unless it was missed, and where its facts could not be judged. */
  cause: string | null
}

/** How a suite counts answers where plain accuracy would flatter: some right answers do not count. */
export interface AnswerScore {
  /** Its name among the suite's scores, which heads its column in tables. */
  score: string
  /** What a right answer that does not count is called, and why it does not. */
  uncounted: { name: string; why: string }
  /** Whether a question passes; null where it cannot be counted. */
  passed(result: ScoredQuestion): boolean | null
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
  /** Depths of a first look; `defaultK` when absent. */
  tourK?: number[]
  /** Extra settings this suite understands, with defaults. */
  extras: Record<string, { default: string; values: string[]; about: string }>
  guessers: Guesser[]
  /** Name of the score that stands for a question's success with a reader, as the paper counts it. */
  ownScore?: string
  /** The store is kept after every conversation, so that it can be told when a fact entered, changed and was lost. */
  timeline?: boolean
  /** Whether a folder holds a published release of it. */
  holds?(folder: string): boolean
  load(options: SuiteOptions): Promise<LoadedSuite>
  references(): ReferenceSeries[]
  figures?(): PublishedFigure[]
  /** The suite's own scores of the questions of one cell; errors are left out, but for those with a graded answer. */
  score?(results: readonly ScoredQuestion[], about: { reader: boolean }): Record<string, number | null>
  /** What stands for the answer in tables; accuracy when absent, and in tasks none of whose questions it counts. */
  answerScore?: AnswerScore
  /** What became of each criterion of a question, in their order, for suites that grade by criteria. */
  criteria?(result: ScoredQuestion, about: { reader: boolean }): CriterionStage[]
  /** Scores over all tasks of one system at one depth. */
  overall?(cells: readonly Cell[]): Record<string, number | null>
  /** Deterministic grade of an answer, or null when a judge with understanding is needed. `error`: no answer could be read. */
  grade(question: Question, answer: string): { grade: 'right' | 'wrong' | 'error'; reason: string } | null
}
