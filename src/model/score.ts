/** A number that is made of results. */
export interface Score {
  name: string
  /** The part of the questions it speaks of, when not all. */
  subset?: string
  /** Null: it could not be measured. */
  value: number | null
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

/**
 * A score as it is written where it has one name.
 *
 * @example scoreName({ name: 'recall', subset: 'short' }) // 'recall[short]'
 */
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

/**
 * A list of scores from values by name.
 *
 * @example scoresOf({ recall: 0.5 }, 'short') // [{ name: 'recall', subset: 'short', value: 0.5 }]
 */
export function scoresOf(values: Record<string, number | null>, subset?: string): Score[] {
  return Object.entries(values).map(([name, value]) => ({ name, ...(subset !== undefined && { subset }), value }))
}
