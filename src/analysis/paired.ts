import { groupBy } from '../base/group-by.js'
import { type Interval, normalQuantile, studentQuantile } from '../base/intervals.js'
import { type FlipMethod, signFlipTest } from './sign-flip.js'

/** What two systems got on one question, each from 0 to 1, and what that stands or falls with. */
export interface PairedValue {
  cluster: string
  a: number
  b: number
}

/** Two systems over the same questions. */
export interface PairedResult {
  /** Questions, and the clusters they are in. */
  n: number
  clusters: number
  /** Means of both; `difference` is the second less the first. */
  a: number
  b: number
  difference: number
  ci95: Interval
  /** How often equal systems differ at least as much; before anything is corrected for. */
  p: number
  method: FlipMethod
  /** What is taken to be independent. By question, where clusters are too few to decide: then nothing is decided. */
  by: 'cluster' | 'question'
  /** Questions on which they differ. */
  changed: number
}

/** With fewer clusters even the largest difference may be chance: of five coins, all fall alike in one of sixteen throws. */
export const FEWEST_CLUSTERS = 6

/** How rarely equal systems may be called different. */
export const ALPHA = 0.05

/** How often a difference is to be found, where the questions that would be needed are told. */
const POWER = 0.8

/** The smallest difference that is worth finding. */
const WORTHWHILE = 0.05

/**
 * Compares two systems on the questions that both have. Clusters are taken as a whole, in the test and in the interval. With fewer than six the
 * same is done by question, which takes what goes together for independent: it says something of the size, and decides nothing.
 */
export function comparePaired(values: readonly PairedValue[], seed = 0): PairedResult {
  const n = values.length
  const groups = clustersOf(values, ({ cluster }) => cluster)
  const by = groups.length < FEWEST_CLUSTERS ? 'question' : 'cluster'
  const tested = by === 'cluster' ? groups : values.map(({ a, b }) => ({ n: 1, sum: b - a }))
  const mean = (of: 'a' | 'b') => values.reduce((sum, value) => sum + value[of], 0) / Math.max(1, n)
  const difference = tested.reduce((all, { sum }) => all + sum, 0) / Math.max(1, n)
  const flipped = signFlipTest(
    tested.map(({ sum }) => sum),
    seed,
  )
  return {
    n,
    clusters: groups.length,
    a: mean('a'),
    b: mean('b'),
    difference,
    ci95: intervalOf(tested, difference),
    ...flipped,
    by,
    changed: values.filter(({ a, b }) => Math.abs(a - b) > 1e-12).length,
  }
}

interface Cluster {
  n: number
  /** Of the differences. */
  sum: number
}

function clustersOf(values: readonly PairedValue[], key: (value: PairedValue) => string): Cluster[] {
  return [...groupBy(values, key).values()].map((own) => ({
    n: own.length,
    sum: own.reduce((sum, { a, b }) => sum + b - a, 0),
  }))
}

/**
 * The 95 % interval of a mean difference from what clusters differ by, with Student's quantile. Two clusters are added, one for each side, as
 * Bonett and Price do for single questions: few questions that all came out alike do not prove that all would.
 */
function intervalOf(clusters: readonly Cluster[], difference: number): Interval {
  if (clusters.length === 0) return [-1, 1]
  const { middle, error, degrees } = spreadOf(clusters)
  const half = studentQuantile(0.975, degrees) * error
  return [Math.max(-1, Math.min(difference, middle - half)), Math.min(1, Math.max(difference, middle + half))]
}

/** Mean difference and its standard error, the two added clusters included. */
function spreadOf(clusters: readonly Cluster[]): { middle: number; error: number; degrees: number } {
  const moved = clusters.filter(({ sum }) => sum !== 0)
  const size = clusters.reduce((all, { n }) => all + n, 0) / clusters.length
  // As large as those that moved are.
  const step = moved.length === 0 ? 1 : Math.sqrt(moved.reduce((all, { sum }) => all + sum * sum, 0) / moved.length)
  const all = [...clusters, { n: size, sum: step }, { n: size, sum: -step }]
  const n = all.reduce((sum, one) => sum + one.n, 0)
  const middle = all.reduce((sum, one) => sum + one.sum, 0) / n
  const squares = all.reduce((sum, one) => sum + (one.sum - middle * one.n) ** 2, 0)
  const degrees = all.length - 1
  return { middle, error: Math.sqrt((squares * all.length) / degrees) / n, degrees }
}

/**
 * About how many questions would tell, four times in five, a difference as large as the one seen, or the smallest that is worth it, whichever
 * is larger. Questions are taken to vary, and to hang together, as these do; as many tests are corrected for as are done.
 */
export function questionsNeeded(values: readonly PairedValue[], tests = 1): { questions: number; difference: number } {
  const clusters = clustersOf(values, ({ cluster }) => cluster)
  const seen = Math.abs(clusters.reduce((all, { sum }) => all + sum, 0)) / Math.max(1, values.length)
  const difference = Math.max(seen, WORTHWHILE)
  if (clusters.length === 0) return { questions: FEWEST_CLUSTERS, difference }
  const z = normalQuantile(1 - ALPHA / 2 / Math.max(1, tests)) + normalQuantile(POWER)
  const times = (z * spreadOf(clusters).error) / difference
  const each = values.length / clusters.length
  const least = Math.max(values.length * times ** 2, FEWEST_CLUSTERS * each, values.length + each)
  return { questions: roundedUp(least), difference }
}

/** To two figures: nobody knows it better. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.ceil(value / unit - 1e-9) * unit
}

/** Holm's correction: with these in the place of `ps`, the chance that any of equal pairs is called different stays below the same bound. */
export function holmCorrection(ps: readonly number[]): number[] {
  const order = ps.map((_, at) => at).sort((a, b) => ps[a]! - ps[b]!)
  const corrected: number[] = []
  let least = 0
  for (const [rank, at] of order.entries()) {
    least = Math.max(least, Math.min(1, (ps.length - rank) * ps[at]!))
    corrected[at] = least
  }
  return corrected
}
