import {
  ALPHA,
  comparePaired,
  FEWEST_CLUSTERS,
  type PairedResult,
  type PairedValue,
} from '../../src/analysis/paired.js'
import { inPercent } from '../../src/base/figures.js'
import type { Bench } from '../bench.js'
import { type SimulatedPair, shareOf } from './simulate.js'

const DRAWS = 2_000

const MOST_CLUSTERS_OF_SCORES = 24

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
]

/** Called different: by clusters, and only where these can decide. */
export function isDecided(values: PairedValue[], seed: number): boolean {
  return isFound(comparePaired(values, seed))
}

function isFound({ p, by }: PairedResult): boolean {
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
          // Of scores, flips are drawn where there are many clusters or questions, which takes its time.
          if (scores && (shape.clusters > MOST_CLUSTERS_OF_SCORES || shape.clusters < FEWEST_CLUSTERS)) continue
          const pair: SimulatedPair = { ...shape, correlation, difference: 0, scores }
          progress(
            `${scores ? 'scores' : 'successes'} of ${shape.clusters} × ${shape.each}, correlation ${correlation}`,
          )
          let alarms = 0
          const covered = shareOf(pair, DRAWS, (values, seed) => {
            const result = comparePaired(values, seed)
            if (isFound(result)) alarms++
            return result.ci95[0] <= 0 && result.ci95[1] >= 0
          })
          const decided = (difference: number) => shareOf({ ...pair, difference }, DRAWS, isDecided)
          const percent = (share: number) => inPercent(share, 1)
          const never = shape.clusters < FEWEST_CLUSTERS ? ' (never decided)' : ''
          rows.push([
            scores ? 'score' : 'success',
            `${shape.clusters} × ${shape.each}${never}`,
            String(correlation),
            percent(alarms / DRAWS),
            scores ? '–' : percent(shareOf(pair, DRAWS, byQuestion)),
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
