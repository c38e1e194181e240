/**
 * Everything Memscope does, as typed calls with the words of the command line, which is a client of them. A call prints nothing, ends no
 * process and reads no arguments; what it has to say on the way are events. A mistake of the caller's is thrown as a `UserError`. The code
 * of a call is read once somebody makes it.
 *
 * @module
 */

import type {
  CheckOptions,
  CheckResult,
  Control,
  DrawnCases,
  EstimateOptions,
  Explained,
  ExplainOptions,
  HomeOptions,
  JudgeAgreement,
  JudgeBillOptions,
  JudgeBillResult,
  JudgeEvalOptions,
  JudgeEvalResult,
  JudgeSampleOptions,
  LintDataOptions,
  LintResult,
  ListedCorpus,
  ListedRun,
  ListedSuite,
  ListedSystem,
  ModelList,
  ReanswerOptions,
  RejudgeOptions,
  ReportOptions,
  RunEstimate,
  RunOptions,
  RunResult,
  WriteDataOptions,
  WrittenData,
} from './library/types.js'
import type { OwnSuite, Suite } from './model/index.js'

export * from './library/types.js'

/**
 * Measures memory systems, or goes on with a run that stopped. Everything is kept as it happens: a call that is aborted, or a process that
 * is killed, loses at most what was under way.
 *
 * @example
 * const { summary } = await run({ suite: 'memfail/long-hop', system: [myMemory, 'bm25'], k: [1, 5] })
 * @example
 * await run({ resume: 'last' }, { signal: AbortSignal.timeout(60_000), onProgress: console.log })
 * @throws StoppedError, an `AbortError` with the id of the run, when the signal stops it
 */
export async function run(options: RunOptions = {}, control: Control = {}): Promise<RunResult> {
  return (await import('./library/run.js')).run(options, control)
}

/** What a run would take: calls of models, cost, time, disk and texts to embed. It is played on models that only count. */
export async function estimate(options: EstimateOptions = {}, control: Control = {}): Promise<RunEstimate> {
  return (await import('./library/run.js')).estimate(options, control)
}

/** A run that was made before: its summary, and any format. @example await report({ run: 'last', html: 'report.html' }) */
export async function report(options: ReportOptions, control: Control = {}): Promise<RunResult> {
  return (await import('./library/redo.js')).report(options, control)
}

/** The same witnesses and answers before another judge. Nothing is stored, retrieved or answered again. */
export async function rejudge(options: RejudgeOptions, control: Control = {}): Promise<RunResult> {
  return (await import('./library/redo.js')).rejudge(options, control)
}

/** The same witnesses before other readers. Nothing is stored or retrieved again. */
export async function reanswer(options: ReanswerOptions, control: Control = {}): Promise<RunResult> {
  return (await import('./library/redo.js')).reanswer(options, control)
}

/** Which part of a memory, made perfect, repairs its failures. */
export async function explain(options: ExplainOptions, control: Control = {}): Promise<Explained> {
  return (await import('./library/explain.js')).explain(options, control)
}

/** Whether a memory system, judge or reader keeps its contract. @example await check({ part: './my-memory.ts' }) */
export async function check(options: CheckOptions): Promise<CheckResult> {
  return (await import('./library/check.js')).check(options)
}

/** A judge against labels: accuracy, kappa, confusion. */
export async function judgeEval(options: JudgeEvalOptions, control: Control = {}): Promise<JudgeEvalResult> {
  return (await import('./library/judge.js')).judgeEval(options, control)
}

/** How two people agree who labelled the same cases. */
export async function judgeAgree(options: { files: readonly [string, string] }): Promise<JudgeAgreement> {
  return (await import('./library/judge.js')).judgeAgree(options)
}

/** What judging would send to a model. No call is made. */
export async function judgeBill(options: JudgeBillOptions = {}): Promise<JudgeBillResult> {
  return (await import('./library/judge.js')).judgeBill(options)
}

/** Draws cases of a run for people to label, blind, into files that `judgeEval` reads once labels are written. */
export async function judgeSample(options: JudgeSampleOptions, control: Control = {}): Promise<DrawnCases[]> {
  return (await import('./library/judge-sample.js')).judgeSample(options, control)
}

/** The corpora that are bundled. */
export async function listData(): Promise<ListedCorpus[]> {
  return (await import('./library/lists.js')).listData()
}

/** Whether a corpus is what it should be. */
export async function lintData(options: LintDataOptions = {}, control: Control = {}): Promise<LintResult> {
  return (await import('./library/data.js')).lintData(options, control)
}

/** A fresh corpus for a seed. @example await generateData({ suite: 'memfail/long-hop', settings: { n: '1000' }, out: 'corpus' }) */
export async function generateData(options: WriteDataOptions, control: Control = {}): Promise<WrittenData> {
  return (await import('./library/data.js')).writeData('generate', options, control)
}

/** A corpus that there is, in its suite's own layouts. */
export async function exportData(options: WriteDataOptions, control: Control = {}): Promise<WrittenData> {
  return (await import('./library/data.js')).writeData('export', options, control)
}

/** The runs that are kept, newest first. */
export async function listRuns(options: HomeOptions = {}): Promise<ListedRun[]> {
  return (await import('./library/lists.js')).listRuns(options)
}

/** The memory systems that are built in. */
export async function listSystems(): Promise<ListedSystem[]> {
  return (await import('./library/lists.js')).listSystems()
}

/** The suites that are built in, or one of the caller's own, with how many questions each task has. */
export async function listSuites(options: { suite?: string | OwnSuite } = {}): Promise<ListedSuite[]> {
  return (await import('./library/lists.js')).listSuites(options)
}

/** A suite by its name, file or object, as far as it is told without its data. */
export async function findSuite(suite: string | OwnSuite): Promise<Suite> {
  return (await import('./library/lists.js')).findSuite(suite)
}

/** Providers and whether they can be asked, prices and embedders. Makes no call. */
export async function listModels(options: { prices?: string } = {}): Promise<ModelList> {
  return (await import('./library/lists.js')).listModels(options)
}

/** What readers (`reader`, `careful`) or judges (`judge`) are told, as a file to start from. */
export async function shownPrompts(whose: string): Promise<string> {
  return (await import('./library/lists.js')).shownPrompts(whose)
}
