import { UserError, unknownName } from '../base/errors.js'
import { metered } from '../engine/bill.js'
import { createGateway, type Gateway, type RetryPolicy } from '../gateway/index.js'
import { configOf, parseSpec, resolveEndpoint } from '../gateway/providers/catalog.js'
import { createHybrid } from '../judges/hybrid/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { createLlmJudge } from '../judges/llm/index.js'
import { judgePromptsWith } from '../judges/llm/judge-prompts.js'
import { createPanel } from '../judges/panel/index.js'
import { createPaperJudge } from '../judges/paper/index.js'
import {
  answerTrialOf,
  type Embedder,
  type Judge,
  type JudgePair,
  type OwnPrompts,
  ofBoth,
  type Reader,
  timed,
} from '../model/index.js'
import { ANSWER_STYLES, type AnswerStyle, createReader } from '../readers/llm/index.js'
import { readerPromptsWith } from '../readers/llm/reader-prompts.js'
import type { Flags, Typed } from './args.js'
import type { Home } from './compose.js'

/** Flags that say how models are reached and what they may cost. None of them changes what is measured. */
export const MODEL_FLAGS: Flags = {
  budget: { type: 'text', value: '<usd>', about: 'most that may be spent; nothing is asked beyond it' },
  record: { type: 'text', value: '<file>', about: 'keep all traffic with models in a cassette' },
  replay: { type: 'text', value: '<file>', about: 'answer from a cassette; never touches the network' },
  prices: { type: 'text', value: '<file>', about: 'prices of your own, over the bundled table' },
  'llm-concurrency': { type: 'text', value: '<n>', about: 'most calls of one model at a time (default 16)' },
  'llm-timeout': { type: 'text', value: '<s>', about: 'longest wait for one reply, in seconds (default 180)' },
}

/** Time for one call over all its tries, unless tries are given more. */
const DEADLINE_MS = 600_000

/** Where models are had by name. */
export type Models = () => Pick<Gateway, 'llm'>

/** How models are reached. */
export interface ModelAccess {
  budgetUsd?: number
  cassette?: { mode: 'record' | 'replay'; file: string }
  prices?: string
  concurrency?: number
  timeoutMs?: number
  /** No call is made and no key needed: for estimates. */
  offline?: boolean
  /** Keys and base URLs are needed only when a model is really asked: for runs of which all may be kept. */
  lazily?: boolean
}

export function modelAccess({ text }: Typed): ModelAccess {
  if (text.record !== undefined && text.replay !== undefined)
    throw new UserError('--record and --replay exclude each other.')
  const budgetUsd = text.budget === undefined ? undefined : Number(text.budget)
  if (budgetUsd !== undefined && !(budgetUsd >= 0))
    throw new UserError(`Expected --budget to be an amount in USD, got "${text.budget}".`)
  const concurrency = text['llm-concurrency'] === undefined ? undefined : Number(text['llm-concurrency'])
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new UserError(`Expected --llm-concurrency to be a whole number from 1 up, got "${text['llm-concurrency']}".`)
  }
  const seconds = text['llm-timeout'] === undefined ? undefined : Number(text['llm-timeout'])
  if (seconds !== undefined && !(seconds > 0 && seconds <= 86_400)) {
    throw new UserError(`Expected --llm-timeout to be a number of seconds above 0, got "${text['llm-timeout']}".`)
  }
  const file = text.record ?? text.replay
  return {
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(file !== undefined && {
      cassette: { mode: text.record === undefined ? ('replay' as const) : ('record' as const), file },
    }),
    ...(text.prices !== undefined && { prices: text.prices }),
    ...(concurrency !== undefined && { concurrency }),
    ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
  }
}

/** @param account whose spending the budget counts: the run, over all its sittings */
export function openGateway(access: ModelAccess, home: Home, account: string, log: (message: string) => void): Gateway {
  return createGateway({
    env: process.env,
    cacheDir: access.offline ? null : home.cache,
    ...(access.offline && { mode: 'offline' }),
    ...(access.lazily && { lazily: true }),
    ...(access.cassette && { mode: access.cassette.mode, cassette: access.cassette.file }),
    ...(access.prices !== undefined && { prices: access.prices }),
    ...(access.budgetUsd !== undefined && { budgetUsd: access.budgetUsd, account }),
    ...(access.concurrency !== undefined && { concurrency: access.concurrency }),
    ...(access.timeoutMs !== undefined && { deadlines: deadlinesFor(access.timeoutMs) }),
    log,
  })
}

/** A call gets time for several tries, whatever one may take. */
function deadlinesFor(attemptMs: number): Partial<RetryPolicy> {
  return { attemptMs, deadlineMs: Math.max(DEADLINE_MS, 4 * attemptMs) }
}

/** A mistake in a model's name, or a missing key, is told before anything is opened or written. Cassettes and estimates need no keys. */
export function checkModels(specs: readonly string[], access: ModelAccess): void {
  for (const spec of specs) {
    const { provider } = parseSpec(spec)
    if (provider === 'scripted' || access.cassette?.mode === 'replay') continue
    if (access.lazily) continue
    if (access.offline) configOf(provider, {}, process.env)
    else resolveEndpoint(provider, {}, process.env)
  }
}

/** The models a judge is made of, by its name. */
export function modelsOfJudge(name: string): string[] {
  const [, kind, rest = ''] = /^(\w+):(.+)$/.exec(name) ?? []
  return kind === undefined ? [] : (kind === 'panel' ? rest.split(',') : [rest]).filter((model) => model !== 'lexical')
}

export function createReaders(
  names: readonly string[],
  style: string,
  reasoning: string,
  gateway: Models,
  own?: OwnPrompts,
): Map<string, Reader> {
  if (!(ANSWER_STYLES as readonly string[]).includes(style)) throw unknownName('answer style', style, ANSWER_STYLES)
  const readers = new Map<string, Reader>()
  const prompts = readerPromptsWith(own)
  for (const name of names) {
    if (name === 'none') continue
    const options = {
      style: style as AnswerStyle,
      reasoning: reasoning === 'off' ? ('off' as const) : ('default' as const),
      prompts,
    }
    const { reader, trial } = answerTrialOf(name)
    readers.set(name, again(createReader(gateway().llm(reader), options), trial))
  }
  return readers
}

/** Ingest trials that fit between two times of answering. */
const TRIALS = 1000

/** The same reader another time: kept by a key of its own, and never answered from the cache of the first. */
function again(reader: Reader, time: number): Reader {
  if (time === 0) return reader
  return {
    name: reader.name,
    key: timed(reader.key, time),
    read: (question, memories, about) =>
      reader.read(question, memories, { ...about, trial: about.trial + TRIALS * time }),
  }
}

const JUDGES = ['lexical', 'llm:provider:model', 'panel:a,b,c', 'hybrid:provider:model', 'paper:provider:model']

/**
 * The same judges as often as they are to judge: each time kept by a name and key of its own, and never answered from the cache of another.
 * A judge without a model always says the same, so it judges once; where neither has one, judging again is refused.
 */
export function createJudges(
  names: JudgePair<string>,
  times: number,
  embed: Embedder,
  gateway: Models,
  own?: OwnPrompts,
): [first: JudgePair<Judge>, ...again: JudgePair<Judge>[]] {
  const first = ofBoth(names, (name) => createJudge(name, embed, gateway, 0, own))
  refuseHalves(first)
  const asks = ofBoth(names, (name) => modelsOfJudge(name).length > 0)
  if (times > 1 && !asks.facts && !asks.answers) {
    throw new UserError(
      `The judge ${[...new Set([names.facts, names.answers])].join(' and ')} says the same every time: --judge-trials ${times} would show nothing.`,
      'Leave the flag out, or take a judge with a model, such as --judge llm:provider:model.',
    )
  }
  const again = Array.from({ length: times - 1 }, (_, i) => {
    const once = (side: keyof JudgePair<Judge>): Judge => {
      if (!asks[side]) return first[side]
      const judge = createJudge(names[side], embed, gateway, i + 1, own)
      return { ...judge, name: timed(judge.name, i + 1), key: timed(judge.key, i + 1) }
    }
    return { facts: once('facts'), answers: once('answers') }
  })
  return [first, ...again]
}

/** A judge that goes by question decides facts and answers in one: no other can have a half of it. */
function refuseHalves({ facts, answers }: JudgePair<Judge>): void {
  const whole = [facts, answers].find(({ judgeQuestions }) => judgeQuestions !== undefined)
  if (!whole || facts.key === answers.key) return
  throw new UserError(
    `The judge ${whole.name} goes by question and decides facts and answers in one: facts by ${facts.name} and answers by ${answers.name} cannot be.`,
    'Name it with --judge alone, or take other judges for --fact-judge and --answer-judge.',
  )
}

/**
 * A judge by its name, such as `hybrid:openai:gpt-5-mini`.
 *
 * @param trial which time it judges, from 0; replies of models are kept apart by it
 * @param own a user's prompts for judges with models of no fixed protocol
 */
export function createJudge(name: string, embed: Embedder, gateway: Models, trial = 0, own?: OwnPrompts): Judge {
  // On the bill of whoever asks, so that every verdict can say what it took.
  const llm = (model: string) => metered(gateway().llm(model), trial)
  const prompts = judgePromptsWith(own)
  if (name === 'lexical') return createLexicalJudge({ embed })
  const [, kind, rest] = /^(\w+):(.+)$/.exec(name) ?? []
  switch (kind) {
    case 'llm':
      return createLlmJudge(llm(rest!), { prompts })
    case 'hybrid':
      return createHybrid(createLexicalJudge({ embed }), llm(rest!), { prompts })
    case 'paper':
      return createPaperJudge(llm(rest!))
    case 'panel':
      return createPanel(
        rest!
          .split(',')
          .map((member) =>
            member === 'lexical' ? createLexicalJudge({ embed }) : createLlmJudge(llm(member), { prompts }),
          ),
      )
    default:
      throw unknownName('judge', name, JUDGES)
  }
}
