import type { Plan } from '../engine/plan.js'
import { conversationsOf } from '../model/index.js'
import type { CountedCalls, Span } from './call-counter.js'

/** Seconds of one call of a model that are assumed. */
export const CALL_SECONDS = 2

/** Milliseconds of embedding one text on this machine, with WebAssembly on two cores. */
export const TEXT_MS = 55

/** Calls of one model at a time, unless told otherwise. */
const CALLS_AT_A_TIME = 16

/**
 * Work without models, in milliseconds of one core: to begin, for a thousand characters that a memory is told, and for a question at one depth.
 * Measured over runs of all suites with bm25, of which they tell from 0.6 to 1.2 times.
 */
const START_MS = 1_500
const MS_PER_THOUSAND = 2
const MS_PER_QUESTION = 0.4

/** How much goes on at a time. */
export interface Pace {
  /** Memories side by side. */
  lives: number
  /** Calls of one model; 16 unless told. */
  calls?: number | undefined
}

/** Milliseconds of everything that needs no model: storing and judging what is said, and asking. All of it is done by one core. */
export function plainWorkMs({ lives }: Pick<Plan, 'lives'>): number {
  return lives.reduce((sum, life) => {
    const questions = life.asks.reduce((n, { depths }) => n + depths.length, 0)
    return sum + (lengthOf(life) / 1000) * MS_PER_THOUSAND + questions * MS_PER_QUESTION
  }, START_MS)
}

const lengths = new WeakMap<object, number>()

/** Characters that a memory is told in a life. */
export function lengthOf({ scenario }: Pick<Plan['lives'][number], 'scenario'>): number {
  const said = () => conversationsOf(scenario).flatMap(({ turns }) => turns)
  const length = lengths.get(scenario) ?? said().reduce((sum, { text }) => sum + text.length, 0)
  lengths.set(scenario, length)
  return length
}

/**
 * Milliseconds that calls of models take at a pace. A memory stores one conversation after another, so that no more calls go on while storing
 * than there are memories side by side; models do not wait for each other.
 */
export function callsMs(counted: readonly CountedCalls[], { lives, calls = CALLS_AT_A_TIME }: Pace): Span {
  const models = [...new Set(counted.map(({ model }) => model))]
  const of = (end: keyof Span) =>
    Math.max(
      0,
      ...models.map((model) =>
        counted
          .filter((one) => one.model === model)
          .reduce((sum, one) => {
            const atATime = Math.min(calls, one.role === 'ingest' ? lives : calls)
            return sum + (one.calls[end] / atATime) * CALL_SECONDS * 1000
          }, 0),
      ),
    )
  const [low, high] = [of('low'), of('high')]
  return { low: Math.min(low, high), high: Math.max(low, high) }
}

/** Bytes in words: `about 12 MB`. */
export function bytesInWords(bytes: number): string {
  const megabytes = bytes / 1e6
  if (megabytes < 10) return `about ${megabytes.toFixed(1)} MB`
  return megabytes < 1000 ? `about ${Math.round(megabytes)} MB` : `about ${(megabytes / 1000).toFixed(1)} GB`
}
