import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { isOwnFile } from '../base/own-file.js'
import { DEFAULT_JUDGE, suites, TASK_EXAMPLE, TOUR } from '../builtins.js'
import { type RunRequest, suiteOptions } from '../engine/plan.js'
import {
  answerTrial,
  firstTime,
  instrumentKey,
  type JudgePair,
  oneForBoth,
  readerKey,
  readReader,
  type Suite,
} from '../model/index.js'
import { resolveSuite, suiteSpec } from '../suites/registry.js'
import { systemsFrom } from './all-systems.js'
import { type Flags, type Typed, wholeNumber } from './args.js'
import { suitesIn } from './data-folder.js'
import {
  JUDGE_PROMPT_FLAG,
  judgePromptFrom,
  READER_PROMPT_FLAG,
  readerPromptFrom,
  requireSamePrompts,
} from './prompts.js'
import { suiteFlags, suiteSettings } from './suite-flags.js'

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

/** Who judges, as typed: `--judge` is both, unless one is named apart. What is not typed is as it was. */
export function judgesFrom(text: Typed['text'], usual: JudgePair<string>): JudgePair<string> {
  return {
    facts: text['fact-judge'] ?? text.judge ?? usual.facts,
    answers: text['answer-judge'] ?? text.judge ?? usual.answers,
  }
}

/** Flags that say what is run. */
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
  ...suiteFlags(suites),
}

/** Most times that readers answer, or a judge judges. */
export const MOST_TRIALS = 100

/** The request behind what was typed. With no flags at all it is the tour. */
export async function requestFrom(typed: Typed): Promise<RunRequest> {
  const { text, list } = typed
  const named = await suitesFrom(list.suite, text.data)
  const asked = named.map(({ suite }) => suite)
  const systems = await systemsFrom(list.system ?? TOUR, list.model ?? [])
  const isTour = list.system === undefined && list.k === undefined && list['token-budget'] === undefined
  const isShort = ownAndQuick(typed) !== null || (isTour && text.data === undefined)
  const size = sizeFrom(text.size ?? (isShort ? 'quick' : 'paper'))
  const judges = judgesFrom(text, oneForBoth(DEFAULT_JUDGE))
  const readers = list.reader ?? [readerKey(null)]
  const times = wholeNumber('answer-trials', text['answer-trials'] ?? '1', 1, MOST_TRIALS)
  const request: RunRequest = {
    suites: named.map(({ suite, ...rest }) => ({ name: suite.name, ...rest })),
    systems,
    ks: list.k ? depthsFrom(list.k) : null,
    data: text.data === undefined ? null : resolve(text.data),
    view: oneOf('view', text.view ?? 'audited', ['audited', 'released']),
    seed: wholeNumber('seed', text.seed ?? '42', 0),
    size,
    trials: wholeNumber('trials', text.trials ?? '1', 1, 1000),
    limit: text.limit === undefined ? null : wholeNumber('limit', text.limit, 1),
    budgets: list['token-budget'] ? budgetsFrom(list['token-budget']) : null,
    readers: readers.flatMap((reader) => answerTrials(reader, times)),
    answerStyle: text['answer-style'] ?? 'auto',
    reasoning: oneOf('reasoning', text.reasoning ?? 'default', ['default', 'off']),
    // What a run to resume reads and judges with is not known here.
    ...(await readerPromptFrom(typed, text.resume === undefined ? readers : null)),
    models: list.model ?? [],
    judge: judges,
    judgeTrials: wholeNumber('judge-trials', text['judge-trials'] ?? '1', 1, MOST_TRIALS),
    ...(await judgePromptFrom(typed, text.resume === undefined ? Object.values(judges) : null)),
    embedder: text.embedder ?? 'minilm',
    ...(isTour && { tour: true }),
    ...(typed.on.timeline && { timeline: true }),
    ...(typed.on.strict && { strict: true }),
    extra: suiteSettings(asked, text),
  }
  if (text.resume === undefined) refuseIdle(request, asked)
  return request
}

/** A line on what runs at `quick` only because it is not built in, and nothing else was asked for; null when that is not so. */
export function ownAndQuick({ text, list }: Typed): string | null {
  const own = (list.system ?? []).filter(isOwnFile)
  if (own.length === 0 || text.size !== undefined || text.resume !== undefined) return null
  return `With a file of your own (${own.join(', ')}) all run at --size quick; --size paper asks everything.`
}

/** Refuses what would change nothing: views of data that has none, and whatever suites refuse. */
function refuseIdle(request: RunRequest, asked: readonly Suite[]): void {
  if (request.data === null && request.view === 'released')
    throw new UserError(
      '--view released is for published data; the bundled data has no views.',
      'Name the folder of a release with --data, or leave out --view.',
    )
  for (const suite of asked) suite.refuse?.(suiteOptions(request, null), { alone: asked.length === 1 })
}

/**
 * A kept request with what may grow: depths, trials and limits. Anything else that was typed must be what it was.
 */
export async function grown(kept: RunRequest, typed: Typed): Promise<RunRequest> {
  const asked = await requestFrom(typed)
  const given = (flag: string) => typed.text[flag] !== undefined || typed.list[flag] !== undefined
  const fixed: [flag: string, before: unknown, now: unknown][] = [
    ['suite', kept.suites, asked.suites],
    ['system', kept.systems, asked.systems],
    ['data', kept.data, asked.data],
    ['view', kept.view, asked.view],
    ['reader', basesOf(kept.readers), basesOf(asked.readers)],
    ['answer-trials', timesIn(kept.readers), timesIn(asked.readers)],
    ['answer-style', kept.answerStyle, asked.answerStyle],
    ['reasoning', kept.reasoning, asked.reasoning],
    ['model', kept.models, asked.models],
    ['judge', kept.judge, asked.judge],
    ['fact-judge', kept.judge.facts, asked.judge.facts],
    ['answer-judge', kept.judge.answers, asked.judge.answers],
    ['size', kept.size, asked.size],
    ['seed', kept.seed, asked.seed],
    ['embedder', kept.embedder, asked.embedder],
    ...Object.keys(kept.extra).map((name): [string, unknown, unknown] => [name, kept.extra[name], asked.extra[name]]),
  ]
  for (const [flag, before, now] of fixed) {
    if (given(flag) && JSON.stringify(before) !== JSON.stringify(now)) {
      throw new UserError(
        `The run to resume has another --${flag}: ${JSON.stringify(before)}, asked for ${JSON.stringify(now)}.`,
        'Leave the flag out to go on, or start a new run.',
      )
    }
  }
  requireSamePrompts('reader-prompt', typed, kept.readerPrompt, asked.readerPrompt)
  requireSamePrompts('judge-prompt', typed, kept.judgePrompt, asked.judgePrompt)
  return {
    ...kept,
    ks: given('k') ? [...new Set([...(kept.ks ?? []), ...asked.ks!])].sort((a, b) => a - b) : kept.ks,
    budgets: given('token-budget')
      ? [...new Set([...(kept.budgets ?? []), ...asked.budgets!])].sort((a, b) => a - b)
      : kept.budgets,
    trials: Math.max(kept.trials, given('trials') ? asked.trials : 0),
    judgeTrials: Math.max(kept.judgeTrials, given('judge-trials') ? asked.judgeTrials : 0),
    limit: given('limit') && kept.limit !== null ? Math.max(kept.limit, asked.limit!) : kept.limit,
  }
}

/** A reader as often as it is to answer. */
function answerTrials(name: string, times: number): string[] {
  return readReader(name) ? Array.from({ length: times }, (_, trial) => instrumentKey({ name, trial })) : [name]
}

function basesOf(readers: readonly string[]): string[] {
  return [...new Set(readers.map((reader) => readerKey(firstTime(readReader(reader)))))]
}

function timesIn(readers: readonly string[]): number {
  return 1 + Math.max(0, ...readers.map((reader) => answerTrial(readReader(reader))))
}

/** A suite that was asked for, with its tasks, or null for all of them, and where it comes from if it is not built in. */
export interface AskedSuite {
  suite: Suite
  tasks: string[] | null
  file?: string
}

/** Suites and tasks by their names or files; without names all that are built in, or those whose data a folder holds. */
export async function suitesFrom(names: string[] | undefined, data?: string): Promise<AskedSuite[]> {
  const asked = new Map<string, AskedSuite>()
  const usual = () => (data === undefined ? suites : suitesIn(resolve(data))).map(({ name }) => name)
  for (const typed of names ?? usual()) {
    const { name, task, isFile } = suiteSpec(typed)
    const suite = await resolveSuite(name, process.cwd())
    const file = isFile ? resolve(name) : undefined
    const known = suite.tasks.map((info) => info.name)
    const tasks = task === null ? null : (suite.groups?.[task] ?? [task])
    if (tasks?.some((one) => !known.includes(one))) throw unknownName(`task of ${suite.name}`, task!, known)
    const before = asked.get(suite.name)
    if (before && before.file !== file)
      throw new UserError(`Two of the suites are called "${suite.name}".`, 'Give one of them another name.')
    const all = tasks === null || before?.tasks === null
    asked.set(suite.name, {
      suite,
      tasks: all ? null : [...new Set([...(before?.tasks ?? []), ...tasks])],
      ...(file !== undefined && { file }),
    })
  }
  return [...asked.values()]
}

function depthsFrom(texts: readonly string[]): number[] {
  const ks = texts.map((text) => wholeNumber('k', text, 1, 100_000))
  return [...new Set(ks)].sort((a, b) => a - b)
}

function budgetsFrom(texts: readonly string[]): number[] {
  const budgets = texts.map((tokens) => wholeNumber('token-budget', tokens, 16, 10_000_000))
  return [...new Set(budgets)].sort((a, b) => a - b)
}

/** How many rows, as typed: `quick`, `paper` or a number. */
export function sizeFrom(text: string): RunRequest['size'] {
  if (text === 'quick' || text === 'paper') return text
  if (!/^\d+$/.test(text)) throw new UserError(`Expected --size to be quick, paper or a number of rows, got "${text}".`)
  return wholeNumber('size', text, 1)
}

function oneOf<T extends string>(flag: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw new UserError(`Expected --${flag} to be ${values.join(' or ')}, got "${text}".`)
  return value
}
