import type { Fact } from './fact.js'
import type { Question } from './question.js'
import type { Memory } from './system.js'
import type { AnswerVerdict, FactVerdict, QuestionVerdict, StoreSide } from './verdict.js'

/** Some facts could not be judged. Those that could keep their verdicts, in their order; the others are errors, never losses of the memory. */
export class UnjudgedError extends Error {
  constructor(
    readonly verdicts: readonly FactVerdict[],
    readonly failures: readonly { fact: string; reason: string }[],
  ) {
    super(`No verdict on ${failures.length} facts. ${failures[0]?.fact}: ${failures[0]?.reason}`)
    this.name = 'UnjudgedError'
  }
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
export function sameJudgePair<T>(judge: T): JudgePair<T> {
  return { facts: judge, answers: judge }
}

/** The same of both judges, such as their names. */
export function mapJudgePair<T, U>({ facts, answers }: JudgePair<T>, of: (one: T) => U): JudgePair<U> {
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
