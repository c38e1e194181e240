import type { Question } from './question.js'
import type { Memory } from './system.js'

/** An answer with what it took. */
export interface Reading {
  answer: string
  prompt: string
  tokens: { input: number; output: number }
  cost: number
}

/** What answers a question from retrieved memories. There is none in keyless runs. */
export interface Reader {
  readonly name: string
  readonly key: string
  read(question: Question, memories: readonly Memory[], time: string, signal?: AbortSignal): Promise<Reading>
}
