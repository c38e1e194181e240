/** One option of a multiple-choice question. */
export interface Choice {
  letter: string
  text: string
}

/** One yes-or-no question about an answer. A good answer gets `expected`. */
export interface Criterion {
  id: string
  text: string
  /** `presence`: what holds now is there; `forgetting`: what no longer holds is not. */
  type: 'presence' | 'forgetting'
  expected: 'yes' | 'no'
  /** Facts it speaks of: the item and its revisions. */
  facts: string[]
  /** How the deterministic judge is to read it; derived from `text` when absent. */
  asks?: CriterionAsk
}

/** What a criterion looks for in an answer. */
export interface CriterionAsk {
  /** `recommend`: put forward, or drawn on; `avoid`: not put forward; `mention`: said at all. */
  act: 'recommend' | 'avoid' | 'mention'
  /** What the item is called. Any one form suffices. */
  forms: string[]
  /** Further things that must all be there, for criteria that bundle several values. */
  parts?: string[]
  /** Amounts that must be there, each with its unit where it has one. */
  numbers?: { value: number; unit?: string }[]
  /** Words for a standing such as "under budget", any one of which must be there, and none of `contrary`. */
  status?: { forms: string[]; contrary: string[] }
}

/** The right answer and how it is graded. */
export type Gold =
  | { kind: 'yes-no'; answer: 'yes' | 'no'; text: string }
  | { kind: 'choice'; letter: string; text: string }
  /** `closed`: what is named besides is wrong. */
  | { kind: 'list'; items: string[]; closed?: true; text: string }
  /** `lure`: an answer that somebody gives who is taken in. */
  | { kind: 'abstain'; about: string; lure?: string; text: string }
  | { kind: 'free'; text: string }
  /** From the first day to the last, as `2023-05-08`: a day, or as narrowly as it can be known. */
  | { kind: 'date'; from: string; to: string; text: string }
  /** Word for word, apart from case and spaces. */
  | { kind: 'verbatim'; text: string }
  /** All of them, from earliest to latest. `free`: they are events that may be told in any words, and no values. */
  | { kind: 'sequence'; items: string[]; free?: true; text: string }
  /** The value as it is now, stated as current; `old` values are none. `lenient`: whatever else the answer says does no harm. */
  | { kind: 'current'; value: string; forms?: string[]; old: string[]; lenient?: true; text: string }
  /** The value cannot be known any more: uncertainty, or the old value with a hedge. */
  | { kind: 'unsure'; old: string; forms?: string[]; text: string }
  /** The value was asked to be forgotten, and is not revealed. */
  | { kind: 'withheld'; value: string; forms?: string[]; text: string }
  /** Every criterion by itself; the suite makes a score of them. */
  | { kind: 'criteria'; criteria: Criterion[]; text: string }

/** What is asked at a probe. */
export interface Question {
  id: string
  task: string
  text: string
  /** What is given to `retrieve`; `text` when absent. */
  query?: string
  choices?: Choice[]
  /**
   * Alternative sets of fact ids, any one of which suffices. The first is made of what was said, and is what `oracle` gets. Empty: the
   * question needs no fact.
   */
  needs: string[][]
  /** It also suffices that these are not in the store any more, after they had been. */
  gone?: string[]
  /** Question about the same thing at an earlier probe: a pass counts as real only when that one passed too. */
  pair?: string
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

/** How a question is to be answered: with the letter of an option, with yes or no, or in words. */
export type AnswerForm = 'choice' | 'yes-no' | 'free'

/** What a reader gets to see of a question: nothing of what is right, what it needs, or what it tests. */
export interface ReaderQuestion {
  id: string
  text: string
  choices?: Choice[]
  form: AnswerForm
}

/** A question as it is put to a reader. */
export function questionForReader({ id, text, choices = [], gold }: Question): ReaderQuestion {
  if (choices.length > 0) return { id, text, choices, form: 'choice' }
  return { id, text, form: gold.kind === 'yes-no' ? 'yes-no' : 'free' }
}

/** A question as it is put to a system that answers by itself: with its options, where it has some. */
export function textWithChoices({ text, choices = [] }: Pick<Question, 'text' | 'choices'>): string {
  if (choices.length === 0) return text
  const options = choices.map((choice) => `${choice.letter}. ${choice.text}`).join('\n')
  return `${text}\nOptions:\n${options}\nEnd with the letter of one of them, as in: Answer: ${choices[0]!.letter}`
}
