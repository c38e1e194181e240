/**
 * Everything Memscope does, as typed calls with the words of the command line, which is a client of them. A call prints nothing, ends no
 * process and reads no arguments; what it has to say on the way are events. A mistake of the caller's is thrown as a `UserError`. The code
 * of a call is read once somebody makes it.
 *
 * @module
 */

export * from './library/compare-types.js'
export * from './library/optimise-types.js'
export * from './library/own-types.js'
export type * from './library/run-types.js'
export * from './library/show-types.js'
export * from './library/types.js'
export * from './library/view-types.js'

/** A call whose code is read when it is made. */
function lazily<A extends unknown[], R>(load: () => Promise<(...given: A) => Promise<R>>): (...given: A) => Promise<R> {
  return async (...given) => (await load())(...given)
}

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
export const run = lazily(async () => (await import('./library/run.js')).run)

/** What a run would take: calls of models, cost, time, disk and texts to embed. It is played on models that only count. */
export const estimate = lazily(async () => (await import('./library/run.js')).estimate)

/** A run that was made before: its summary, and any format. @example await report({ run: 'last', html: 'report.html' }) */
export const report = lazily(async () => (await import('./library/redo.js')).report)

/** A run that was made before, on a terminal: on one screen, the tables of a task, or its failed questions one by one. */
export const show = lazily(async () => (await import('./library/show.js')).show)

/** Runs in a browser, served on this machine until it is closed. @example const { url, close } = await view() */
export const view = lazily(async () => (await import('./library/view/serve.js')).view)

/** Two systems, or two versions of one, on the same questions. @example await compare({ runs: ['20261115', 'last'] }) */
export const compare = lazily(async () => (await import('./library/compare.js')).compare)

/**
 * Does a stage of a run again, from what was kept: other readers answer, or another judge judges. Nothing is stored or retrieved again.
 *
 * @example await redo({ run: 'last', judge: 'hybrid:openai:gpt-5-mini', budget: 1 })
 */
export const redo = lazily(async () => (await import('./library/redo.js')).redo)

/** Which part of a memory, made perfect, repairs its failures. */
export const explain = lazily(async () => (await import('./library/explain.js')).explain)

/** Looks for words to append to the prompts of a memory system, and whether they help beyond noise. */
export const optimise = lazily(async () => (await import('./library/optimise.js')).optimise)

/** Whether a memory system, judge or reader keeps its contract. @example await check({ part: './my-memory.ts' }) */
export const check = lazily(async () => (await import('./library/check.js')).check)

/** Writes a commented starter for a memory of one's own. @example await init({ kind: 'python' }) */
export const init = lazily(async () => (await import('./library/init.js')).init)

/** Whether memories keep what statements say, by the keyless judge. */
export const judgeStatements = lazily(async () => (await import('./library/statements.js')).judgeStatements)

/** Opens one memory of a system, for tests of one's own. @example const memory = await openMemory({ system: 'py:my_module:MyMemory' }) */
export const openMemory = lazily(async () => (await import('./library/statements.js')).openMemory)

/** A judge against labels: accuracy, kappa, confusion. */
export const judgeEval = lazily(async () => (await import('./library/judge.js')).judgeEval)

/** How two people agree who labelled the same cases. */
export const judgeAgree = lazily(async () => (await import('./library/judge.js')).judgeAgree)

/** What judging would send to a model. No call is made. */
export const judgeBill = lazily(async () => (await import('./library/judge.js')).judgeBill)

/** Draws cases of a run for people to label, blind, into files that `judgeEval` reads once labels are written. */
export const judgeSample = lazily(async () => (await import('./library/judge-sample.js')).judgeSample)

/** The corpora that are bundled. */
export const listData = lazily(async () => (await import('./library/lists.js')).listData)

/** Whether a corpus is what it should be. */
export const lintData = lazily(async () => (await import('./library/data.js')).lintData)

/** A fresh corpus for a seed. @example await generateData({ suite: 'memfail/long-hop', settings: { n: '1000' }, out: 'corpus' }) */
export const generateData = lazily(async () => (await import('./library/data.js')).generateData)

/** Draws generated data for two people to look over, or reads what they found: kappa, and what is made anew. */
export const reviewData = lazily(async () => (await import('./library/review-data.js')).reviewData)
/** The rows of one reviewer in a browser. @example const { url, close } = await openReview({ data: 'rows', out: 'review', reviewer: 'a' }) */
export const openReview = lazily(async () => (await import('./library/review-data.js')).openReview)

/** A corpus that there is, in its suite's own layouts. */
export const exportData = lazily(async () => (await import('./library/data.js')).exportData)
/** Makes a corpus of a file of one's own: conversations, and questions that cite them. */
export const importData = lazily(async () => (await import('./library/data.js')).importData)

/** Conversations and questions without gold, for a system that is run elsewhere. @example await exportForScoring({ suite: 'memfail', out: 'export.jsonl' }) */
export const exportForScoring = lazily(async () => (await import('./library/score.js')).exportForScoring)

/** Grades what a system that was run elsewhere retrieved, as a run. @example await score({ traces: 'traces.jsonl', html: 'report.html' }) */
export const score = lazily(async () => (await import('./library/score.js')).score)

/**
 * Works for runs in a shared store, beside any number of others. Refuses runs that were made by another version, setting or file. When its
 * signal stops it, calls under way come to their end, and the rest is left to others.
 */
export const worker = lazily(async () => (await import('./library/worker.js')).worker)

/** Copies a run from a shared store into the home. */
export const pullRun = lazily(async () => (await import('./library/copy-run.js')).pullRun)

/** Copies a run from the home into a shared store. */
export const pushRun = lazily(async () => (await import('./library/copy-run.js')).pushRun)

/** Makes one run of all its parts, which `run({ shard })` made. */
export const mergeRuns = lazily(async () => (await import('./library/copy-run.js')).mergeRuns)

/** The runs that are kept, newest first. */
export const listRuns = lazily(async () => (await import('./library/lists.js')).listRuns)

/** The memory systems that are built in. */
export const listSystems = lazily(async () => (await import('./library/lists.js')).listSystems)

/** The suites that are built in, or one of the caller's own, with how many questions each task has. */
export const listSuites = lazily(async () => (await import('./library/lists.js')).listSuites)

/** A suite by its name, file or object, as far as it is told without its data. */
export const findSuite = lazily(async () => (await import('./library/lists.js')).findSuite)

/** Providers and whether they can be asked, prices and embedders. Makes no call. */
export const listModels = lazily(async () => (await import('./library/lists.js')).listModels)

/** What readers (`reader`, `careful`) or judges (`judge`) are told, as a file to start from. */
export const shownPrompts = lazily(async () => (await import('./library/lists.js')).shownPrompts)
