import type { BreakdownRow } from '../analysis/cells.js'
import type { ChangeRow } from '../analysis/changes.js'
import type { CostRow } from '../analysis/costs.js'
import type { Lead } from '../analysis/lead.js'
import type { TaggedPanel } from '../analysis/panels.js'
import type {
  AuditNote,
  Cell,
  Criterion,
  CriterionStage,
  CriterionVerdict,
  Depth,
  Fact,
  FactLabel,
  FactVerdict,
  Interval,
  Memory,
  Outcome,
  Question,
  ReaderRef,
  ReferenceSeries,
  ScoreInfo,
  Subject,
  SuitePart,
  SuiteSection,
  Summary,
  TaskInfo,
} from '../model/index.js'

/** Everything the reports show of a run, as plain data. */
export interface ReportData {
  title: string
  /** Cells include guessers, with `evidence` null. */
  summary: Summary
  /** Counts of (question × system × k × trial), errors among them. */
  headline: { errors: number; questions: number; invalidReason?: string }
  /** In the order in which they are shown. */
  tasks: ReportTask[]
  audit: (AuditNote & { suite: string })[]
  /** Evidence success attainable at a depth by a perfect search over a store that keeps one fact a memory. */
  ceilings: { suite: string; task: string; depth: Depth; rate: number }[]
  references: ReportReference[]
  /** What suites have to say by themselves, in their order. */
  suites: ReportSuite[]
  /** Systems that are yardsticks rather than contestants (class `reference`, such as `oracle`); set apart in tables and findings. */
  yardsticks?: string[]
  /** How stores took what was changed or taken back, and how a panel agreed, by tags. */
  changes?: ChangeRow[]
  panels?: TaggedPanel[]
  /** Who leads, by paired tests; absent where there is nobody to compare with, or it was not asked for. */
  lead?: Lead
  /** What the systems are, by name; those that say nothing of themselves are left out. */
  systems?: { name: string; about: string }[]
  breakdowns: Breakdown[]
  /** What models took, by stage; absent where it was not kept. */
  costs?: CostRow[]
  /** Cells as the same judge gave them for the second time and on; absent when it judged once. */
  judgedAgain?: Cell[]
  /** Questions that failed, errored or rest on an uncertain verdict: one per (system, trial, question), in any order. */
  questions: Iterable<QuestionTrace>
  /** Seed, view, dataset hash, judge, embedder and the like, for the end of the report. */
  settings: { label: string; value: string }[]
}

/** A task as the reports show it. */
export interface ReportTask extends Pick<TaskInfo, 'name' | 'about' | 'breakdowns'> {
  suite: string
  /** The depth at which overviews are drawn; fixed-depth systems join with their only row. */
  defaultK: number
  /** Its suite's own score of success with a reader, by name. */
  ownScore?: string
}

export type ReportReference = ReferenceSeries & { suite: string }

/** What a suite has to say of a run. */
export interface ReportSuite {
  name: string
  scores: readonly ScoreInfo[]
  /** Sentences, by task. */
  findings: Record<string, string[]>
  sections: SuiteSection[]
  /** Its scores with published ones. */
  besidePaper: SuitePart[]
}

/** Evidence success on the questions of a task that carry one value of one tag. */
export interface Breakdown extends BreakdownRow {
  ci95: Interval
}

/** Which question of which memory. */
interface QuestionPlace extends Pick<Question, 'id' | 'text'> {
  suite: string
  task: string
  subject: Subject
  /** Whose life it is asked about, where several scenarios ask questions of the same ids. */
  scenario?: string
}

/** One question with the way of its facts through one memory. */
export interface QuestionTrace extends QuestionPlace, Pick<Question, 'choices'> {
  reader: ReaderRef | null
  trial: number
  /** How many more with the same outcomes were left out after it. */
  more?: number
  /** The right answer, in words. */
  gold: string
  /** Defects of the published row that were kept. */
  flags: string[]
  /** In the order of k; fixed-depth systems have one entry. Budgets of tokens where no k was asked for. */
  byDepth: { depth: Depth; outcome: Outcome }[]
  /** Alternative sets of fact ids. */
  needs?: string[][]
  facts: FactTrace[]
  /** When the store was kept, in order; absent without a timeline. */
  moments?: Moment[]
  /** The first few at the largest k, best first. */
  retrieved: RetrievedMemory[]
  /** How many were retrieved at the largest k, when `retrieved` is cut. */
  retrievedTotal?: number
  /** The reader's answer at the default k, and why the judge graded it as it did. */
  answer?: string
  answerReason?: string
  /** What became of each criterion at the default k, where it is graded by criteria. */
  criteria?: CriterionTrace[]
  /** Why nothing could be measured, for the outcome `error`. */
  error?: string
}

/** What became of one criterion, with what the judges said of it. */
export interface CriterionTrace
  extends Pick<Criterion, 'text' | 'type' | 'expected'>,
    Pick<CriterionStage, 'met' | 'cause' | 'words'>,
    Pick<CriterionVerdict, 'votes'> {
  /** Conversations in which it was told, changed or withdrawn, in their order. */
  told: string[]
  /** The judge's, where somebody answered. */
  reason?: string
  uncertain?: boolean
}

/** What became of one fact. */
export interface FactTrace
  extends Pick<Fact, 'id' | 'text' | 'unsupported'>,
    Pick<FactVerdict, 'label' | 'uncertain' | 'reason' | 'quotes'> {
  /** `outdated`: should no longer stand uncorrected. `correction`: says that something no longer holds. Needed when absent. */
  role?: 'outdated' | 'correction'
  /** Nobody said it: it follows from what was said. */
  derived?: true
  /** Nobody can look into the store: `label` is what was retrieved of it. */
  unseen?: boolean
  /** Supporting memories, with the rank (from 1) at which they were retrieved at the largest k. */
  evidence: { id: string; text: string; rank: number | null }[]
  /** For every entry of `byDepth`: was a faithful version retrieved (of an outdated one: uncorrected); null when that was not measured. */
  retrievedAt: (boolean | null)[]
  /** What the store held of it at every moment of the trace's `moments`; null before anybody spoke of it. */
  course?: (FactLabel | null)[]
}

/** A moment at which the store was kept: `after s07`, or the name of a probe. */
export interface Moment {
  name: string
  kind: 'evidence' | 'other' | 'probe'
}

export interface RetrievedMemory extends Pick<Memory, 'id' | 'text' | 'score'> {
  /** From 1. */
  rank: number
  /** Ids of the facts of this question that it carries. */
  carries: string[]
}

/** One question at one k, as `--junit` takes it. */
export interface QuestionResult extends QuestionPlace {
  depth: Depth
  outcome: Outcome
  /** Why, in a sentence. */
  message: string
  /** The answer is right and does not count: what that is called, and why. */
  uncounted?: { name: string; why: string }
}
