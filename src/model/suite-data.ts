import type { Judge } from './judge.js'
import type { Embedder, Llm } from './llm.js'

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

/** What work on a corpus is lent. */
interface DataTools {
  judgeFacts: Judge['judgeFacts']
  /** For how close texts are in meaning. Opened when it is asked for. */
  embedder(): Promise<Embedder>
}

/** What checking a corpus is told, and lent. */
export interface LintOptions extends DataOptions, DataTools {}

/** Who makes a corpus: what writes it, what reads it over, and those that all must accept it. */
export const MAKER_ROLES = ['generator', 'auditor', 'judge'] as const
export type MakerRole = (typeof MAKER_ROLES)[number]

/** By whose rules a corpus is made: those of its paper, or those and ours. */
export const MAKING_RULES = ['sound', 'paper'] as const

/** What making a corpus with models is told, and lent. */
export interface ModelMaking extends DataTools {
  judgeAnswer: Judge['judgeAnswer']
  rules: (typeof MAKING_RULES)[number]
  /** Commit of the program, where it is run from its repository. */
  commit: string | null
  /** The models of a role for a step, as `provider:model`; only of judges there may be several. */
  models(role: MakerRole, step: string): readonly string[]
  /** A model by name. One that is only rehearsed says what `rehearse` does. */
  llm(model: string, rehearse: () => unknown): Llm
  /** A folder with prompts in place of our own, by the names of their files. */
  prompts?: string
  /** How many rows, episodes or lives are wanted; what the paper has unless given. */
  target?: number
  /** Ids of what people rejected, which is made anew. */
  rejected: ReadonlySet<string>
  /** The texts nearest to a query by words and by meaning together, as places in a list. */
  nearest(texts: readonly string[]): Promise<(query: string, count: number) => Promise<number[]>>
  /** Something worth knowing while it goes on. */
  tell(message: string): void
  /** Ends it; what was kept is kept. */
  signal: AbortSignal
}

/** What writing a corpus is told. */
export interface WriteOptions extends DataOptions {
  /** All lines go to standard output, one file after another. */
  stdout: boolean
  /** Version of the program, for those who write down what made a file. */
  harness: string
  /** There when models make it. */
  making?: ModelMaking
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

/** Stands beside generated data and says how it came about. It is written last. */
export const GENERATION_CONFIG = 'generation_config.json'

/** A file of a corpus. Its lines are made as they are written. */
export interface DataFile {
  path: string
  lines: Iterable<string> | AsyncIterable<string>
  /** Told behind its name once it is written. */
  note?: string
  /** Goes with the others: it is not told of, and may be there already. */
  companion?: true
  /** Comes out the same when it is made again, so that one with the same text may be there already. */
  isRepeated?: true
}

/** What `memscope data` does for a suite. */
export interface SuiteData extends CorpusWork {
  /** Of generated data, what people look over, each row by itself. */
  review?(folder: string): Promise<ReviewRow[]>
}

/** What a suite does with corpora, each with flags of its own. */
export interface CorpusWork {
  /** Checks corpora, one after another. `unit` is what they are counted in. */
  lint?: { unit: string; flags?: Record<string, DataFlag>; run(options: LintOptions): AsyncIterable<LintedCorpus> }
  generate?: CorpusWriter
  export?: CorpusWriter
  /** Makes a corpus of a file of the user's, which `data` names. */
  import?: CorpusWriter
}

/** A row that people look over: all of it, and nothing that was found out about it. */
export interface ReviewRow {
  id: string
  /** Samples are drawn evenly from each. */
  stratum: string
  /** What is rejected as a whole when one of its rows is; the row alone unless given. */
  batch?: string
  /** What is said, and what is claimed of it. */
  text: string
  claim: string
}

/** Makes the files of a corpus; or says something about them in lines. */
export interface CorpusWriter {
  flags?: Record<string, DataFlag>
  /** It can be made with models: those that its paper took, by step, for `--generator paper`; judges are those of `judge`. */
  paperModels?: Record<string, string | readonly string[]>
  run(options: WriteOptions): Promise<DataFile[] | { told: Iterable<string>; files?: DataFile[] }>
}
