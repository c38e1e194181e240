import type { Spent } from './judge.js'
import type { Question } from './question.js'
import type { Memory } from './system.js'

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
