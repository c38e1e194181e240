import { UserError } from '../base/errors.js'
import { suites, TASK_EXAMPLE } from '../builtins.js'
import { findSuite } from '../library.js'
import { type Suite, type SuiteData, SYSTEM_TIMEOUT_MS } from '../model/index.js'
import { COMMON, type Command, type Flags, type Typed } from './args.js'

/** How long a memory may take. It changes nothing that is measured, but for what is never measured. */
export const TIMEOUT_FLAG: Flags = {
  'system-timeout': {
    type: 'text',
    value: '<s>',
    about: `longest a memory may take for one call, in seconds, models not counted (default ${SYSTEM_TIMEOUT_MS / 1000})`,
  },
}

/** Flags that say how models are reached and what they may cost. None of them changes what is measured. */
export const MODEL_FLAGS: Flags = {
  budget: { type: 'text', value: '<usd>', about: 'most that may be spent; nothing is asked beyond it' },
  record: { type: 'text', value: '<file>', about: 'keep all traffic with models in a cassette' },
  replay: { type: 'text', value: '<file>', about: 'answer from a cassette; never touches the network' },
  prices: { type: 'text', value: '<file>', about: 'prices of your own, over the bundled table' },
  'llm-concurrency': { type: 'text', value: '<n>', about: 'most calls of one model at a time (default 16)' },
  'llm-timeout': { type: 'text', value: '<s>', about: 'longest wait for one reply, in seconds (default 180)' },
}

/** Flags that say where results go. */
export const OUTPUT_FLAGS: Flags = {
  json: { type: 'text', value: '<file|->', about: 'write the summary as JSON' },
  html: { type: 'text', value: '<file>', about: 'write the report as one HTML page' },
  md: { type: 'text', value: '<file|->', about: 'write the tables as Markdown' },
  csv: { type: 'text', value: '<file|->', about: 'write one line a cell as CSV' },
  junit: { type: 'text', value: '<file|->', about: 'write every question as a JUnit test case' },
  'fail-under': {
    type: 'text',
    value: '<expr>',
    about: `exit 1 below a bound: "evidence>=0.8; ${TASK_EXAMPLE}:bm25@5.evidence.low>=0.3"`,
  },
  quiet: { type: 'switch', about: 'no tables and no progress' },
}

export const READER_PROMPT_FLAG: Flags = {
  'reader-prompt': {
    type: 'text',
    value: '<file>',
    about: 'what readers are told: a file of sections to replace, careful, or default; see models --prompts reader',
  },
}

export const JUDGE_PROMPT_FLAG: Flags = {
  'judge-prompt': {
    type: 'text',
    value: '<file>',
    about: 'what models that judge are told: a file of sections to replace; see models --prompts judge',
  },
}

/** Flags that say who judges. */
export const JUDGE_FLAGS: Flags = {
  judge: {
    type: 'text',
    value: '<name>',
    about: 'of facts and answers: lexical (default), llm:p:m, hybrid:p:m, panel:a,b,c, paper:p:m or ./my-judge.ts',
  },
  'fact-judge': { type: 'text', value: '<name>', about: 'who judges facts, instead of --judge' },
  'answer-judge': { type: 'text', value: '<name>', about: 'who judges answers and criteria, instead of --judge' },
}

/** Flags that say what is run, but for those of suites. */
export const REQUEST_FLAGS: Flags = {
  suite: {
    type: 'list',
    value: '<names>',
    about: `suites, their tasks or files of your own: ${[...suites.map(({ name }) => name), TASK_EXAMPLE].join(', ')}, ./my-suite.ts (default all)`,
  },
  system: { type: 'list', value: '<names>', about: 'memory systems, files of your own, or all: bm25,./my-memory.ts' },
  k: { type: 'list', value: '<numbers>', about: 'how many memories are retrieved: 1,5,10' },
  data: { type: 'text', value: '<folder>', about: 'a published release instead of the bundled corpus' },
  view: { type: 'text', value: 'audited|released', about: 'published data repaired (default) or as it is' },
  'token-budget': {
    type: 'list',
    value: '<numbers>',
    about: 'how many tokens of context are filled: 500,1000; with --k, both',
  },
  reader: {
    type: 'list',
    value: '<names>',
    about: 'what answers from the memories: provider:model, ./my-reader.ts, or none (default)',
  },
  'answer-style': { type: 'text', value: '<style>', about: 'how readers answer: auto (default), free, yes-no, choice' },
  reasoning: { type: 'text', value: 'off|default', about: 'whether readers may reason at length' },
  ...READER_PROMPT_FLAG,
  model: { type: 'list', value: '<names>', about: 'models inside memory systems: provider:model, or rehearsal:demo' },
  ...JUDGE_FLAGS,
  ...JUDGE_PROMPT_FLAG,
  size: {
    type: 'text',
    value: 'quick|paper|<n>',
    about: `quick (the tour, files of your own), paper (default), or so many ${suites.map(({ unit, name }) => `${unit} (${name})`).join(', ')}`,
  },
  seed: { type: 'text', value: '<n>', about: 'seed of everything random (default 42)' },
  trials: { type: 'text', value: '<n>', about: 'how often everything is repeated (default 1)' },
  'answer-trials': { type: 'text', value: '<n>', about: 'how often readers answer over each memory (default 1)' },
  'judge-trials': { type: 'text', value: '<n>', about: 'how often a judge with a model judges it all (default 1)' },
  limit: { type: 'text', value: '<n>', about: 'ask only the first n questions a task' },
  embedder: { type: 'text', value: '<model>', about: 'minilm (default), gte-small, or provider:model' },
  strict: { type: 'switch', about: 'a conversation that cannot be stored ends its life, not only the questions on it' },
  timeline: { type: 'switch', about: 'keep the store after every conversation, not only at probes' },
}

/** The flags that suites declare, as a command takes them. */
export function suiteFlags(suites: readonly Suite[]): Flags {
  return Object.fromEntries(
    suites.flatMap((suite) =>
      Object.entries(suite.flags).map(([name, { values, about, default: usual }]) => [
        name,
        {
          type: 'text' as const,
          value: values.length > 0 ? values.join('|') : `<${usual === '' ? 'path' : 'value'}>`,
          about: `${suite.name}: ${about}${usual === '' ? '' : ` (default ${usual})`}`,
        },
      ]),
    ),
  )
}

/**
 * A command that also takes the flags of suites from files. They are known once the files are read, so before anything else is.
 *
 * @param specs what was typed behind `--suite`
 */
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

/** The flags that suites have for work on their data, each with what it means to whom. */
export function dataFlags(all: readonly Suite[]): Flags {
  const flags: Flags = {}
  for (const { name: suite, data = {} } of all)
    for (const verb of ['lint', 'generate', 'export'] satisfies (keyof SuiteData)[])
      for (const [name, { value, about }] of Object.entries(data[verb]?.flags ?? {})) {
        const before = flags[name] ? `${flags[name].about}; ` : ''
        const words = `${before}${verb} of ${suite}: ${about}`
        flags[name] = value === undefined ? { type: 'switch', about: words } : { type: 'text', value, about: words }
      }
  return flags
}

/** What was typed that is no flag of the command itself: those of suites. */
export function settingsFrom({ text, on }: Typed, own: Flags): Record<string, string | boolean> {
  const all = Object.entries({ ...text, ...on }).filter(([name]) => !(name in own || name in COMMON))
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
