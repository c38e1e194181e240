import type { Interval } from '../base/intervals.js'

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

/** A number that is made of results. */
export interface Score {
  name: string
  /** The part of the questions it speaks of, when not all. */
  subset?: string
  /** Null: it could not be measured. */
  value: number | null
  /** What it would be if every uncertain verdict went one way or the other; absent when that changes nothing. */
  bounds?: Interval
}

/** A score that a suite gives. */
export interface ScoreInfo {
  name: string
  about: string
  /** The score that tells what an empty answer gets of this one. */
  floor?: string
  /** Not told in the sentence over all tasks: sums, counts, and what is told beside another. */
  aside?: true
  /** It is money, and no share. */
  unit?: 'usd'
}

/** A score as it is written where it has one name: `recall[short]`. */
export function scoreName({ name, subset }: Pick<Score, 'name' | 'subset'>): string {
  return subset === undefined ? name : `${name}[${subset}]`
}

/** The value of a score by its name and subset; null when it was not measured or is not there. */
export function scoreValue(scores: readonly Score[], name: string, subset?: string): number | null {
  return scores.find((score) => score.name === name && score.subset === subset)?.value ?? null
}

/** Scores by the names they are written with. */
export function scoresByName(scores: readonly Score[]): Record<string, number | null> {
  return Object.fromEntries(scores.map((score) => [scoreName(score), score.value]))
}

/** A list of scores from values by name. */
export function scoresOf(values: Record<string, number | null>, subset?: string): Score[] {
  return Object.entries(values).map(([name, value]) => ({ name, ...(subset !== undefined && { subset }), value }))
}
