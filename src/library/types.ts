import type { Attributed, AttributionReport } from '../analysis/attribution.js'
import type { OutsideSystem } from '../base/outside-spec.js'
import type { InstalledEmbedder } from '../gateway/embed/installed.js'
import type { Prices, ProviderState, Providers } from '../gateway/index.js'
import type { KindAgreement } from '../judges/annotators.js'
import type { JudgeEvaluation } from '../judges/eval.js'
import type { AnswersEvaluation } from '../judges/eval-answers.js'
import type { CriteriaEvaluation } from '../judges/eval-criteria.js'
import type { GoldKind } from '../judges/gold.js'
import type { JudgeBill, Protocol } from '../judges/llm/bill.js'
import type {
  OwnJudge,
  OwnPrompts,
  OwnReader,
  OwnSuite,
  OwnSystem,
  ReasoningEffort,
  Suite,
  SystemDefinition,
  View,
} from '../model/index.js'
import type { BaselineGate } from '../report/baseline-gate.js'
import type { GateResult } from '../report/gate.js'
import type { Sink } from '../report/sink.js'
import type { WrittenSummary } from '../report/summary-json.js'
import type { CountedCalls, Span } from './call-counter.js'
import type { BaselineOptions, CompareResult } from './compare-types.js'
import type { BundleOptions } from './view-types.js'

export * from './data-types.js'

/** One, or several. */
export type Several<T> = T | readonly T[]

/**
 * An object of the caller's in the place of a name or a file, made by `defineSystem`, `defineSuite`, `defineJudge` or `defineReader`, with a
 * `name`. It runs in this process: unlike a file it cannot be ended when it never gives way, and what it throws outside of a call is the
 * caller's. Runs keep its name alone; to work on one again, give the object again.
 */
export type OwnPart = OwnSystem | OutsideSystem | OwnSuite | JudgeObject | ReaderObject
export type JudgeObject = OwnJudge & { kind: 'judge' }
export type ReaderObject = OwnReader & { kind: 'reader' }

/** What a call tells while it works, in order. `done` comes last, unless the call rejects. */
export type ProgressEvent =
  /** Worth knowing: what was left out, what was embedded. */
  | { type: 'note'; message: string }
  /** Something went wrong and is counted, or tried again. */
  | { type: 'warning'; message: string }
  /** What will be asked of models, before the first call; only with `forecast`. */
  | { type: 'estimated'; estimate: RunEstimate }
  /** A run begins, or goes on; `ms` is about how long it will take, null when it goes on. `own`: systems of the user's own are in it. */
  | { type: 'started'; run: string; questions: number; ms: number | null; own: boolean; size: Size }
  /** How far it is; a run counts questions at all depths, other calls count lives. */
  | { type: 'progress'; done: number; total: number; at: string }
  /** Texts whose vectors were computed so far. */
  | { type: 'embedded'; texts: number }
  /** Everything of a run is measured and kept; proofs and reports follow. */
  | { type: 'measured'; run: string }
  | { type: 'done' }

/** How a call is watched and stopped. */
export interface Control {
  /** Stops the call, which then rejects with an `AbortError`. What was kept is kept: a run goes on with `run({ resume })`. */
  signal?: AbortSignal
  onProgress?(event: ProgressEvent): void
}

/** A call was stopped by its signal. */
export class StoppedError extends Error {
  override readonly name = 'AbortError'

  /**
   * @param run the run that goes on with `run({ resume: run })`; null when there is none yet
   * @param shared it is in a store that was named
   */
  constructor(
    readonly run: string | null,
    readonly shared = false,
  ) {
    super(run === null ? 'Stopped.' : `Stopped. Go on with run({ resume: '${run}' }).`)
  }
}

export type Size = 'quick' | 'paper' | number

/** Where runs, caches and reports are kept: `.memscope` unless said otherwise. */
export interface HomeOptions {
  home?: string
  /** A PostgreSQL in which runs, replies and vectors are kept instead: `postgres://user@host:5432/database`. */
  store?: string
}

/** How models are reached and what they may cost. None of it changes what is measured. */
export interface ModelOptions {
  /** Most that may be spent, in USD; nothing is asked beyond it. */
  budget?: number
  /** Whose spending the budget counts, where several calls share one; the run unless given. */
  account?: string
  /** A cassette to keep all traffic with models in. */
  record?: string
  /** A cassette to answer from; the network is never touched. */
  replay?: string
  /** A file of prices, over those that were saved and the bundled table. */
  prices?: string
  /** Providers of your own by name, or a file of them. */
  providers?: string | Providers
  /** Readers and judges of OpenAI and Anthropic are asked in batches, at half the price. */
  batch?: boolean
  /** Most calls of one model at a time; 16 unless given. */
  llmConcurrency?: number
  /** Longest wait for one reply, in seconds; 180 unless given. */
  llmTimeout?: number
  /** Limits of providers over all workers of a store: `openai=500rpm`, `openai=200000tpm`, `openai=64calls`. */
  rate?: Several<string>
}

/** Where text for a terminal goes; without colour and 80 columns wide unless given. */
export interface TextOutput {
  write: Sink
  color?: boolean
  width?: number
}

/** Where results go: files, or functions that take the text in pieces. */
export interface OutputOptions {
  json?: string | Sink
  /** A file; with `true` one in the home. */
  html?: string | true
  md?: string | Sink
  csv?: string | Sink
  /** Every question as a JUnit test case. */
  junit?: string | Sink
  /** A badge: SVG in a file that ends so, else JSON for the endpoint of shields.io. */
  badge?: string | Sink
  /** A file to which the run at a glance, gates and what changed are added as Markdown, such as the summary of a job. */
  jobSummary?: string
  /** The run on one screen of a terminal; with `verbose`, the table of every task. */
  text?: TextOutput & { verbose?: boolean }
  /** A gate, such as `evidence>=0.8`; `gate` of the result says whether it holds. */
  failUnder?: string
}

/** Who judges: names, files or objects. */
export interface JudgeOptions {
  /** Of facts and answers: `lexical` unless given. */
  judge?: string | JudgeObject
  factJudge?: string | JudgeObject
  answerJudge?: string | JudgeObject
  /** How often a judge with a model judges it all. */
  judgeTrials?: number
  /** What models that judge are told: a file of sections to replace, or its text. */
  judgePrompt?: string | OwnPrompts
}

/** Who answers. */
export interface ReaderOptions {
  /** `provider:model`, files or objects; `none` unless given. */
  reader?: Several<string | ReaderObject>
  answerStyle?: 'auto' | 'free' | 'yes-no' | 'choice'
  /** How much readers reason; several make a reader of each. */
  reasoning?: Several<'default' | ReasoningEffort>
  /** What readers are told: a file of sections to replace, its text, `careful` or `default`. */
  readerPrompt?: string | OwnPrompts
}

/** What is run, with the words of the flags of `memscope run`. Without any, the keyless tour. */
export interface MeasureOptions extends JudgeOptions, ReaderOptions, ModelOptions, HomeOptions {
  /** Names, alone or with `/` and a task, files or objects; all that are built in unless given. */
  suite?: Several<string | OwnSuite>
  /** Names with options, as `bm25:unit=sentence`, files, objects, or `all`. */
  system?: Several<string | OwnSystem | OutsideSystem>
  /** How many memories are retrieved; `paper`: from each system as many as its papers retrieved. */
  k?: Several<number> | 'paper'
  /** How many tokens of context are filled. */
  tokenBudget?: Several<number>
  /** A folder with a published release, instead of the bundled corpus. */
  data?: string
  view?: View
  /** Models inside memory systems: `provider:model`, or `rehearsal:demo`. */
  model?: Several<string>
  /** `paper` unless given; `quick` in the tour and with systems of one's own. */
  size?: Size
  seed?: number
  trials?: number
  answerTrials?: number
  /** Only the first so many questions a task. */
  limit?: number
  /** Only these scenarios, by name. */
  episodes?: Several<string>
  embedder?: string
  /** Length of vectors that a provider's model is asked for. */
  embedderDimensions?: number
  /** What stands before texts that are looked for, as `search_query: `. */
  embedderQuery?: string
  /** What stands before texts that are looked through. */
  embedderDocument?: string
  strict?: boolean
  timeline?: boolean
  /** What suites declare as flags of their own, by name. */
  settings?: Readonly<Record<string, string>>
  /** Memories side by side; cores, or 16 with models, unless given. */
  concurrency?: number
  /** Longest a memory may take for one call, in seconds. */
  systemTimeout?: number
  /** Objects that are named in `suite`, `system`, `reader` or a judge, as `my-memory:roles=user`. */
  parts?: readonly OwnPart[]
}

export interface EstimateOptions extends MeasureOptions, Pick<OutputOptions, 'json'> {}

export interface RunOptions extends MeasureOptions, OutputOptions, BaselineOptions, TrustOptions {
  /** Local processes that share the work, with a store; 0 leaves it to workers elsewhere. Without it this process does it. */
  workers?: number
  /** Only a part of the lives, such as `2/4`; `mergeRuns` makes one run of all parts. */
  shard?: string
  /** A run that stopped, by its id or `last`: goes on with it. k, trials and limits may grow; objects must be given again. */
  resume?: string
  /** Then prove the attribution, as `explain` does. */
  oracles?: boolean
  /** Estimate what is ahead before the first call of a model, and tell it as `estimated`. */
  forecast?: boolean
}

/** What somebody brings of a system that was run elsewhere, and how it is graded. */
export interface ScoreOptions
  extends JudgeOptions,
    ReaderOptions,
    ModelOptions,
    OutputOptions,
    HomeOptions,
    Pick<MeasureOptions, 'k' | 'tokenBudget' | 'limit' | 'suite' | 'data' | 'settings' | 'answerTrials' | 'parts'>,
    Pick<RunOptions, 'forecast'> {
  /** A file of traces, for questions that `exportForScoring` wrote. It says which they are; only what is one's own is named again. */
  traces: string
}

/** A run that was made before. */
export interface KeptRunOptions extends HomeOptions {
  /** Its id, the beginning of it, or `last`. */
  run: string
  /** Objects that the run was made with. */
  parts?: readonly OwnPart[]
  /** Files of its suites that may be loaded, if they are what they were. Looking at a run loads no other code. */
  load?: Several<string>
}

/** How a run is gone on with that names code of its own: files, commands, servers, packages. */
export interface TrustOptions {
  /** Its code may run, although it was not named here: it was made elsewhere, or by somebody else. */
  trustRun?: boolean
}

export interface ReportOptions extends KeptRunOptions, OutputOptions, BaselineOptions, BundleOptions {}

export interface RejudgeOptions extends KeptRunOptions, TrustOptions, JudgeOptions, ModelOptions, OutputOptions {}
export interface ReanswerOptions extends KeptRunOptions, TrustOptions, ReaderOptions, ModelOptions, OutputOptions {}

export interface ExplainOptions extends KeptRunOptions, TrustOptions, ModelOptions {
  /** The depth whose failures are explained: the suite's if it was run, else the deepest. */
  k?: number
  /** The same for a run that was asked by tokens of context. */
  tokenBudget?: number
  systemTimeout?: number
}

/** A run, measured and judged. */
export interface RunResult {
  run: string
  /** What `--json` writes. */
  summary: WrittenSummary
  /** Whether `failUnder` holds; null when it was not asked. */
  gate: GateResult | null
  /** How it stands against its baseline; null when there is none. */
  baseline: (CompareResult & { gate: BaselineGate }) | null
  /** The page that was written; null when none was. */
  html: string | null
  /** Null unless `oracles` was asked for. */
  explained: Explained | null
}

/** What a run will take, told as ranges where it is not known. */
export interface RunEstimate {
  calls: CountedCalls[]
  /** Texts to embed. */
  texts: number
  /** On disk. */
  bytes: number
  seconds: Span
  /** The same for people, with what it rests on. */
  words: string
  /** Whether any model is asked. */
  paid: boolean
}

/** Every failed question at one depth with both attributions: what the judge said, and what repairing one part proved. */
export interface Explained {
  /** The depth, in words. */
  at: string
  overall: AttributionReport
  bySystem: Record<string, AttributionReport>
  questions: Attributed[]
  /** How often a system failed while it lived again. */
  failures: number
}

export interface JudgeEvalOptions extends ModelOptions, HomeOptions {
  /** A file of labelled facts, answers or criteria. */
  gold: string
  judge?: string | JudgeObject
  judgePrompt?: string | OwnPrompts
  embedder?: string
}

/** How a judge agrees with labels, by what was labelled. */
export type JudgeEvalResult =
  | { kind: 'facts'; result: JudgeEvaluation }
  | { kind: 'answers'; result: AnswersEvaluation }
  | { kind: 'criteria'; result: CriteriaEvaluation }

/** How two people agree who labelled the same cases, by what they labelled. */
export type JudgeAgreement = Partial<Record<GoldKind, KindAgreement>>

export interface JudgeBillOptions extends HomeOptions {
  suite?: string
  data?: string
  size?: Size
  k?: number
  /** One protocol; all unless given. */
  judge?: Protocol
}

/** What judging a memory that keeps everything as said would send to a model. */
export interface JudgeBillResult {
  k: number
  rows: { protocol: Protocol; task: string; bill: JudgeBill }[]
}

export interface JudgeSampleOptions extends KeptRunOptions {
  of?: Several<GoldKind>
  /** Systems of the run whose verdicts are drawn; all unless given. */
  system?: Several<string>
  /** How many cases of each; 60 unless given. */
  n?: number
  /** `cases.jsonl` unless given; of several kinds each has a file of its own. */
  out?: string
  seed?: number
}

/** A file of cases that was drawn. */
export interface DrawnCases {
  kind: GoldKind
  out: string
  /** Cases in the file, distinct verdicts they were drawn from, and kinds of verdict among these. */
  drawn: number
  all: number
  strata: number
}

/** A memory system as `memscope systems --json` lists it. */
export interface ListedSystem extends Pick<SystemDefinition, 'name' | 'class' | 'about' | 'cost' | 'prompts'> {
  depth: 'k' | 'fixed'
  /** It has a language model inside. */
  model: boolean
  packages: readonly string[]
  missing: string[]
  papers: readonly string[]
  variants: Record<string, string>
  options: NonNullable<SystemDefinition['options']>
}

/** A suite as `memscope suites --json` lists it. */
export interface ListedSuite extends Pick<Suite, 'name' | 'about' | 'paper'> {
  tasks: (Pick<Suite['tasks'][number], 'name' | 'about' | 'paperK'> & { bundledQuestions: number })[]
  settings: Record<string, { default: string; values: readonly string[]; about: string }>
}

/** Everything `memscope models` knows. */
export interface ModelList {
  providers: ProviderState[]
  prices: { unit: string; updated: string; models: Prices }
  embedders: InstalledEmbedder[]
}
