/** Where a number lies, from low to high. */
export type Interval = [low: number, high: number]

/** 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054

/** Wilson's 95 % interval of a proportion. `successes` may be a fraction, for guessers share their luck. Empty samples know nothing: [0, 1]. */
export function wilson(successes: number, n: number): Interval {
  if (n === 0) return [0, 1]
  const p = successes / n
  const z2 = Z * Z
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n)
  const half = (Z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))
  // Rounding must not push an end past the proportion it encloses.
  return [Math.max(0, Math.min(p, middle - half)), Math.min(1, Math.max(p, middle + half))]
}

/** Observed agreement of two raters, and how far it is above chance. */
export function cohen(pairs: readonly (readonly [string, string])[]): { agreement: number; kappa: number | null } {
  const n = pairs.length
  if (n === 0) return { agreement: 0, kappa: null }
  const shares = (side: 0 | 1) => {
    const counts = new Map<string, number>()
    for (const pair of pairs) counts.set(pair[side], (counts.get(pair[side]) ?? 0) + 1)
    return counts
  }
  const [first, second] = [shares(0), shares(1)]
  const observed = pairs.filter(([a, b]) => a === b).length / n
  let chance = 0
  for (const [label, count] of first) chance += (count * (second.get(label) ?? 0)) / (n * n)
  return { agreement: observed, kappa: chance < 1 ? (observed - chance) / (1 - chance) : null }
}

/**
 * The 95 % interval of Cohen's kappa by its large-sample standard error (Fleiss, Cohen and Everitt, 1969), cut at -1 and 1. Null where there
 * is no kappa. Raters who agree in everything have an interval of no width: it says nothing of what few items could not show.
 */
export function kappaInterval(pairs: readonly (readonly [string, string])[]): Interval | null {
  const n = pairs.length
  const share = (of: (pair: readonly [string, string]) => boolean) => pairs.filter(of).length / n
  const labels = [...new Set(pairs.flat())]
  const rows = new Map(labels.map((label) => [label, share(([a]) => a === label)]))
  const columns = new Map(labels.map((label) => [label, share(([, b]) => b === label)]))
  const chance = labels.reduce((sum, label) => sum + rows.get(label)! * columns.get(label)!, 0)
  if (n === 0 || chance >= 1) return null
  const kappa = (share(([a, b]) => a === b) - chance) / (1 - chance)
  let spread = 0
  for (const a of labels) {
    for (const b of labels) {
      const cell = share((pair) => pair[0] === a && pair[1] === b)
      spread +=
        a === b
          ? cell * (1 - (rows.get(a)! + columns.get(a)!) * (1 - kappa)) ** 2
          : cell * ((1 - kappa) * (columns.get(a)! + rows.get(b)!)) ** 2
    }
  }
  spread -= (kappa - chance * (1 - kappa)) ** 2
  const half = (Z * Math.sqrt(Math.max(0, spread) / n)) / (1 - chance)
  return [Math.max(-1, kappa - half), Math.min(1, kappa + half)]
}

/** A quantile of the standard normal distribution, to within 0.0005 (Abramowitz and Stegun, 26.2.23). */
export function normalQuantile(share: number): number {
  if (share < 0.5) return -normalQuantile(1 - share)
  const t = Math.sqrt(-2 * Math.log(1 - share))
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
}

/** A quantile of Student's distribution by its expansion around the normal one (Abramowitz and Stegun, 26.7.5); good from 3 degrees of freedom. */
export function studentQuantile(share: number, degrees: number): number {
  const z = share === 0.975 ? Z : normalQuantile(share)
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ]
  return terms.reduce((sum, term, at) => sum + term / degrees ** (at + 1), z)
}
