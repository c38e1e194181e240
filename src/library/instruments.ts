import { UserError, unknownName } from '../base/errors.js'
import { splitSpec } from '../base/own-file.js'
import { metered } from '../engine/bill.js'
import { checkedJudge, checkedReader } from '../engine/checked-instruments.js'
import type { AskedInstrument } from '../judges/asked.js'
import { type AskedJudge, createJudge, resolveJudge } from '../judges/registry.js'
import type { Embedder, Entailment, Judge, JudgePair, OwnPrompts, Reader, ReaderDefinition } from '../model/index.js'
import {
  ANSWER_STYLES,
  answerTrial,
  instrumentKey,
  mapJudgePair,
  readerKey,
  readReader,
  withFirstTrial,
} from '../model/index.js'
import { createReader, resolveReader } from '../readers/registry.js'
import type { Looking } from './compose.js'
import { judgeAsKept, readerAsKept } from './kept-instruments.js'
import type { Models } from './model-access.js'
import { fileIn } from './named-code.js'
import type { Parts } from './own-parts.js'

/** What readers and judges are made with. */
export interface InstrumentTools {
  embed: Embedder
  entail?: Entailment | undefined
  models: Models
  /** A user's prompts in the place of their own. */
  prompts?: OwnPrompts
}

/** A reader as it is asked for, and which time it answers, from 0. */
export interface AskedReader extends AskedInstrument<ReaderDefinition> {
  trial: number
  /** As it was typed, without which time. */
  typed: string
}

/** Readers by the names under which a run knows them, `none` left out; those that answer again have a name of their own. */
export async function resolveReaders(
  names: readonly string[],
  parts: Parts,
  looking?: Pick<Looking, 'instruments'>,
): Promise<Map<string, AskedReader>> {
  const readers = new Map<string, AskedReader>()
  for (const name of names) {
    const reader = readReader(name)
    if (!reader) continue
    const trial = answerTrial(reader)
    const typed = readerKey(withFirstTrial(reader))
    const asked = isUnknown(typed, parts.readers, looking)
      ? readerAsKept(typed, looking?.instruments)
      : await resolveReader(typed, process.cwd(), parts.readers)
    const known = instrumentKey({ name: asked.label, trial })
    if (readers.has(known)) throw new UserError(`The reader "${asked.label}" is named twice.`, 'Name each reader once.')
    readers.set(known, { ...asked, trial, typed })
  }
  return readers
}

/** The judges of a run by their names. */
export async function resolveJudges(
  names: JudgePair<string>,
  parts: Parts,
  looking?: Pick<Looking, 'instruments'>,
): Promise<JudgePair<AskedJudge>> {
  const judgeOf = async (typed: string) =>
    isUnknown(typed, parts.judges, looking)
      ? judgeAsKept(typed, looking?.instruments)
      : resolveJudge(typed, process.cwd(), parts.judges)
  return { facts: await judgeOf(names.facts), answers: await judgeOf(names.answers) }
}

/** Whether a run that is only looked at names code, or an object that is not given again. */
function isUnknown(
  typed: string,
  given: ReadonlyMap<string, unknown>,
  looking: Pick<Looking, 'instruments'> | undefined,
): boolean {
  if (!looking || given.has(splitSpec(typed).name)) return false
  return fileIn(typed).length > 0 || Object.hasOwn(looking.instruments ?? {}, typed)
}

/** The readers of a run, made by their names. */
export async function createReaders(
  asked: ReadonlyMap<string, AskedReader>,
  style: string,
  reasoning: string,
  { embed, models, prompts }: InstrumentTools,
): Promise<Map<string, Reader>> {
  const known = ANSWER_STYLES.find((candidate) => candidate === style)
  if (known === undefined) throw unknownName('answer style', style, ANSWER_STYLES)
  const readers = new Map<string, Reader>()
  for (const [name, one] of asked) {
    const reader = await createReader(one, {
      embed,
      llm: (model) => (one.content === null ? models().llm(model) : metered(models().llm(model), one.trial)),
      style: known,
      reasoning: reasoning === 'off' ? 'off' : 'default',
      prompts,
    })
    readers.set(name, again(one.content === null ? reader : checkedReader(reader), one.trial))
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
    key: instrumentKey({ name: reader.key, trial: time }),
    read: (question, memories, about) =>
      reader.read(question, memories, { ...about, trial: about.trial + TRIALS * time }),
  }
}

/**
 * The same judges as often as they are to judge: each time kept by a name and key of its own, and never answered from the cache of another.
 * A judge without a model always says the same, so it judges once; where neither has one, judging again is refused.
 */
export async function createJudges(
  asked: JudgePair<AskedJudge>,
  times: number,
  tools: InstrumentTools,
): Promise<[first: JudgePair<Judge>, ...again: JudgePair<Judge>[]]> {
  const pairOf = async (make: (side: keyof JudgePair<Judge>) => Promise<Judge>): Promise<JudgePair<Judge>> => ({
    facts: await make('facts'),
    answers: await make('answers'),
  })
  const first = await pairOf((side) => judgeFrom(asked[side], tools))
  refuseHalves(first)
  const asks = mapJudgePair(asked, ({ models }) => models.length > 0)
  if (times > 1 && !asks.facts && !asks.answers)
    throw new UserError(
      `The judge ${[...new Set([asked.facts.label, asked.answers.label])].join(' and ')} says the same every time: --judge-trials ${times} would show nothing.`,
      'Leave the flag out, or take a judge with a model, such as --judge llm:provider:model.',
    )
  const pairs: [JudgePair<Judge>, ...JudgePair<Judge>[]] = [first]
  for (let trial = 1; trial < times; trial++) {
    const pair = await pairOf(async (side) => {
      if (!asks[side]) return first[side]
      const judge = await judgeFrom(asked[side], tools, trial)
      const named = (name: string) => instrumentKey({ name, trial })
      return { ...judge, name: named(judge.name), key: named(judge.key) }
    })
    pairs.push(pair)
  }
  return pairs
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

/** A judge that was asked for, on the bill of whoever asks it. Replies of models are kept apart by `trial`, from 0. */
export async function judgeFrom(
  asked: AskedJudge,
  { embed, entail, models, prompts }: InstrumentTools,
  trial = 0,
): Promise<Judge> {
  const llm = (model: string) => metered(models().llm(model), trial)
  const judge = await createJudge(asked, { embed, ...(entail && { entail }), llm, prompts })
  return asked.content === null ? judge : checkedJudge(judge)
}
