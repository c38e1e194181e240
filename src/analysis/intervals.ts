import type { Interval } from '../model/index.js'

/** 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054

/**
 * Wilson's 95 % interval of a proportion. `successes` may be a fraction, for guessers share their luck. Empty samples know nothing: [0, 1].
 *
 * @example wilson(8, 10) // [0.490…, 0.943…]
 */
export function wilson(successes: number, n: number): Interval {
  if (n === 0) return [0, 1]
  const p = successes / n
  const z2 = Z * Z
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n)
  const half = (Z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))
  // Rounding must not push an end past the proportion it encloses.
  return [Math.max(0, Math.min(p, middle - half)), Math.min(1, Math.max(p, middle + half))]
}
