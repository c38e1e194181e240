import type { Judge } from './judge.js'
import type { Embedder } from './llm.js'

/** A flag of `memscope data` for one suite; what was not typed is left to the suite. */
export interface DataFlag {
  about: string
  /** What stands behind it in the help, such as `<n>`; a flag without one is a switch. */
  value?: string
}

/** What work on a corpus is told. */
export interface DataOptions {
  /** Only these tasks; all when absent. */
  tasks?: string[]
  /** A folder with data, instead of what is bundled; a file where one is imported. */
  data?: string
  seed: number
  /** Flags of its own that were typed, by name; a switch is `true`. */
  extra: Record<string, string>
}

/** What checking a corpus is told, and lent. */
export interface LintOptions extends DataOptions {
  judgeFacts: Judge['judgeFacts']
  /** For how close texts are in meaning. Opened when it is asked for. */
  embedder(): Promise<Embedder>
}

/** What writing a corpus is told. */
export interface WriteOptions extends DataOptions {
  /** All lines go to standard output, one file after another. */
  stdout: boolean
  /** Version of the program, for those who write down what made a file. */
  harness: string
}

/** What breaks a rule. `row` says where: a row, an episode, a life and its session, or `*` for the whole corpus. */
export interface Violation {
  rule: string
  row: string
  message: string
}

/** A corpus that was checked. */
export interface LintedCorpus {
  /** Stands behind the name of the suite. */
  name: string
  /** Written as it is by `--json`; a suite may tell more in it. */
  report: { rows: number; rules: { name: string; about: string; broken: number }[]; violations: Violation[] }
  /** Figures worth knowing, in words, that break no rule. */
  notes: string[]
}

/** A file of a corpus. Its lines are made as they are written. */
export interface DataFile {
  path: string
  lines: Iterable<string> | AsyncIterable<string>
  /** Told behind its name once it is written. */
  note?: string
  /** Goes with the others: it is not told of, and may be there already. */
  companion?: true
}

/** What `memscope data` does for a suite. */
export interface SuiteData {
  /** Checks corpora, one after another. `unit` is what they are counted in. */
  lint?: { unit: string; flags?: Record<string, DataFlag>; run(options: LintOptions): AsyncIterable<LintedCorpus> }
  generate?: CorpusWriter
  export?: CorpusWriter
  /** Makes a corpus of a file of the user's, which `data` names. */
  import?: CorpusWriter
}

/** Makes the files of a corpus; or, where it was asked something about them, says it in lines. */
export interface CorpusWriter {
  flags?: Record<string, DataFlag>
  run(options: WriteOptions): Promise<DataFile[] | { told: Iterable<string> }>
}
