import { UserError } from '../base/errors.js'
import { suites, TASK_EXAMPLE } from '../builtins.js'
import { findSuite } from '../library.js'
import { type Suite, type SuiteData, SYSTEM_TIMEOUT_MS } from '../model/index.js'
import { COMMON, type Command, type Flags, listFlag, switchFlag, type Typed, textFlag } from './args.js'

/** How long a memory may take. It changes nothing that is measured, but for what is never measured. */
export const TIMEOUT_FLAG: Flags = {
  'system-timeout': textFlag(
    '<s>',
    `longest a memory may take for one call, in seconds, models not counted (default ${SYSTEM_TIMEOUT_MS / 1000})`,
  ),
}

/** Lets code of a run be loaded while it is looked at. */
export const LOAD_FLAG: Flags = {
  load: listFlag('<files>', 'suites of the run that may be loaded, if they are what they were: looking loads no code'),
}

/** Lets a run go on that names code of somebody else's. */
export const TRUST_FLAG: Flags = {
  'trust-run': switchFlag('let the code run that the run names, although it was made elsewhere or by somebody else'),
}

/** Flags that say how models are reached and what they may cost. None of them changes what is measured. */
export const MODEL_FLAGS: Flags = {
  budget: textFlag('<usd>', 'most that may be spent; nothing is asked beyond it'),
  record: textFlag('<file>', 'keep all traffic with models in a cassette'),
  replay: textFlag('<file>', 'answer from a cassette; never touches the network'),
  prices: textFlag('<file>', 'prices of your own, over the bundled table; models --prices <file> --save keeps them'),
  providers: textFlag('<file>', 'providers of your own: base URL, kind, structured, headers, query'),
  batch: switchFlag(
    'ask readers and judges of OpenAI and Anthropic in batches, at half the price; --resume comes back',
  ),
  'llm-concurrency': textFlag('<n>', 'most calls of one model at a time (default 16)'),
  'llm-timeout': textFlag('<s>', 'longest wait for one reply, in seconds (default 180)'),
  rate: listFlag('<limits>', 'with --store, over all workers: openai=500rpm,openai=200000tpm,openai=64calls'),
}

/** Flags that say where results go. */
export const OUTPUT_FLAGS: Flags = {
  json: textFlag('<file|->', 'write the summary as JSON'),
  html: textFlag('<file>', 'write the report as one HTML page'),
  md: textFlag('<file|->', 'write the tables as Markdown'),
  csv: textFlag('<file|->', 'write one line a cell as CSV'),
  junit: textFlag('<file|->', 'write every question as a JUnit test case'),
  badge: textFlag('<file|->', 'write a badge: SVG, or JSON for shields.io unless the file ends in .svg'),
  'fail-under': textFlag('<expr>', `exit 1 below a bound: "evidence>=0.8; ${TASK_EXAMPLE}:bm25@5.evidence.low>=0.3"`),
  verbose: switchFlag('print the table of every task instead of one screen'),
  quiet: switchFlag('no tables and no progress'),
}

/** What allows settings to differ where numbers of two runs are set side by side. */
export const DESPITE_FLAG: Flags = {
  despite: listFlag('<parts>', 'compare although these parts of the setting differ: harness, judge, reader, …'),
}

/** Flags that hold a run against one that was made before. */
export const BASELINE_FLAGS: Flags = {
  baseline: textFlag('<run|name|file>', 'exit 1 when a task is worse than in this run, by test or by --max-loss'),
  'max-loss': textFlag('<points>', 'most that a task may lose against the baseline, by chance or not (default 5)'),
  undecided: textFlag('pass|fail', 'when a loss can be neither found nor ruled out (default pass)'),
  ...DESPITE_FLAG,
  'save-baseline': textFlag('<name|file>', 'keep this run as a baseline'),
}

export const READER_PROMPT_FLAG: Flags = {
  'reader-prompt': textFlag(
    '<file>',
    'what readers are told: a file of sections to replace, careful, or default; see models --prompts reader',
  ),
}

export const JUDGE_PROMPT_FLAG: Flags = {
  'judge-prompt': textFlag(
    '<file>',
    'what models that judge are told: a file of sections to replace; see models --prompts judge',
  ),
}

/** Flags that say who judges. */
export const JUDGE_FLAGS: Flags = {
  judge: textFlag(
    '<name>',
    'of facts and answers: lexical (default; lexical:model=no by words alone), llm:p:m, hybrid:p:m, panel:a,b,c, paper:p:m or ./my-judge.ts',
  ),
  'fact-judge': textFlag('<name>', 'who judges facts, instead of --judge'),
  'answer-judge': textFlag('<name>', 'who judges answers and criteria, instead of --judge'),
}

/** Flags that say what is run, but for those of suites. */
export const REQUEST_FLAGS: Flags = {
  suite: listFlag(
    '<names>',
    `suites, their tasks or files of your own: ${[...suites.map(({ name }) => name), TASK_EXAMPLE].join(', ')}, ./my-suite.ts (default all)`,
  ),
  system: listFlag(
    '<names>',
    'memory systems, or all, or your own: bm25, ./my-memory.ts, py:module:Class, "cmd:./server", http://…, "mcp:…"; "name=" before it names its row',
  ),
  k: listFlag('<numbers>', 'how many memories are retrieved: 1,5,10; paper: of each system as many as its papers did'),
  data: textFlag('<folder>', 'a published release instead of the bundled corpus'),
  view: textFlag('audited|released', 'published data repaired (default) or as it is'),
  'token-budget': listFlag('<numbers>', 'how many tokens of context are filled: 500,1000; with --k, both'),
  reader: listFlag('<names>', 'what answers from the memories: provider:model, ./my-reader.ts, or none (default)'),
  'answer-style': textFlag('<style>', 'how readers answer: auto (default), free, yes-no, choice'),
  reasoning: listFlag(
    '<efforts>',
    'how much readers reason: off, default, minimal, low, medium, high; off,default compares',
  ),
  ...READER_PROMPT_FLAG,
  model: listFlag('<names>', 'models inside memory systems: provider:model, or rehearsal:demo'),
  ...JUDGE_FLAGS,
  ...JUDGE_PROMPT_FLAG,
  size: {
    type: 'text',
    value: 'quick|paper|<n>',
    about: `quick (the tour, files of your own), paper (default), or so many ${suites.map(({ unit, name }) => `${unit} (${name})`).join(', ')}`,
  },
  seed: textFlag('<n>', 'seed of everything random (default 42)'),
  trials: textFlag('<n>', 'how often everything is repeated (default 1)'),
  'answer-trials': textFlag('<n>', 'how often readers answer over each memory (default 1)'),
  'judge-trials': textFlag('<n>', 'how often a judge with a model judges it all (default 1)'),
  limit: textFlag('<n>', 'ask only the first n questions a task'),
  episodes: listFlag('<names>', 'live only these scenarios, by their names'),
  embedder: textFlag('<model>', 'minilm (default), gte-small, or provider:model'),
  'embedder-dimensions': textFlag('<n>', 'length of the vectors that a provider is asked for'),
  'embedder-query': textFlag('<text>', 'stands before what is looked for: "search_query: "'),
  'embedder-document': textFlag('<text>', 'stands before what is looked through: "search_document: "'),
  strict: switchFlag('a conversation that cannot be stored ends its life, not only the questions on it'),
  timeline: switchFlag('keep the store after every conversation, not only at probes'),
}

/** The flags that suites declare, as a command takes them. */
export function suiteFlags(suites: readonly Suite[]): Flags {
  const flags: Flags = {}
  for (const suite of suites)
    for (const [name, { values, about, default: usual }] of Object.entries(suite.flags)) {
      const value = values.length > 0 ? values.join('|') : `<${usual === '' ? 'path' : 'value'}>`
      flags[name] = textFlag(value, `${suite.name}: ${about}${usual === '' ? '' : ` (default ${usual})`}`)
    }
  return flags
}

/** A command that also takes the flags of suites from files that stand behind `--suite`: they are known once the files are read. */
export async function withSuiteFlags(command: Command, specs: readonly string[]): Promise<Command> {
  const { flagsOf, sharedFlags = {} } = command
  if (!flagsOf) return command
  const files = specs.flatMap((spec) => /^(.+\.[cm]?[jt]s)(?:\/[^/]*)?$/.exec(spec)?.[1] ?? [])
  let { flags } = command
  for (const file of new Set(files)) {
    const suite = await findSuite(file)
    const own = flagsOf([suite])
    const taken = Object.keys(own).find((name) => name in flags && sharedFlags[name]?.type !== own[name]!.type)
    if (taken !== undefined)
      throw new UserError(`The suite "${suite.name}" has a flag --${taken}, which is taken.`, 'Give it another name.')
    flags = { ...flags, ...own }
  }
  return { ...command, flags }
}

/** What stands behind `--suite` among arguments that were not read yet. */
export function suiteSpecsIn(args: readonly string[]): string[] {
  return args
    .flatMap((arg, at) => (arg === '--suite' ? (args[at + 1] ?? []) : (/^--suite=(.*)$/.exec(arg)?.[1] ?? [])))
    .flatMap((value) => value.split(',').map((spec) => spec.trim()))
}

/** Work on data for which suites have flags. */
export const DATA_VERBS = ['lint', 'generate', 'export'] as const satisfies (keyof SuiteData)[]
type DataVerb = (typeof DATA_VERBS)[number]

/** The flags that suites have for work on their data, each with what it means to whom. */
export function dataFlags(all: readonly Suite[], verbs: readonly DataVerb[] = DATA_VERBS): Flags {
  const flags: Flags = {}
  for (const { name: suite, data = {} } of all)
    for (const verb of verbs)
      for (const [name, { value, about }] of Object.entries(data[verb]?.flags ?? {})) {
        const before = flags[name] ? `${flags[name].about}; ` : ''
        const words = `${before}${verb} of ${suite}: ${about}`
        // Of several that take words, the one with the most says what may stand there.
        const [shown] = [value, flags[name]?.value].sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))
        flags[name] = shown === undefined ? switchFlag(words) : textFlag(shown, words)
      }
  return flags
}

/** What was typed that is no flag of the command itself: those of suites. */
export function settingsFrom({ text, on }: Typed, own: Flags): Record<string, string | boolean> {
  const all = Object.entries({ ...text, ...on }).filter(([name]) => !(name in own || name in COMMON))
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
