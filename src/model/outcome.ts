/** Where a question ended, worst first. `answerable` stands for `correct` when there is no reader. */
export const OUTCOMES = [
  'not_stored',
  'summary_error',
  'not_retrieved',
  'stale_memory',
  'reasoning_error',
  'correct',
  'answerable',
  'error',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** Outcomes in which a stage broke. */
export const FAILURES = ['not_stored', 'summary_error', 'not_retrieved', 'stale_memory', 'reasoning_error'] as const

export type Failure = (typeof FAILURES)[number]
