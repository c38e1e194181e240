import { cohen, type Interval, wilson } from '../base/intervals.js'

/** A label with what a judge said of the same thing; null where it gave no verdict. */
export interface Labelled<L extends string> {
  label: L
  given: L | null
  uncertain: boolean
}

/** A share of things that were right, with its 95 % interval; null when there is nothing to compare. */
export interface RightShare {
  n: number
  accuracy: number | null
  ci95: Interval | null
}

/** How a judge agrees with labels. */
export interface LabelAgreement<L extends string> extends RightShare {
  kappa: number | null
  /** Verdicts the judge itself calls uncertain. */
  uncertain: number
  /** Things without a verdict. They count as no agreement. */
  unjudged: number
  /** `confusion[label][judge]`; what got no verdict is in no column. */
  confusion: Record<L, Record<L, number>>
  /** The verdicts the judge is certain of, and their share of all. */
  certain: RightShare & { share: number | null }
}

/**
 * Accuracy, Cohen's kappa and confusion of verdicts beside labels.
 *
 * @example labelAgreement(['right', 'wrong'], [{ label: 'right', given: 'wrong', uncertain: true }]).accuracy // 0
 */
export function labelAgreement<L extends string>(
  labels: readonly L[],
  list: readonly Labelled<L>[],
): LabelAgreement<L> {
  const pairs = list.flatMap(({ label, given }): [L, L][] => (given === null ? [] : [[label, given]]))
  const isRight = ({ label, given }: Labelled<L>) => label === given
  const certain = list.filter(({ uncertain }) => !uncertain)
  return {
    ...rightShare(list, isRight),
    kappa: cohen(pairs).kappa,
    uncertain: list.length - certain.length,
    unjudged: list.length - pairs.length,
    confusion: confusionOf(labels, pairs),
    certain: { ...rightShare(certain, isRight), share: list.length === 0 ? null : certain.length / list.length },
  }
}

/** How many of some things are right. */
export function rightShare<T>(list: readonly T[], isRight: (one: T) => boolean): RightShare {
  const n = list.length
  const hits = list.filter(isRight).length
  return { n, accuracy: n === 0 ? null : hits / n, ci95: n === 0 ? null : wilson(hits, n) }
}

/** How often the first said one thing and the second another: `confusion[first][second]`. */
export function confusionOf<L extends string>(
  labels: readonly L[],
  pairs: readonly (readonly [L, L])[],
): Record<L, Record<L, number>> {
  const count = (first: L, second: L) => pairs.filter(([a, b]) => a === first && b === second).length
  const row = (first: L) => record(labels, (second) => count(first, second))
  return record(labels, row)
}

/** Agreement of every group, by the name of the group. */
export function groupedBy<T, R>(
  list: readonly T[],
  name: (one: T) => string,
  of: (own: readonly T[]) => R,
): Record<string, R> {
  const names = [...new Set(list.map(name))].sort()
  return Object.fromEntries(names.map((group) => [group, of(list.filter((one) => name(one) === group))]))
}

function record<L extends string, V>(labels: readonly L[], of: (label: L) => V): Record<L, V> {
  return Object.fromEntries(labels.map((label) => [label, of(label)])) as Record<L, V>
}
