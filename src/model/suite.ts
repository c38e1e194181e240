import type { Question } from './question.js'
import type { Scenario } from './scenario.js'
import type { Outcome, Score, ScoreInfo } from './score.js'
import type { SuiteData } from './suite-data.js'
import type { ScenarioCost, SuiteGraph, SuitePart, SuiteResults, SuiteSection, TaskResults } from './suite-report.js'
import type { Cell } from './summary.js'
import type { AnswerVerdict } from './verdict.js'

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
  /** What its own flags were set to, by their names. */
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
  /** Of scenarios in which things depend on one another, by their ids. */
  graphs?: ReadonlyMap<string, SuiteGraph>
}

/** A setting that only one suite has, typed behind its name, as `birthdays:year=9`. */
export interface SuiteFlag {
  about: string
  /** It takes several values, typed with `+` between them; the suite is given commas. */
  several?: boolean
  /** Of a suite that is built in: it is a flag of commands, too, as `--year 9`. */
  isTyped?: boolean
  /** What it is when nobody types it; empty for none. */
  default: string
  /** What may be typed; anything when empty. */
  values: string[]
  /** The tag of its questions that tells what was chosen, where that was left to the suite: `auto`, or `all`. */
  tag?: string
  /** What it is while questions are only counted, where that is quicker and gives the same questions. */
  light?: string
  /** The value with which the first reader replies to what is told: what it says is part of what is stored. */
  taker?: string
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
  source: string
  system: string
  model?: string
  task: string
  /** Name of our score it is to be compared with. */
  score: string
  value: number
  /** The setting it was measured in, such as `k` or a setting of the suite, where the paper varies it. */
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
  id: string
  /** Null: no judge could decide it, so that it is neither met nor missed. Without a reader: its evidence is there. */
  met: boolean | null
  /** Where it was lost, as the suite names it; null unless it was missed, and where its facts could not be judged. */
  cause: string | null
  /** The cause as people read it, where its name does not say it all. */
  words?: string
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

/**
 * What belongs together when two systems are compared: questions about the same material succeed and fail together, so that they are no
 * independent witnesses. Tests pair by question and decide by whole clusters.
 */
export interface QuestionClusters {
  /** What one is called, such as `episode`. */
  unit: string
  /** Which one a question belongs to, by a name that no other cluster of the suite has. */
  of(question: Question, scenario: Scenario): string
}

/** A benchmark. */
export interface Suite {
  name: string
  version: string
  about: string
  paper: string
  tasks: TaskInfo[]
  defaultK: number[]
  /** The tag of questions by which scenarios fall into kinds, of each of which a sample must have its share. */
  stratum?: string
  /** Depths of a first look; `defaultK` when absent. */
  tourK?: number[]
  /** What `--size <n>` counts, such as `rows`. */
  unit: string
  clusters: QuestionClusters
  flags: Record<string, SuiteFlag>
  /** Names for several tasks at once. */
  groups?: Record<string, readonly string[]>
  guessers: Guesser[]
  /** Name of the score that stands for a question's success with a reader, as the paper counts it. */
  ownScore?: string
  /** The store is kept after every conversation, so that it can be told when a fact entered, changed and was lost. */
  timeline?: boolean
  /** Data for `--data`: whether a folder holds some, and what it must hold, in words. */
  release?: {
    expected: string
    holds(folder: string): boolean
    /** Nothing is bundled, so that it is only run on data: where that is had, in words. */
    only?: string
  }
  /**
   * Refuses what cannot be meant, before anything is read. `alone`: no other suite is run, so that all of the options are meant for this one.
   *
   * @throws UserError
   */
  refuse?(options: SuiteOptions, about: { alone: boolean }): void
  data?: SuiteData
  load(options: SuiteOptions): Promise<LoadedSuite>
  references(): ReferenceSeries[]
  /** The scores it gives, over a task or over all of them. */
  scores: readonly ScoreInfo[]
  /** The suite's own scores of the questions of one cell; errors are left out, but for those with a graded answer. */
  score?(results: readonly ScoredQuestion[], about: { reader: boolean }): Score[]
  /** What stands for the answer in tables; accuracy when absent, and in tasks none of whose questions it counts. */
  answerScore?: AnswerScore
  /** What became of each criterion of a question, in their order, for suites that grade by criteria. */
  criteria?(result: ScoredQuestion, about: { reader: boolean }): CriterionStage[]
  /** Scores over all tasks of one system at one depth; `cost` is what a scenario took, where that is known. */
  overall?(cells: readonly Cell[], cost: ScenarioCost | null): Score[]
  /** What became of a task, in sentences that stand below its table. */
  findings?(task: TaskResults): string[]
  sections?(results: SuiteResults): SuiteSection[]
  /** Its scores beside published ones, for the section that suites share. */
  besidePaper?(results: SuiteResults): SuitePart[]
  /** What papers print of an answer beside its grade, from 0 to 1 by name, whoever grades it; it is kept as credit. */
  measures?(question: Question, answer: string): Record<string, number>
  /** Deterministic grade of an answer, or null when a judge with understanding is needed. `error`: no answer could be read. */
  grade(question: Question, answer: string): { grade: 'right' | 'wrong' | 'error'; reason: string } | null
}

type NotLeftOut = 'name' | 'about' | 'load' | 'tasks'

/** A suite as its author writes it: what most have in common may be left out. */
export interface OwnSuite extends Partial<Omit<Suite, NotLeftOut | 'flags'>>, Pick<Suite, 'name' | 'about' | 'load'> {
  tasks: (Pick<TaskInfo, 'name' | 'about'> & Partial<TaskInfo>)[]
  flags?: Record<string, Pick<SuiteFlag, 'about' | 'default'> & Partial<SuiteFlag>>
}

/**
 * A suite with what its author left out.
 *
 * @example export default defineSuite({ name: 'birthdays', about: 'who was born when', tasks: [{ name: 'date', about: 'a day' }], load })
 */
export function defineSuite(suite: OwnSuite): Suite {
  return {
    version: '1',
    paper: '',
    defaultK: [5],
    unit: 'scenarios',
    clusters: { unit: 'question', of: (question, scenario) => `${scenario.id} ${question.pair ?? question.id}` },
    scores: [],
    guessers: [],
    references: () => [],
    grade: () => null,
    ...suite,
    tasks: suite.tasks.map((task) => ({ paperK: [], breakdowns: [], ...task })),
    flags: Object.fromEntries(Object.entries(suite.flags ?? {}).map(([name, flag]) => [name, { values: [], ...flag }])),
  }
}
