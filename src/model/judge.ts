import type { Fact } from './fact.js'
import type { Question } from './question.js'
import type { Memory } from './system.js'

/** What became of a fact in a store: no version of it, a damaged one, or one from which it can be recovered exactly. */
export type FactLabel = 'not_stored' | 'summary_error' | 'correct'

/** A share of what models took: tokens in and out, and USD (null when a price is not known), as if nothing had been cached. */
export interface Spent {
  tokens: number
  cost: number | null
}

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
  /** What each judge of a panel said. */
  votes?: { judge: string; label: FactLabel }[]
  /** Its equal share of the calls it came from. Absent when no model was asked. */
  took?: Spent
  /** Its equal share of what unusable replies took besides. Absent when there were none. */
  repairs?: Spent
  /** Milliseconds that the call took from which it came; absent when all replies were kept from before. */
  ms?: number
}

/** Some facts could not be judged. Those that could keep their verdicts; the others are errors, never losses of the memory. */
export class UnjudgedError extends Error {
  /**
   * @param verdicts on the facts that could be judged, in their order
   * @param failures the others, with why there is no verdict
   */
  constructor(
    readonly verdicts: readonly FactVerdict[],
    readonly failures: readonly { fact: string; reason: string }[],
  ) {
    super(`No verdict on ${failures.length} facts. ${failures[0]?.fact}: ${failures[0]?.reason}`)
    this.name = 'UnjudgedError'
  }
}

/** A judge's word on one answer. `error` when no verdict could be had. */
export type AnswerVerdict =
  | ({ grade: 'right' | 'wrong'; uncertain: boolean; reason: string; votes?: AnswerVote[] } & AnswerDetail)
  | ({ grade: 'error'; reason: string; votes?: AnswerVote[] } & Pick<AnswerDetail, 'criteria'>)

/** What a grade is made of, where there is more to it than right or wrong. */
export interface AnswerDetail {
  /** It uses what no longer holds. */
  stale?: boolean
  /** Share of what was asked for, 0 to 1, by name of the measure, such as `partial`. */
  credit?: Record<string, number>
  /** One verdict for every criterion of the gold, in their order. */
  criteria?: CriterionVerdict[]
}

/** A judge's word on one criterion. */
export interface CriterionVerdict {
  id: string
  /** Null: no verdict could be had. That is neither a yes nor a no. */
  answer: 'yes' | 'no' | null
  uncertain: boolean
  reason: string
  /** The judge looked, and could not tell. */
  unclear?: true
  /** What each judge of a panel said; null where its reply could not be used. */
  votes?: { judge: string; answer: 'yes' | 'no' | 'unclear' | null }[]
}

/** What one judge of a panel said of an answer. */
export interface AnswerVote {
  judge: string
  grade: 'right' | 'wrong' | 'error'
}

/** An answer to be graded, with the facts its question needs, or tempts a reader to use. */
export interface AnswerCase {
  question: Question
  answer: string
  facts: readonly Fact[]
  /** Scenario time at which it was asked. */
  time?: string
}

/** A question with all that its judgement rests on, for judges that go by question. */
export interface QuestionCase extends AnswerCase {
  /** What was retrieved for it, best first. */
  retrieved: readonly Memory[]
  /** The grade by the suite's own rule, where it has one: nobody needs to read the answer then. */
  graded: AnswerVerdict | null
}

/** How far one fact came on the way to one answer. Null: not looked at, for an earlier stage had failed. */
export interface FactStages {
  fact: string
  stored: boolean
  faithful: boolean | null
  retrieved: boolean | null
  /** One sentence for people, on the last stage that was looked at. */
  reason: string
}

/** A judge's word on a question as a whole. */
export interface QuestionVerdict {
  /** Of the facts of the case, in their order; empty when they could not be judged. */
  stages: FactStages[]
  /** Null: the answer was not read, for a stage before it had failed. */
  answer: AnswerVerdict | null
}

/** What a store tells of a question beyond the stages of its facts, by name: whether a series can still be put in order, and the like. */
export type StoreSide = Readonly<Record<string, string>>

/** A question with the store it was asked of. */
export interface StoreCase {
  question: Question
  /** What this judge said of a fact in that store. */
  verdictOf(fact: string): FactVerdict | undefined
  /** What the store holds. Read when asked for. */
  memories(): Promise<readonly Memory[]>
}

/** One for facts and one for answers, whose criteria are answers: judges, their names or their keys. */
export interface JudgePair<T> {
  facts: T
  answers: T
}

/** One judge for facts and answers alike. */
export function oneForBoth<T>(judge: T): JudgePair<T> {
  return { facts: judge, answers: judge }
}

/** The same of both judges, such as their names. */
export function ofBoth<T, U>({ facts, answers }: JudgePair<T>, of: (one: T) => U): JudgePair<U> {
  return { facts: of(facts), answers: of(answers) }
}

/** Decides what became of facts and whether answers are right. */
export interface Judge {
  /** `lexical`, `llm:provider:model`, … */
  readonly name: string
  /** Changes whenever a verdict may change: version, prompts, models. Part of every verdict key. */
  readonly key: string
  /** In the order of the facts. Throws an `UnjudgedError` when some of them cannot be judged. */
  judgeFacts(facts: readonly Fact[], store: readonly Memory[], signal?: AbortSignal): Promise<FactVerdict[]>
  /** What a store tells of a question beyond its facts; nothing of most questions. Asked once its facts are judged. */
  judgeStore?(item: StoreCase, signal?: AbortSignal): Promise<StoreSide>
  judgeAnswer(question: Question, answer: string, signal?: AbortSignal): Promise<AnswerVerdict>
  /** Many answers at once, for judges to whom calls are dear. In the order of the items. */
  judgeAnswers?(items: readonly AnswerCase[], signal?: AbortSignal): Promise<AnswerVerdict[]>
  /**
   * For protocols that decide every stage anew for every question and depth. A judge that has it is asked nothing else, and needs a reader.
   * In the order of the items, which share one store.
   */
  judgeQuestions?(
    store: readonly Memory[],
    items: readonly QuestionCase[],
    signal?: AbortSignal,
  ): Promise<QuestionVerdict[]>
}
