import type { PairedValue } from '../../src/analysis/paired.js'
import { Random } from '../../src/base/random.js'

/** Two systems of known worth over questions that hang together. */
export interface SimulatedPair {
  clusters: number
  /** Questions a cluster. */
  each: number
  /** How the successes of one system on two questions of a cluster correlate. */
  correlation: number
  /** How much more often the second is right. */
  difference: number
  /** Of scores between 0 and 1 rather than successes. */
  scores?: boolean
}

/** How often the first system is right. */
const RATE = 0.5

/** How often a question decides the same for both systems: some are easy for everybody. */
const SHARED = 0.4

/**
 * Draws one comparison. Each answer comes, with the root of the correlation, from a draw of its cluster, else from one of its own, so that any
 * two of a cluster correlate as asked; the clusters of the two systems are drawn apart, which is the hardest case for a test of differences.
 */
function simulatePair(pair: SimulatedPair, random: Random): PairedValue[] {
  const { clusters, each, correlation, difference, scores } = pair
  const tie = Math.sqrt(correlation)
  const answer = (luck: number, rate: number) =>
    scores ? Math.min(1, Math.max(0, luck + rate - RATE)) : Number(luck < rate)
  return Array.from({ length: clusters }).flatMap((_, cluster) => {
    const [ofA, ofB] = [random.random(), random.random()]
    return Array.from({ length: each }, () => {
      const common = random.random() < SHARED ? random.random() : null
      const luck = (own: number) => (random.random() < tie ? own : (common ?? random.random()))
      return { cluster: String(cluster), a: answer(luck(ofA), RATE), b: answer(luck(ofB), RATE + difference) }
    })
  })
}

/** How often something holds of so many comparisons that are drawn. */
export function shareOf(
  pair: SimulatedPair,
  draws: number,
  holds: (values: PairedValue[], draw: number) => boolean,
): number {
  const random = new Random(`paired ${JSON.stringify(pair)}`)
  let count = 0
  for (let draw = 0; draw < draws; draw++) if (holds(simulatePair(pair, random), draw)) count++
  return count / draws
}
