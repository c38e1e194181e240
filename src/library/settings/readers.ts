import { UserError } from '../../base/errors.js'
import { isOwnFile } from '../../base/own-file.js'
import { wholeNumber } from '../../base/whole-number.js'
import type { RunRequest } from '../../engine/plan.js'
import { TAKER_VERSION } from '../../engine/taker.js'
import {
  answerTrial,
  instrumentKey,
  type OwnPrompts,
  REASONING_EFFORTS,
  type ReasoningEffort,
  readerKey,
  readReader,
  withFirstTrial,
} from '../../model/index.js'
import type { AskedSuite } from '../asked-suites.js'
import { readerPromptFrom, requireSamePrompts } from '../prompts.js'
import type { ReaderObject, Several } from '../types.js'
import { ofRequest, part, type ToldPlan } from './setting.js'
import { listOf, oneOf } from './values.js'

/** Most times that readers answer, or a judge judges. */
export const MOST_TRIALS = 100

/** What `--reasoning` may say of readers. */
const REASONING = ['default', ...REASONING_EFFORTS] as const

/** Who answers, and how they are asked. */
export const READERS = {
  /** `provider:model`, files or objects; `none` unless given. */
  reader: ofRequest<Several<string | ReaderObject>>()({
    type: 'list',
    value: '<names>',
    about: 'what answers from the memories: provider:model, ./my-reader.ts, or none (default)',
    request: (given, { parts }) => ({ readers: parts.names(given) ?? [readerKey(null)] }),
    onResume: { was: ({ readers }) => basesOf(readers) },
    parts: [
      part('readers', ({ readers }) => Object.values(readers).join(' ') || readerKey(null), {
        word: 'reader',
        label: 'exact readers',
      }),
    ],
    choices: ({ request: { readers } }) => [['readers', basesOf(readers).join(', ')]],
  }),
  /** How readers are asked to answer. */
  answerStyle: ofRequest<'auto' | 'free' | 'yes-no' | 'choice'>('auto')({
    type: 'text',
    value: '<style>',
    about: 'how readers answer: auto, free, yes-no, choice',
    request: (answerStyle) => ({ answerStyle }),
    onResume: { was: ({ answerStyle }) => answerStyle },
    choices: (told) => [['answer style', isRead(told) ? told.request.answerStyle : null]],
  }),
  /** How much readers reason; several make a reader of each. */
  reasoning: ofRequest<Several<'default' | ReasoningEffort>>()({
    type: 'list',
    value: '<efforts>',
    about: 'how much readers reason: off, default, minimal, low, medium, high; off,default compares',
    request: (given, { sofar, suites, isFresh }) => {
      const found = reasoningReaders(sofar.readers ?? [], given)
      const taker = isFresh ? takerAmong(found.readers, suites, sofar.extra ?? {}) : undefined
      return { ...found, ...(taker !== undefined && { taker }) }
    },
    onResume: { was: effortsOf, now: (_, given) => [...new Set(listOf(given))].sort() },
    parts: [part('test taker', ({ request: { taker } }) => taker && `${taker} v${TAKER_VERSION}`, { word: 'reader' })],
    choices: (told) => [
      ['test taker', told.request.taker ?? null],
      ['reasoning', isRead(told) ? told.request.reasoning : null],
    ],
  }),
  /** What readers are told: a file of sections to replace, its text, `careful` or `default`. */
  readerPrompt: ofRequest<string | OwnPrompts>()({
    type: 'text',
    value: '<file>',
    about: 'what readers are told: a file of sections to replace, careful, or default; see models --prompts reader',
    request: async (given, { sofar, parts, isFresh }) => {
      const found = await readerPromptFrom(given, isFresh ? (sofar.readers ?? []) : null, parts)
      return found ?? {}
    },
    onResume: {
      was: ({ readerPrompt }) => readerPrompt?.name ?? 'default',
      refuse: (kept, asked) => requireSamePrompts('reader-prompt', kept.readerPrompt, asked.readerPrompt),
    },
    choices: (told) => [['reader prompt', isRead(told) ? told.prompts.reader : null]],
  }),
  /** How often readers answer over each memory. */
  answerTrials: ofRequest<number>(1)({
    type: 'text',
    value: '<n>',
    about: 'how often readers answer over each memory',
    request: (given, { sofar }) => {
      const times = wholeNumber('answer-trials', given, 1, MOST_TRIALS)
      return { readers: (sofar.readers ?? []).flatMap((reader) => answerTrials(reader, times)) }
    },
    onResume: { was: ({ readers }) => timesIn(readers), now: (_, given) => Number(given) },
    choices: (told) => [['answer trials', isRead(told) ? String(timesIn(told.request.readers)) : null]],
  }),
} as const

/**
 * Readers as often as there are efforts to compare: each but the default is a reader of its own, whose name says how much it reasons. `off` or
 * `default` alone is a setting of all.
 */
export function reasoningReaders(
  names: readonly string[],
  asked: Several<'default' | ReasoningEffort> | undefined,
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

/** How much readers of a run reason, as it was asked. */
function effortsOf({ readers, reasoning }: RunRequest): string[] {
  const written = new RegExp(`\\+(${REASONING_EFFORTS.join('|')})$`)
  const efforts = basesOf(readers).map((reader) => written.exec(reader)?.[1] ?? reasoning)
  return [...new Set(efforts)].sort()
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

function isRead({ request: { readers } }: ToldPlan): boolean {
  return readers.some((reader) => readReader(reader) !== null)
}

/** The model that replies to what is told, where a suite is set so: the first that reads. */
function takerAmong(
  readers: readonly string[],
  suites: readonly AskedSuite[],
  extra: Readonly<Record<string, string>>,
): string | undefined {
  const wanted = suites
    .flatMap(({ suite }) => Object.entries(suite.flags).map(([name, flag]) => ({ suite: suite.name, name, ...flag })))
    .find(({ name, taker }) => taker !== undefined && extra[name] === taker)
  if (!wanted) return undefined
  const taker = readers.find((name) => readReader(name) !== null && !isOwnFile(name))
  if (taker !== undefined) return taker
  throw new UserError(
    `${wanted.suite}:${wanted.name}=${wanted.taker} needs a model that takes the test.`,
    'Name one with --reader provider:model: it replies to what is told, and answers the questions.',
  )
}
