/** One option of a multiple-choice question. */
export interface Choice {
  letter: string
  text: string
}

/** The right answer and how it is graded. */
export type Gold =
  | { kind: 'yes-no'; answer: 'yes' | 'no'; text: string }
  | { kind: 'choice'; letter: string; text: string }
  | { kind: 'list'; items: string[]; text: string }
  | { kind: 'abstain'; about: string; text: string }
  | { kind: 'free'; text: string }

/** What is asked at a probe. */
export interface Question {
  id: string
  task: string
  text: string
  /** What is given to `retrieve`; `text` when absent. */
  query?: string
  choices?: Choice[]
  /** Alternative sets of fact ids, any one of which suffices. Empty: the question needs no fact. */
  needs: string[][]
  /** Facts about somebody else that the question tempts a reader to use. */
  tempting?: string[]
  /** Ids of facts that are outdated for this question. */
  outdated: string[]
  gold: Gold
  /** What reports break results down by, such as `N`, `K` or `condition type`. */
  tags: Record<string, string>
  /** Defects of a published row that were kept, in words. */
  flags?: string[]
}

/** What a memory system gets to see of a question. */
export interface Query {
  id: string
  text: string
  /** Scenario time at which the question is asked. */
  time: string
}
