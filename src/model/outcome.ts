/**
 * Outcomes in which a question failed, worst first. `unavailable`: not everything needed was retrieved, and the memory cannot be looked into,
 * so that nobody can say at which stage it was lost.
 */
export const FAILURES = [
  'not_stored',
  'summary_error',
  'not_retrieved',
  'unavailable',
  'stale_memory',
  'stale_answer',
  'reasoning_error',
] as const

export type Failure = (typeof FAILURES)[number]

/** Where a question ended, worst first. `answerable` stands for `correct` when there is no reader. */
export const OUTCOMES = [...FAILURES, 'correct', 'answerable', 'error'] as const

export type Outcome = (typeof OUTCOMES)[number]
