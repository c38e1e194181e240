import { ALPHA, comparePaired, FEWEST_CLUSTERS, type PairedValue } from '../../src/analysis/paired.js'
import { inPercent } from '../../src/base/percent.js'
import type { Bench } from '../bench.js'
import { type SimulatedPair, shareOf } from './simulate.js'

const DRAWS = 2_000

/** From what a quick run has to what a paper has. */
const SHAPES = [
  { clusters: 4, each: 15 },
  { clusters: 6, each: 4 },
  { clusters: 10, each: 15 },
  { clusters: 24, each: 1 },
  { clusters: 24, each: 3 },
  { clusters: 100, each: 1 },
  { clusters: 100, each: 3 },
  { clusters: 400, each: 1 },
  { clusters: 400, each: 3 },
]

/** Called different: by clusters, and only where these can decide. */
export function isDecided(values: PairedValue[], seed: number): boolean {
  const { p, by } = comparePaired(values, seed)
  return by === 'cluster' && p <= ALPHA
}

/** What a test would say that takes all questions for independent. */
function byQuestion(values: PairedValue[], seed: number): boolean {
  return (
    comparePaired(
      values.map((value, i) => ({ ...value, cluster: String(i) })),
      seed,
    ).p <= ALPHA
  )
}

/** How often equal systems are called different, and different ones are found out. */
export const pairedBench: Bench = {
  name: 'paired',
  about: 'false alarms, coverage and power of the test behind compare, by simulation',
  async run(progress) {
    const rows: string[][] = []
    for (const scores of [false, true])
      for (const shape of SHAPES)
        for (const correlation of shape.each > 1 ? [0, 0.3] : [0]) {
          // Scores of many clusters are drawn flips, which take their time.
          if (scores && shape.clusters > 100) continue
          const pair: SimulatedPair = { ...shape, correlation, difference: 0, scores }
          progress(
            `${scores ? 'scores' : 'successes'} of ${shape.clusters} × ${shape.each}, correlation ${correlation}`,
          )
          const covered = shareOf(pair, DRAWS, (values) => {
            const [low, high] = comparePaired(values).ci95
            return low <= 0 && high >= 0
          })
          const decided = (difference: number) => shareOf({ ...pair, difference }, DRAWS, isDecided)
          const percent = (share: number) => inPercent(share, 1)
          const never = shape.clusters < FEWEST_CLUSTERS ? ' (never decided)' : ''
          rows.push([
            scores ? 'score' : 'success',
            `${shape.clusters} × ${shape.each}${never}`,
            String(correlation),
            percent(decided(0)),
            percent(shareOf(pair, DRAWS, byQuestion)),
            percent(covered),
            percent(decided(0.05)),
            percent(decided(0.1)),
          ])
        }
    return {
      title: 'Paired tests: false alarms and power',
      note: `${DRAWS} pairs of systems a number, drawn with a seed; the first is right in half of the questions. "By question" is what a test would do that takes the questions of a cluster for independent. Covered: the 95 % interval has the true difference, which is none.`,
      columns: [
        'of',
        'clusters × questions',
        'correlation',
        'false alarms',
        'by question',
        'covered',
        'found: 5 points',
        'found: 10 points',
      ],
      rows,
    }
  },
}
