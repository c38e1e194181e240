import type { LintedCorpus, OwnSuite } from '../model/index.js'
import type { HomeOptions, MeasureOptions, ModelOptions, Several } from './types.js'
import type { ViewOptions } from './view-types.js'

export interface DataRequest extends HomeOptions {
  /** A suite or its tasks; the one whose data a folder holds, or the first, unless given. */
  suite?: Several<string | OwnSuite>
  data?: string
  seed?: number
  /** What the suite declares as flags for this work, by name; of switches `true`. */
  settings?: Readonly<Record<string, string | boolean>>
}

/** A corpus that is bundled. */
export interface ListedCorpus {
  corpus: string
  conversations: number
  facts: number
  questions: number
  dataset: string
}

export interface LintDataOptions extends DataRequest {
  /** Told of every corpus when it is checked. */
  onCorpus?(corpus: LintedCorpus & { suite: string; unit: string }): void
}

export interface LintResult {
  suite: string
  /** How often a rule is broken. */
  violations: number
  corpora: LintedCorpus['report'][]
}

export interface WriteDataOptions extends DataRequest {
  /** A folder, in which nothing is overwritten; or a function that takes all files as one text, and may return false to end it. */
  out?: string | ((line: string) => undefined | false | Promise<undefined | false>)
}

/** A corpus made anew: for a seed alone, or, with a `generator`, by models. */
export interface GenerateDataOptions extends WriteDataOptions, ModelOptions {
  /** What writes it: `provider:model`, `rehearsal:demo`, or `paper` for what the paper took. Without one no model is called. */
  generator?: string
  /** What reads it over; the generator unless given. */
  auditor?: string
  /** Those that all must accept it; the auditor unless given. */
  judges?: Several<string>
  /** `sound` (default) adds our rules to those of the `paper`. */
  rules?: string
  /** How much of each is wanted; what the paper has unless given. */
  target?: number
  /** A folder of prompts in place of our own. */
  prompts?: string
  /** A file of ids that people rejected, as `reviewData` writes it. */
  rejected?: string
  /** Only says what it would ask for and cost. */
  estimate?: boolean
  /** Share of what is asked for that is taken to come through, for the upper end of an estimate; 0.7 unless given. */
  acceptance?: number
}

/** Which rows people look over, and where their tables go or are read from. */
export interface ReviewDataOptions extends HomeOptions {
  suite?: Several<string | OwnSuite>
  /** A folder of generated data. */
  data?: string
  seed?: number
  /** `all`, or how many rows; 5 % unless given, of each stratum at least one. */
  sample?: string | number
  /** A folder for a table for each of two reviewers; read once their verdicts are in it. */
  out?: string
}

/** Whose table is opened in a browser, and where that is served. */
export interface OpenReviewOptions extends ReviewDataOptions, Pick<ViewOptions, 'port'> {
  /** `a` or `b`. */
  reviewer: string
}

/** Tables that were written, or what two reviewers found. */
export type ReviewedData =
  | { written: string[]; rows: number }
  | { n: number; agreed: number; kappa: number | null; rejected: string[]; file: string }

/** A file of one's own conversations and questions that is made a corpus. */
export interface ImportDataOptions extends WriteDataOptions {
  file?: string
}

/** Which questions are written for somebody who runs a system elsewhere. */
export interface ExportForScoringOptions
  extends Pick<WriteDataOptions, 'out' | 'home'>,
    Pick<MeasureOptions, 'suite' | 'data' | 'view' | 'size' | 'seed' | 'settings' | 'parts'> {}

/** Files that were written; or, where only something about them was asked, lines that say it. */
export interface WrittenData {
  files: { path: string; note?: string }[]
  told: string[]
}
