import type { Fact } from './fact.js'
import type { Question } from './question.js'
import type { Memory } from './system.js'

/** What became of a fact in a store: no version of it, a damaged one, or one from which it can be recovered exactly. */
export type FactLabel = 'not_stored' | 'summary_error' | 'correct'

/** A judge's word on one fact in one store. */
export interface FactVerdict {
  fact: string
  label: FactLabel
  /** The label is the best guess, but the judge would ask somebody else. */
  uncertain: boolean
  /**
   * Alternative sets of memory ids. For `correct`, a fact is retrieved when all memories of one set are. For `summary_error` the sets
   * hold the damaged versions. Empty for `not_stored`.
   */
  support: string[][]
  /** One sentence for people. */
  reason: string
  /** Passages of supporting memories to highlight. */
  quotes: { memory: string; text: string }[]
}

/** A judge's word on one answer. `error` when no verdict could be had. */
export type AnswerVerdict =
  | { grade: 'right' | 'wrong'; uncertain: boolean; reason: string }
  | { grade: 'error'; reason: string }

/** An answer to be graded, with the facts its question needs, or tempts a reader to use. */
export interface AnswerCase {
  question: Question
  answer: string
  facts: readonly Fact[]
}

/** Decides what became of facts and whether answers are right. */
export interface Judge {
  /** `lexical`, `llm:provider:model`, … */
  readonly name: string
  /** Changes whenever a verdict may change: version, prompts, models. Part of every verdict key. */
  readonly key: string
  judgeFacts(facts: readonly Fact[], store: readonly Memory[], signal?: AbortSignal): Promise<FactVerdict[]>
  judgeAnswer(question: Question, answer: string, signal?: AbortSignal): Promise<AnswerVerdict>
  /** Many answers at once, for judges to whom calls are dear. In the order of the items. */
  judgeAnswers?(items: readonly AnswerCase[], signal?: AbortSignal): Promise<AnswerVerdict[]>
}
