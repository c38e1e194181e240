import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { isOutsideSpec } from '../base/outside-spec.js'
import { isOwnFile } from '../base/own-file.js'
import { wholeNumber } from '../base/whole-number.js'
import { DEFAULT_JUDGE, suites, TOUR } from '../builtins.js'
import { type RunRequest, suiteOptions } from '../engine/plan.js'
import type { Depth, JudgePair, Suite } from '../model/index.js'
import {
  answerTrial,
  instrumentKey,
  isRehearsed,
  REASONING_EFFORTS,
  readerKey,
  readReader,
  SYSTEM_TIMEOUT_MS,
  sameJudgePair,
  withFirstTrial,
} from '../model/index.js'
import { resolveSuite, suiteSpec } from '../suites/registry.js'
import { systemsFrom } from './all-systems.js'
import { Parts } from './own-parts.js'
import { judgePromptFrom, readerPromptFrom, requireSamePrompts } from './prompts.js'
import type { JudgeOptions, MeasureOptions, ReaderOptions, RunOptions, Several } from './types.js'

/** Who judges, as asked: `judge` is both, unless one is named apart. What is not asked for is as it was. */
export function judgesFrom(asked: JudgeOptions, usual: JudgePair<string>, parts: Parts): JudgePair<string> {
  const [facts, answers] = [asked.factJudge ?? asked.judge, asked.answerJudge ?? asked.judge]
  return {
    facts: facts === undefined ? usual.facts : parts.name(facts),
    answers: answers === undefined ? usual.answers : parts.name(answers),
  }
}

/** Most times that readers answer, or a judge judges. */
export const MOST_TRIALS = 100

/** The request behind what was asked for. With nothing at all it is the tour. */
export async function requestFrom(asked: RunOptions, parts = new Parts()): Promise<RunRequest> {
  const named = await suitesFrom(asked.suite, asked.data, parts)
  const own = named.map(({ suite }) => suite)
  const models = listOf(asked.model) ?? []
  const { readers, reasoning } = reasoningReaders(parts.names(asked.reader) ?? [readerKey(null)], asked.reasoning)
  const systems = await systemsFrom(parts.names(asked.system) ?? TOUR, models)
  const isTour = asked.system === undefined && asked.k === undefined && asked.tokenBudget === undefined
  const isShort = quickSizeNote(asked) !== null || (isTour && asked.data === undefined)
  const size = sizeFrom(asked.size ?? (isShort ? 'quick' : 'paper'))
  const judges = judgesFrom(asked, sameJudgePair(DEFAULT_JUDGE), parts)
  const times = wholeNumber('answer-trials', asked.answerTrials ?? 1, 1, MOST_TRIALS)
  // What a run to resume reads and judges with is not known here.
  const isFresh = asked.resume === undefined
  const request: RunRequest = {
    suites: named.map(({ suite, ...rest }) => ({ name: suite.name, ...rest })),
    systems,
    ks: listOf(asked.k)?.join() === 'paper' ? 'paper' : numbersFrom('k', asked.k, 1, 100_000),
    data: asked.data === undefined ? null : resolve(asked.data),
    view: oneOf('view', asked.view ?? 'audited', ['audited', 'released']),
    seed: wholeNumber('seed', asked.seed ?? 42, 0),
    size,
    trials: wholeNumber('trials', asked.trials ?? 1, 1, 1000),
    limit: asked.limit === undefined ? null : wholeNumber('limit', asked.limit, 1),
    ...(asked.episodes !== undefined && { episodes: listOf(asked.episodes)! }),
    budgets: numbersFrom('token-budget', asked.tokenBudget, 16, 10_000_000),
    readers: readers.flatMap((reader) => answerTrials(reader, times)),
    answerStyle: asked.answerStyle ?? 'auto',
    reasoning,
    ...(await readerPromptFrom(asked.readerPrompt, isFresh ? readers : null, parts)),
    models,
    judge: judges,
    judgeTrials: wholeNumber('judge-trials', asked.judgeTrials ?? 1, 1, MOST_TRIALS),
    ...(await judgePromptFrom(asked.judgePrompt, isFresh ? Object.values(judges) : null, parts)),
    embedder: asked.embedder ?? 'minilm',
    ...vectorsFrom(asked),
    ...(asked.embedder === undefined && models.some(isRehearsed) && { byWords: true }),
    ...(isTour && { tour: true }),
    ...(asked.timeline && { timeline: true }),
    ...(asked.strict && { strict: true }),
    ...(asked.shard !== undefined && { shard: shardFrom(asked.shard) }),
    extra: suiteSettings(own, asked.settings ?? {}),
  }
  const taking = own
    .flatMap(({ flags }) => Object.entries(flags))
    .find(([flag, { taker }]) => taker !== undefined && request.extra[flag] === taker)
  if (taking && isFresh) request.taker = takerFrom(readers, `--${taking[0]} ${taking[1].taker}`)
  if (isFresh) refuseIdle(request, own)
  return request
}

/** A note that all systems run at `--size quick` because one is the user's own; null where a size was given, a run is resumed, or all are built in. */
export function quickSizeNote({ system, size, resume }: Pick<RunOptions, 'system' | 'size' | 'resume'>): string | null {
  const all = listOf(system) ?? []
  const own = all.flatMap((one) => {
    if (typeof one === 'object') return one.name ?? ('use' in one ? one.use : [])
    return isOwnFile(one) || isOutsideSpec(one) ? one : []
  })
  if (own.length === 0 || size !== undefined || resume !== undefined) return null
  const what = own.every(isOwnFile) ? 'a file' : 'a memory'
  return `With ${what} of your own (${own.join(', ')}) all run at --size quick; --size paper asks everything.`
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

/** A kept request with what may grow: depths, trials and limits. Anything else that was asked for must be what it was. */
export async function grownRequest(kept: RunRequest, options: RunOptions, parts: Parts): Promise<RunRequest> {
  const asked = await requestFrom(options, parts)
  const given = (flag: string) => {
    const words: Record<string, unknown> = { ...options.settings, ...options }
    return (words[flag] ?? words[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]) !== undefined
  }
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
    ['shard', kept.shard, asked.shard],
    ['episodes', kept.episodes, asked.episodes],
    ...(kept.ks === 'paper' || asked.ks === 'paper' ? [['k', kept.ks, asked.ks] as [string, unknown, unknown]] : []),
    ['embedder-dimensions', kept.vectors?.dimensions, asked.vectors?.dimensions],
    ['embedder-query', kept.vectors?.query, asked.vectors?.query],
    ['embedder-document', kept.vectors?.document, asked.vectors?.document],
    ...Object.keys(kept.extra).map((name): [string, unknown, unknown] => [name, kept.extra[name], asked.extra[name]]),
  ]
  for (const [flag, before, now] of fixed) {
    if (given(flag) && JSON.stringify(before) !== JSON.stringify(now))
      throw new UserError(
        `The run to resume has another --${flag}: ${JSON.stringify(before)}, asked for ${JSON.stringify(now)}.`,
        'Leave the flag out to go on, or start a new run.',
      )
  }
  if (options.readerPrompt !== undefined) requireSamePrompts('reader-prompt', kept.readerPrompt, asked.readerPrompt)
  if (options.judgePrompt !== undefined) requireSamePrompts('judge-prompt', kept.judgePrompt, asked.judgePrompt)
  return {
    ...kept,
    ks: given('k') && kept.ks !== 'paper' ? inOrder([...(kept.ks ?? []), ...(asked.ks as number[])]) : kept.ks,
    budgets: given('token-budget') ? inOrder([...(kept.budgets ?? []), ...asked.budgets!]) : kept.budgets,
    trials: Math.max(kept.trials, given('trials') ? asked.trials : 0),
    judgeTrials: Math.max(kept.judgeTrials, given('judge-trials') ? asked.judgeTrials : 0),
    limit: given('limit') && kept.limit !== null ? Math.max(kept.limit, asked.limit!) : kept.limit,
  }
}

/** One of several parts, as `2/4`. */
function shardFrom(text: string): { index: number; of: number } {
  const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (!index || !of || index > of || of > 10_000)
    throw new UserError(`Expected --shard to be one of n parts, such as 2/4, got "${text}".`)
  return { index, of }
}

/** The model that takes the test: the first that reads. */
function takerFrom(readers: readonly string[], typed: string): string {
  const taker = readers.find((name) => readReader(name) !== null && !isOwnFile(name))
  if (taker !== undefined) return taker
  throw new UserError(
    `${typed} needs a model that takes the test.`,
    'Name one with --reader provider:model: it replies to what is told, and answers the questions.',
  )
}

/** What `--reasoning` may say of readers. */
const REASONING = ['default', ...REASONING_EFFORTS] as const

/**
 * Readers as often as there are efforts to compare: each but the default is a reader of its own, whose name says how much it reasons. `off` or
 * `default` alone is a setting of all.
 */
export function reasoningReaders(
  names: readonly string[],
  asked: ReaderOptions['reasoning'],
): { readers: string[]; reasoning: 'off' | 'default' } {
  const efforts = (listOf(asked) ?? ['default']).map((effort) => oneOf('reasoning', effort, REASONING))
  const [only] = efforts
  if (efforts.length === 1 && (only === 'off' || only === 'default')) return { readers: [...names], reasoning: only }
  const readers = names.flatMap((name) => {
    if (!readReader(name)) return [name]
    if (isOwnFile(name) || !name.includes(':'))
      throw new UserError(
        `--reasoning ${efforts.join(',')} cannot be told to the reader ${name}.`,
        'Name the effort with its model, as ./my-reader.ts:openai:gpt-5-mini+low.',
      )
    return efforts.map((effort) => (effort === 'default' ? name : `${name}+${effort}`))
  })
  return { readers, reasoning: 'default' }
}

/** How vectors are asked for of a provider's model; what comes with the package takes none of it. */
function vectorsFrom(asked: RunOptions): Pick<RunRequest, 'vectors'> {
  const { embedder = '', embedderDimensions, embedderQuery: query, embedderDocument: document } = asked
  if (embedderDimensions === undefined && query === undefined && document === undefined) return {}
  if (!embedder.includes(':') && asked.resume === undefined)
    throw new UserError(
      '--embedder-dimensions, --embedder-query and --embedder-document are for models of providers.',
      'Name one with --embedder provider:model.',
    )
  const dimensions =
    embedderDimensions === undefined ? undefined : wholeNumber('embedder-dimensions', embedderDimensions, 1, 100_000)
  const given = { dimensions, query, document }
  return { vectors: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

/** A reader as often as it is to answer. */
function answerTrials(name: string, times: number): string[] {
  return readReader(name) ? Array.from({ length: times }, (_, trial) => instrumentKey({ name, trial })) : [name]
}

function basesOf(readers: readonly string[]): string[] {
  return [...new Set(readers.map((reader) => readerKey(withFirstTrial(readReader(reader)))))]
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

/** Suites and tasks by their names, files or objects; without any all that are built in, or those whose data a folder holds. */
export async function suitesFrom(
  given: MeasureOptions['suite'],
  data: string | undefined,
  parts: Parts,
): Promise<AskedSuite[]> {
  const asked = new Map<string, AskedSuite>()
  const usual = () => (data === undefined ? bundledSuites() : suitesIn(resolve(data))).map(({ name }) => name)
  for (const typed of parts.names(given) ?? usual()) {
    const { name, task, isFile } = suiteSpec(typed)
    const suite = await resolveSuite(name, process.cwd(), parts.suites)
    const file = isFile ? resolve(name) : undefined
    const known = suite.tasks.map((info) => info.name)
    const { groups = {} } = suite
    const tasks = task === null ? null : Object.hasOwn(groups, task) ? groups[task]! : [task]
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

/** The suites that can be run with nothing but what comes with the package. */
export function bundledSuites(): Suite[] {
  return suites.filter(({ release }) => release?.only === undefined)
}

/** The suites whose data a folder holds; a folder that holds none is refused. */
export function suitesIn(folder: string): Suite[] {
  const expected = suites.flatMap(({ name, release }) => (release ? [`  ${name}: ${release.expected}`] : []))
  const hint = `Expected data of a suite in it:\n${expected.join('\n')}`
  if (!existsSync(folder)) throw new UserError(`There is no folder ${folder}.`, hint)
  if (!statSync(folder).isDirectory()) throw new UserError(`${folder} is not a folder.`, hint)
  const held = suites.filter((suite) => suite.release?.holds(folder))
  if (held.length === 0) throw new UserError(`${folder} holds no data of a suite.`, hint)
  return held
}

/** What suites are set to, as asked or by default. What belongs to a suite that is not asked for is left alone. */
function suiteSettings(asked: readonly Suite[], given: Readonly<Record<string, string>>): Record<string, string> {
  const known = [...suites, ...asked].flatMap(({ flags }) => Object.keys(flags))
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownName('setting of a suite', unknown, known)
  const own = asked.flatMap((suite) => Object.entries(suite.flags))
  const settings = own.map(([name, { values, default: usual }]) => {
    const value = given[name] ?? usual
    return [name, values.length > 0 ? oneOf(name, value, values) : value]
  })
  return Object.fromEntries(settings)
}

/** Settings of a suite under which its questions are counted. */
export function lightSettings({ flags }: Suite): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, { light }]) => (light === undefined ? [] : [[name, light]])),
  )
}

/** One or several as a list; undefined where nothing was given. */
export function listOf<T>(given: Several<T> | undefined): T[] | undefined {
  return given === undefined ? undefined : ([given as T | T[]].flat() as T[])
}

/** The one depth that was named, in memories or in tokens of context. @param what becomes of it */
export function depthFrom({ k, tokenBudget }: { k?: number; tokenBudget?: number }, what: string): Depth | null {
  if (k !== undefined && tokenBudget !== undefined)
    throw new UserError('--k and --token-budget exclude each other here.', `Name the one depth that is ${what}.`)
  if (tokenBudget !== undefined) return { tokens: wholeNumber('token-budget', tokenBudget, 2) }
  return k === undefined ? null : { k: wholeNumber('k', k, 1) }
}

/** Numbers, each once, in their order. */
function inOrder(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** Whole numbers; null when none was given. */
function numbersFrom(
  flag: string,
  given: Several<number | string> | undefined,
  low: number,
  high: number,
): number[] | null {
  const numbers = listOf(given)?.map((one) => wholeNumber(flag, one, low, high))
  return numbers ? inOrder(numbers) : null
}

/** Seconds as asked, in milliseconds; undefined when it was not asked. */
export function secondsFrom(flag: string, given: number | undefined): number | undefined {
  if (given === undefined) return undefined
  const seconds = Number(given)
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UserError(`Expected --${flag} to be a number of seconds above 0, got "${given}".`)
  return seconds * 1000
}

/** The limit of one call of a system in milliseconds, as asked or the usual one. */
export function systemMsFrom({ systemTimeout }: Pick<MeasureOptions, 'systemTimeout'>): number {
  return secondsFrom('system-timeout', systemTimeout) ?? SYSTEM_TIMEOUT_MS
}

/** How many rows: `quick`, `paper` or a number. */
export function sizeFrom(given: RunRequest['size']): RunRequest['size'] {
  const text = String(given)
  if (text === 'quick' || text === 'paper') return text
  if (!/^\d+$/.test(text)) throw new UserError(`Expected --size to be quick, paper or a number of rows, got "${text}".`)
  return wholeNumber('size', text, 1)
}

function oneOf<T extends string>(flag: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw new UserError(`Expected --${flag} to be ${values.join(' or ')}, got "${text}".`)
  return value
}
