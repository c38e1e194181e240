/** How far a fact came at one depth: the last stage it reached, or the one that lost it. `unseen`: nobody can tell which. */
export const FACT_ENDS = ['not_stored', 'damaged', 'not_retrieved', 'unseen', 'unused', 'retrieved', 'used'] as const

export type FactEnd = (typeof FACT_ENDS)[number]

/** A question of a run, however many systems it was asked of. */
export interface IndexedQuestion {
  id: string
  scenario: string
  /** Place in `tasks`. */
  task: number
  text: string
}

/**
 * A question as one system was asked it. `outcomes` has one sign for every depth: a digit is a place in `OUTCOMES`, `-` what cannot be measured,
 * a space a depth that was not asked. Of each fact in the same way: digits are places in `FACT_ENDS`.
 */
export interface IndexedRow {
  question: number
  contestant: number
  trial: number
  /** Which time somebody answered, from 0. */
  time: number
  outcomes: string
  uncertain: boolean
  facts: [fact: number, ends: string][]
}

/** Every question of a run in few bytes, for lists that hold all of them. */
export interface RunIndex {
  depths: string[]
  tasks: string[]
  /** At which depth each task is shown unless one is named; null where systems have fixed ones. */
  shown: (string | null)[]
  contestants: string[]
  questions: IndexedQuestion[]
  facts: { id: string; text: string }[]
  rows: IndexedRow[]
}
