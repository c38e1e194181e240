import { Random } from '../base/random.js'

/** How a probability was found: over all ways to flip, or over a seeded sample of them. */
export type FlipMethod = 'exact' | 'sampled'

export interface FlipTest {
  /** How often equal systems differ at least as much, in either direction. */
  p: number
  method: FlipMethod
}

/** Sums that are no whole numbers are flipped one by one up to so many of them. */
const MOST_ENUMERATED = 16

/** Steps of the exact way over whole numbers that are still done at once. */
const MOST_STEPS = 200_000_000

/** Ways to flip that are drawn where there are too many. */
const DRAWN = 20_000

/** Parts of a whole in which sums may come: a success over two or three trials is a half or a third. */
const MOST_PARTS = 12

/**
 * The two-sided permutation test of paired differences, by whole clusters: were both systems equal, each cluster's sum of differences could as
 * well have the other sign. Of successes in clusters of one this is the exact test of McNemar. Whole sums, or sums in equal parts of a whole,
 * are tested exactly whatever their number; others by all ways to flip where they are few, else by a sample that the seed decides.
 *
 * @param sums of the differences in each cluster
 */
export function signFlipTest(sums: readonly number[], seed = 0): FlipTest {
  const moved = sums.filter((sum) => Math.abs(sum) > 1e-12)
  if (moved.length === 0) return { p: 1, method: 'exact' }
  const whole = inWholeParts(moved)
  if (whole) return { p: overWholeSums(whole), method: 'exact' }
  if (moved.length <= MOST_ENUMERATED) return { p: overAllFlips(moved), method: 'exact' }
  return { p: overDrawnFlips(moved, seed), method: 'sampled' }
}

/** Sums in the largest equal parts of which all are made; null when there are none, or too many for the exact way. */
function inWholeParts(sums: readonly number[]): number[] | null {
  for (let parts = 1; parts <= MOST_PARTS; parts++) {
    const scaled = sums.map((sum) => sum * parts)
    if (scaled.some((sum) => Math.abs(sum - Math.round(sum)) > 1e-9)) continue
    const whole = scaled.map((sum) => Math.abs(Math.round(sum)) * Math.sign(sum))
    return whole.length * reachOf(whole) <= MOST_STEPS ? whole : null
  }
  return null
}

/** The farthest that sums can get when all have one sign. */
function reachOf(sums: readonly number[]): number {
  return sums.reduce((all, sum) => all + Math.abs(sum), 0)
}

/** Adds up, sum by sum, how likely each total is. */
function overWholeSums(sums: readonly number[]): number {
  const reach = reachOf(sums)
  let likely = new Float64Array(2 * reach + 1)
  likely[reach] = 1
  let far = 0
  for (const sum of sums) {
    const next = new Float64Array(2 * reach + 1)
    const step = Math.abs(sum)
    for (let at = reach - far; at <= reach + far; at++) {
      const half = likely[at]! / 2
      if (half === 0) continue
      next[at - step]! += half
      next[at + step]! += half
    }
    far += step
    likely = next
  }
  const seen = Math.abs(sums.reduce((all, sum) => all + sum, 0))
  let p = 0
  for (let total = seen; total <= reach; total++) p += likely[reach + total]! + (total > 0 ? likely[reach - total]! : 0)
  return Math.min(1, p)
}

/** Every way to flip, each a step from the last: one sum changes its sign at a time. */
function overAllFlips(sums: readonly number[]): number {
  const signs = sums.map(() => 1)
  let total = sums.reduce((all, sum) => all + sum, 0)
  const least = leastFor(total, sums)
  // The last sum keeps its sign: the other half of all ways is the mirror of this one.
  const ways = 2 ** (sums.length - 1)
  let count = 1
  for (let way = 1; way < ways; way++) {
    const at = 31 - Math.clz32(way & -way)
    total -= 2 * signs[at]! * sums[at]!
    signs[at] = -signs[at]!
    if (Math.abs(total) >= least) count++
  }
  return count / ways
}

/** What was seen counts as one of the ways, so that a sample never says zero. */
function overDrawnFlips(sums: readonly number[], seed: number): number {
  const random = new Random(seed)
  const least = leastFor(
    sums.reduce((all, sum) => all + sum, 0),
    sums,
  )
  let count = 1
  for (let drawn = 0; drawn < DRAWN; drawn++) {
    let total = 0
    let bits = 0
    for (let i = 0; i < sums.length; i++) {
      if (i % 32 === 0) bits = Math.floor(random.random() * 2 ** 32)
      total += (bits >>> (i % 32)) & 1 ? sums[i]! : -sums[i]!
    }
    if (Math.abs(total) >= least) count++
  }
  return count / (DRAWN + 1)
}

/** What counts as at least as far as what was seen, rounding aside. */
function leastFor(total: number, sums: readonly number[]): number {
  return Math.abs(total) - 1e-9 * reachOf(sums)
}
