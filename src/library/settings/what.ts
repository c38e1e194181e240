import { resolve } from 'node:path'
import { UserError } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import type { OutsideSystem } from '../../base/outside-spec.js'
import { wholeNumber } from '../../base/whole-number.js'
import { suites, TASK_EXAMPLE, TOUR } from '../../builtins.js'
import type { RunRequest } from '../../engine/plan.js'
import type { OwnSuite, OwnSystem, View } from '../../model/index.js'
import { systemsFrom } from '../all-systems.js'
import { suiteSettings } from '../asked-suites.js'
import type { Several, Size } from '../types.js'
import { ofRequest, part, partOfSuites } from './setting.js'
import { budgetWords, dataWords, extraWords, kWords, scenarioWords, systemNames, taskNames } from './told.js'
import { inOrder, listOf, oneOf, sizeFrom, wholeNumbers } from './values.js'

const UNITS = suites.map(({ unit, name }) => `${unit} (${name})`).join(', ')

/** What is measured: questions, memories, and how often. */
export const WHAT = {
  /** Names, alone or with `/` and a task and options behind them, files or objects; all that are built in unless given. */
  suite: ofRequest<Several<string | OwnSuite>>()({
    type: 'list',
    value: '<names>',
    about: `suites, their tasks or files of your own: ${[...suites.map(({ name }) => name), TASK_EXAMPLE].join(', ')}, ./my-suite.ts (default all); options behind a name: memscope suites lists them`,
    request: (_, { suites: asked, settings }) => ({
      suites: asked.map(({ suite, tasks, file }) => ({ name: suite.name, tasks, ...(file !== undefined && { file }) })),
      extra: suiteSettings(
        asked.map(({ suite }) => suite),
        settings,
      ),
    }),
    onResume: { was: ({ suites: named }) => named },
    parts: [
      partOfSuites('data', ({ datasetHash }) => datasetHash),
      partOfSuites('version', ({ suite }) => suite.version),
      part('suites', ({ request }) => suiteKeys(request), { label: null }),
      part('layout', ({ request: { extra } }) => fingerprint(extra), {
        word: 'settings',
        label: 'hash of the suites’ own settings',
      }),
    ],
    choices: (told) => [['suites', taskNames(told)], ...extraWords(told), ...scenarioWords(told)],
  }),
  /** Names with options, as `bm25:unit=sentence`, files, objects, or `all`. */
  system: ofRequest<Several<string | OwnSystem | OutsideSystem>>()({
    type: 'list',
    value: '<names>',
    about:
      'memory systems, or all, or your own: bm25, ./my-memory.ts, py:module:Class, "cmd:./server", http://…, "mcp:…"; "name=" before it names its row',
    request: async (given, { parts, models, isTour }) => ({
      systems: await systemsFrom(parts.names(given) ?? TOUR, models),
      ...(isTour && { tour: true }),
    }),
    onResume: { was: ({ systems }) => systems },
    choices: (told) => [['systems', systemNames(told)]],
  }),
  /** How many memories are retrieved; `paper`: from each system as many as its papers retrieved. */
  k: ofRequest<Several<number> | 'paper'>()({
    type: 'list',
    value: '<numbers>',
    about: 'how many memories are retrieved: 1,5,10; paper: of each system as many as its papers did',
    request: (given) => ({
      ks: [given ?? []].flat().join() === 'paper' ? 'paper' : wholeNumbers('k', given as Several<number>, 1, 100_000),
    }),
    onResume: {
      was: ({ ks }) => ks,
      grow: ({ ks: kept }, { ks: asked }) => {
        if (kept === 'paper' || asked === 'paper') return kept === asked ? {} : null
        return { ks: inOrder([...(kept ?? []), ...(asked ?? [])]) }
      },
    },
    choices: kWords,
  }),
  /** How many tokens of context are filled. */
  tokenBudget: ofRequest<Several<number>>()({
    type: 'list',
    value: '<numbers>',
    about: 'how many tokens of context are filled: 500,1000; with --k, both',
    request: (given) => ({ budgets: wholeNumbers('token-budget', given, 16, 10_000_000) }),
    onResume: {
      was: ({ budgets }) => budgets,
      grow: ({ budgets: kept }, { budgets: asked }) => ({ budgets: inOrder([...(kept ?? []), ...(asked ?? [])]) }),
    },
    choices: budgetWords,
  }),
  /** `paper` unless given; `quick` in the tour and with systems of one's own. */
  size: ofRequest<Size>()({
    type: 'text',
    value: 'quick|paper|<n>',
    about: `quick (the tour, files of your own), paper (default), or so many ${UNITS}`,
    request: (given, { isShort }) => ({ size: sizeFrom(given ?? (isShort ? 'quick' : 'paper')) }),
    onResume: { was: ({ size }) => size },
    parts: [part('size', ({ request: { size } }) => String(size), { label: null })],
    choices: ({ request }) => [['size', String(request.size)]],
  }),
  /** A folder with a published release, instead of the bundled corpus. */
  data: ofRequest<string>()({
    type: 'text',
    value: '<folder>',
    about: 'a published release instead of the bundled corpus',
    request: (given) => ({ data: given === undefined ? null : resolve(given) }),
    onResume: { was: ({ data }) => data },
    choices: (told) => [['data', dataWords(told)]],
  }),
  /** Published data repaired, or as it is. */
  view: ofRequest<View>('audited')({
    type: 'text',
    value: 'audited|released',
    about: 'published data repaired, or as it is',
    request: (given) => ({ view: oneOf<View>('view', given, ['audited', 'released']) }),
    onResume: { was: ({ view }) => view },
    parts: [part('view', ({ request: { view } }) => view, { label: null })],
  }),
  /** 42 unless given. */
  seed: ofRequest<number>(42)({
    type: 'text',
    value: '<n>',
    about: 'seed of everything random',
    request: (given) => ({ seed: wholeNumber('seed', given, 0) }),
    onResume: { was: ({ seed }) => seed },
    parts: [part('seed', ({ request: { seed } }) => String(seed), { label: null })],
    choices: ({ request }) => [['seed', String(request.seed)]],
  }),
  /** How often everything is repeated. */
  trials: ofRequest<number>(1)({
    type: 'text',
    value: '<n>',
    about: 'how often everything is repeated',
    request: (given) => ({ trials: wholeNumber('trials', given, 1, 1000) }),
    onResume: {
      was: ({ trials }) => trials,
      grow: (kept, { trials }) => (trials < kept.trials ? null : { trials }),
    },
    choices: ({ request }) => [['trials', String(request.trials)]],
  }),
  /** Only the first so many questions a task. */
  limit: ofRequest<number>()({
    type: 'text',
    value: '<n>',
    about: 'ask only the first n questions a task',
    request: (given) => ({ limit: given === undefined ? null : wholeNumber('limit', given, 1) }),
    onResume: {
      was: ({ limit }) => limit ?? 'all',
      grow: (kept, { limit }) => (kept.limit === null || limit! < kept.limit ? null : { limit }),
    },
    choices: ({ request: { limit } }) => [['questions a task', limit === null ? 'all' : `the first ${limit}`]],
  }),
  /** Only these scenarios, by name. */
  episodes: ofRequest<Several<string>>()({
    type: 'list',
    value: '<names>',
    about: 'live only these scenarios, by their names',
    request: (given) => (given === undefined ? {} : { episodes: listOf(given)! }),
    onResume: { was: ({ episodes }) => episodes ?? 'all' },
    parts: [part('episodes', ({ request: { episodes } }) => episodes?.join(' '))],
  }),
  /** A conversation that cannot be stored ends its life. */
  strict: ofRequest<boolean>()({
    type: 'switch',
    about: 'a conversation that cannot be stored ends its life, not only the questions on it',
    request: (given) => (given ? { strict: true } : {}),
    onResume: { was: ({ strict }) => strict ?? false },
    parts: [
      part('lost conversations', ({ request }) => (request.strict ? 'end their life' : undefined), {
        word: 'strict',
        label: null,
      }),
    ],
    choices: ({ request }) => [['lost conversations', request.strict ? 'end their life' : null]],
  }),
  /** Keep the store after every conversation. */
  timeline: ofRequest<boolean>()({
    type: 'switch',
    about: 'keep the store after every conversation, not only at probes',
    request: (given) => (given ? { timeline: true } : {}),
    onResume: { was: ({ timeline }) => timeline ?? false },
    choices: ({ request }) => [['timeline', request.timeline ? 'kept after every conversation' : null]],
  }),
  /** Only a part of the lives, such as `2/4`; `mergeRuns` makes one run of all parts. */
  shard: ofRequest<string>()({
    type: 'text',
    value: '<i/n>',
    about: 'only one of n parts; memscope runs merge makes one run of all',
    request: (given) => (given === undefined ? {} : { shard: shardFrom(given) }),
    onResume: { was: ({ shard }) => (shard ? `${shard.index}/${shard.of}` : 'all') },
  }),
} as const

/** One of several parts, as `2/4`. */
function shardFrom(text: string): { index: number; of: number } {
  const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (!index || !of || index > of || of > 10_000)
    throw new UserError(`Expected --shard to be one of n parts, such as 2/4, got "${text}".`)
  return { index, of }
}

/** Suites and tasks as a fingerprint has them. */
function suiteKeys({ suites: named }: RunRequest): string {
  return named.map(({ name, tasks }) => `${name}/${tasks?.join('+') ?? '*'}`).join(' ')
}
