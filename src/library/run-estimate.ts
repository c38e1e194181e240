import { duration } from '../base/figures.js'
import {
  type Estimate,
  estimateCost,
  hasBatches,
  type PlannedCalls,
  type PriceTable,
  priceTable,
} from '../gateway/index.js'
import { isRehearsed, type LlmRole, subjectKey } from '../model/index.js'
import { count } from '../report/format.js'
import { ANSWER_TOKENS, type CountedCalls, type Span, UNKNOWN_MODEL, VERDICT_TOKENS } from './call-counter.js'
import type { Workshop } from './compose.js'
import { bytesInWords, CALL_SECONDS, callsMs, type Pace, plainWorkMs, TEXT_MS } from './forecast.js'
import type { ModelAccess } from './model-access.js'
import { type PlayedRun, playRun } from './played-run.js'
import type { RunEstimate } from './types.js'

/**
 * What readers, judges and systems of a plan will ask of models, told before the first call: the run is played on models that only count.
 * What is not known, such as the length of answers, is told as a range, with what it rests on.
 *
 * @param rehearse systems with a model inside are played, too, which may take a while
 */
export async function estimateOf(
  workshop: Workshop,
  { prices, providers = {} }: ModelAccess,
  rehearse: boolean,
  pace: Pace,
): Promise<RunEstimate> {
  const inside = [...new Set(workshop.plan.subjects.flatMap(({ model }) => model ?? []))]
  const played = await playRun(workshop, rehearse)
  const { calls, texts, bytes } = played
  const asking = callsMs(calls, pace)
  const others = plainWorkMs(workshop.plan) + texts * TEXT_MS
  const seconds = { low: (asking.low + others) / 1000, high: (asking.high + others) / 1000 }
  const needs = { calls, texts, bytes, seconds }
  if (calls.length === 0 && inside.length === 0)
    return { ...needs, words: ['No model is asked: nothing to pay.', ...needsOf(needs, pace)].join('\n'), paid: false }
  const known = priceTable(prices)
  const table: Tariff = {
    prices: withRehearsals(known),
    isBatched: (model) => workshop.batch && !isRehearsed(model) && hasBatches(model, providers),
  }
  const of = (asking: LlmRole) => calls.filter(({ role, subject }) => subject === null && role === asking)
  const systems = workshop.plan.subjects.filter(({ model }) => model !== null).map(subjectKey)
  const parts: [string, CountedCalls[]][] = [
    ['Readers', of('answer')],
    ['Judges', of('judge')],
    ['Test taker', of('generate')],
    ...systems.map((name): [string, CountedCalls[]] => [name, calls.filter(({ subject }) => subject === name)]),
  ]
  const asked = parts.filter(([, own]) => own.length > 0)
  const lines = asked.map(([name, own]) => `${name}: ${wordsOf(own, table)}.`)
  if (rehearse)
    for (const name of systems) if (played.replaced.includes(name)) lines.push(`${name}: cannot be known before.`)
  if (asked.length > 1) lines.push(`Together: ${wordsOf(calls, table)}.`)
  if (!rehearse && inside.length > 0)
    lines.push(`What memory systems ask of ${inside.join(', ')} comes on top; --estimate says how much.`)
  lines.push(
    `USD by the price table of ${known.updated}${workshop.batch ? ', half of it for what goes out in batches' : ''}.`,
  )
  return { ...needs, words: [...lines, ...needsOf(needs, pace), ...groundsOf(played)].join('\n'), paid: true }
}

/** Time, disk and texts to embed, and what the time rests on. */
function needsOf({ calls, texts, bytes, seconds }: Omit<RunEstimate, 'words' | 'paid'>, { lives }: Pace): string[] {
  const [low, high] = [duration(1000 * seconds.low), duration(1000 * seconds.high)]
  const time = low === high ? low : `${low.replace('about ', '')} to ${high.replace('about ', '')}`
  const embedding = `${texts.toLocaleString('en')} texts to embed`
  const each = `${calls.length > 0 ? `${CALL_SECONDS} s a call of a model, ` : ''}${TEXT_MS} ms a text`
  return [
    `Time: ${time}; disk: ${bytesInWords(bytes)}; ${embedding}.`,
    `Assumed for the time: ${each}, ${lives} memories side by side; what is in the cache takes none.`,
  ]
}

interface Tariff {
  prices: PriceTable
  /** Whether a model is asked in batches when it answers or judges. */
  isBatched(model: string): boolean
}

/** Models that are rehearsed cost nothing. */
function withRehearsals(prices: PriceTable): PriceTable {
  return { ...prices, cost: (model, usage) => (isRehearsed(model) ? 0 : prices.cost(model, usage)) }
}

function wordsOf(counted: readonly CountedCalls[], tariff: Tariff): string {
  const [low, high] = [priced(counted, 'low', tariff), priced(counted, 'high', tariff)]
  const callsTo = (role: LlmRole) => {
    const own = counted.filter((one) => one.role === role)
    const sum = (end: keyof Span) => own.reduce((total, { calls }) => total + calls[end], 0)
    return spanWords(sum('low'), sum('high'))
  }
  const isInside = counted.every(({ subject }) => subject !== null)
  const where = isInside ? ` (${callsTo('ingest')} to store, ${callsTo('retrieve')} to retrieve)` : ''
  const calls = spanWords(low.calls, high.calls)
  const input = spanWords(low.usage.input, high.usage.input)
  const output = spanWords(low.usage.output, high.usage.output)
  return `${calls} calls${where}, ${input} tokens in, ${output} out, ${moneyWords(low, high)}`
}

function priced(counted: readonly CountedCalls[], end: keyof Span, { prices, isBatched }: Tariff): Estimate {
  const planned = counted.map(({ role, model, calls, input, output }): PlannedCalls => {
    const count = calls[end]
    const each = (all: Span) => (count === 0 ? 0 : all[end] / count)
    const batched = (role === 'answer' || role === 'judge') && isBatched(model)
    return { role, model, calls: count, input: each(input), output: each(output), batched }
  })
  return estimateCost(planned, prices)
}

/** One number where both ends are within a tenth of each other, else both. */
function spanWords(one: number, other: number): string {
  const [low, high] = [Math.min(one, other), Math.max(one, other)]
  return high <= low * 1.1 ? `about ${count((low + high) / 2)}` : `${count(low)} to ${count(high)}`
}

function moneyWords(low: Estimate, high: Estimate): string {
  if (low.cost === null || high.cost === null) return `price unknown for ${high.unpriced.join(', ')}`
  const [from, to] = [Math.min(low.cost, high.cost), Math.max(low.cost, high.cost)]
  return to <= from * 1.1 || to.toFixed(2) === from.toFixed(2)
    ? `about $${((from + to) / 2).toFixed(2)}`
    : `$${from.toFixed(2)} to $${to.toFixed(2)}`
}

/** What the numbers rest on, a sentence a line. */
function groundsOf({ calls, lives, rehearsed, replaced, failures }: PlayedRun): string[] {
  const some = lives.filter(({ played, all }) => played < all)
  const played = some.map((one) => `${one.played} of ${one.all} lives of ${one.suite}`).join(', ')
  const factors = `from ${UNKNOWN_MODEL.low} to ${UNKNOWN_MODEL.high} times`
  const rough = `tokens are ${factors} those of the rehearsal`
  const plain = 'that keeps everything as said and finds by words'
  const tokens = ({ low, high }: Span) => `${low} to ${high}`
  const grounds: [when: boolean, words: string][] = [
    [true, 'Counted by playing the run on models that only count, as if no reply were in the cache.'],
    [some.length > 0, `Played: ${played}, from the shortest to the longest; the others are taken to be like them.`],
    [
      calls.some(({ subject }) => subject === null),
      `Assumed: answers of ${tokens(ANSWER_TOKENS)} tokens, which judges read, and ${tokens(VERDICT_TOKENS)} for each verdict; reasoning comes on top.`,
    ],
    [
      rehearsed.length > 0,
      `What the models in ${rehearsed.join(', ')} will say is not known: ${rough}, also where readers and judges see what they stored.`,
    ],
    [
      replaced.length > 0,
      `Not played: ${replaced.join(', ')}. What readers and judges see of it is taken to be ${factors} what a memory gives ${plain}.`,
    ],
  ]
  return [
    ...grounds.flatMap(([when, words]) => (when ? [words] : [])),
    ...failures.map((failure) => `It failed while it was played, so that something is missing here: ${failure}`),
  ]
}
