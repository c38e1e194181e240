import { cohen } from './panel/agreement.js'

/** A label with what a judge said of the same thing; null where it gave no verdict. */
export interface Labelled<L extends string> {
  label: L
  given: L | null
  uncertain: boolean
}

/** How a judge agrees with labels. Shares are null when there is nothing to compare. */
export interface LabelAgreement<L extends string> {
  n: number
  accuracy: number | null
  kappa: number | null
  /** Verdicts the judge itself calls uncertain. */
  uncertain: number
  /** Things without a verdict. They count as no agreement. */
  unjudged: number
  /** `confusion[label][judge]`; what got no verdict is in no column. */
  confusion: Record<L, Record<L, number>>
  /** The verdicts the judge is certain of. */
  certain: { n: number; accuracy: number | null }
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
  const hits = (some: readonly Labelled<L>[]) => some.filter(({ label, given }) => label === given).length
  const share = (some: readonly Labelled<L>[]) => (some.length === 0 ? null : hits(some) / some.length)
  const certain = list.filter(({ uncertain }) => !uncertain)
  return {
    n: list.length,
    accuracy: share(list),
    kappa: cohen(pairs).kappa,
    uncertain: list.length - certain.length,
    unjudged: list.length - pairs.length,
    confusion: confusionOf(labels, pairs),
    certain: { n: certain.length, accuracy: share(certain) },
  }
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
