import type { Spent } from './judge.js'
import type { Question } from './question.js'
import type { Memory } from './system.js'
import { timed, timeOf } from './trial.js'

/** An answer with what it took. */
export interface Reading {
  answer: string
  prompt: string
  tokens: { input: number; output: number }
  /** In USD; null when the price is not known. */
  cost: number | null
  /** What unusable replies took besides. Absent when there were none. */
  repairs?: Spent
  /** The reply was kept from before, so that its time says nothing. */
  kept?: boolean
}

/** What answers a question from retrieved memories. There is none in keyless runs. */
export interface Reader {
  readonly name: string
  readonly key: string
  read(
    question: Question,
    memories: readonly Memory[],
    about: { time: string; trial: number; signal?: AbortSignal },
  ): Promise<Reading>
}

/**
 * A reader by the name under which a run knows it. Answering again is a reader of its own, named with the number of the time, so that its
 * answers and grades are kept and cached apart.
 *
 * @example answerTrialOf('openai:gpt-5#3') // { reader: 'openai:gpt-5', trial: 2 }
 */
export function answerTrialOf(name: string): { reader: string; trial: number } {
  const { name: reader, trial } = timeOf(name)
  return { reader, trial }
}

/** The names of a reader that answers several times; the first is its own. */
export function answerTrials(reader: string, times: number): string[] {
  return Array.from({ length: reader === 'none' ? 1 : times }, (_, i) => timed(reader, i))
}
