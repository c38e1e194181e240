import type { LintedCorpus, OwnSuite } from '../model/index.js'
import type { HomeOptions, MeasureOptions, Several } from './types.js'

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
