import type { Attributed, AttributionReport } from '../analysis/attribution.js'
import type { OutsideSystem } from '../base/outside-spec.js'
import type { InstalledEmbedder } from '../gateway/embed/installed.js'
import type { Prices, ProviderState } from '../gateway/index.js'
import type { KindAgreement } from '../judges/annotators.js'
import type { JudgeEvaluation } from '../judges/eval.js'
import type { AnswersEvaluation } from '../judges/eval-answers.js'
import type { CriteriaEvaluation } from '../judges/eval-criteria.js'
import type { GoldKind } from '../judges/gold.js'
import type { JudgeBill, Protocol } from '../judges/llm/bill.js'
import type { OwnJudge, OwnPrompts, OwnReader, OwnSuite, OwnSystem, Suite, SystemDefinition } from '../model/index.js'
import type { BaselineGate } from '../report/baseline-gate.js'
import type { GateResult } from '../report/gate.js'
import type { Sink } from '../report/sink.js'
import type { WrittenSummary } from '../report/summary-json.js'
import type { CountedCalls, Span } from './call-counter.js'
import type { CompareResult } from './compare-types.js'
import type { JUDGES } from './settings/judges.js'
import type { INSIDE, MODEL_SETTINGS } from './settings/models.js'
import type { READERS } from './settings/readers.js'
import type { GATES, KEPT_RESULTS, RESULTS } from './settings/results.js'
import type { OptionsOf } from './settings/setting.js'
import type { WHAT } from './settings/what.js'
import type { PLACES, TRUST, WORK } from './settings/work.js'

export * from './data-types.js'
export type { EmbedderSpec } from './settings/embedder.js'
export type { LlmLimits } from './settings/limits.js'
export type { BaselineSpec } from './settings/results.js'

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

/** Where runs, caches and reports are kept. */
export interface HomeOptions extends OptionsOf<typeof PLACES> {}

/** How models are reached and what they may cost. None of it changes what is measured. */
export interface ModelOptions extends OptionsOf<typeof MODEL_SETTINGS> {
  /** Whose spending the budget counts, where several calls share one; the run unless given. */
  account?: string
}

/** Where text for a terminal goes; without colour and 80 columns wide unless given. */
export interface TextOutput {
  write: Sink
  color?: boolean
  width?: number
}

/** Where results go: files, or functions that take the text in pieces; and whether they hold. */
export interface OutputOptions extends OptionsOf<typeof RESULTS>, Pick<OptionsOf<typeof GATES>, 'failUnder'> {
  /** A file to which the run at a glance, gates and what changed are added as Markdown, such as the summary of a job. */
  jobSummary?: string
  /** The run on one screen of a terminal. */
  text?: TextOutput
}

/** A run that this one is held against. */
export interface BaselineOptions extends Pick<OptionsOf<typeof GATES>, 'baseline'> {}

/** Who judges: names, files or objects. */
export interface JudgeOptions extends OptionsOf<typeof JUDGES> {}

/** Who answers. */
export interface ReaderOptions extends OptionsOf<typeof READERS> {}

/** What is run, with the words of the flags of `memscope run`. Without any, the keyless tour. */
export interface MeasureOptions
  extends OptionsOf<typeof WHAT>,
    OptionsOf<typeof INSIDE>,
    JudgeOptions,
    ReaderOptions,
    ModelOptions,
    HomeOptions,
    Pick<OptionsOf<typeof WORK>, 'concurrency' | 'systemTimeout'> {
  /** What suites are set to, by the names of their options. */
  settings?: Readonly<Record<string, string>>
  /** Objects that are named in `suite`, `system`, `reader` or a judge, as `my-memory:roles=user`. */
  parts?: readonly OwnPart[]
}

export interface EstimateOptions extends MeasureOptions, Pick<OutputOptions, 'json'> {}

export interface RunOptions extends MeasureOptions, OutputOptions, BaselineOptions, OptionsOf<typeof WORK> {
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

export interface ReportOptions extends KeptRunOptions, OutputOptions, BaselineOptions, OptionsOf<typeof KEPT_RESULTS> {}

/** Who answers or judges a run again: readers, judges or both. */
export interface RedoOptions
  extends KeptRunOptions,
    OptionsOf<typeof TRUST>,
    Omit<ReaderOptions, 'answerTrials'>,
    JudgeOptions,
    ModelOptions,
    OutputOptions {}

export interface ExplainOptions extends KeptRunOptions, OptionsOf<typeof TRUST>, ModelOptions {
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
