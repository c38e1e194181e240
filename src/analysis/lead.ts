import type { ComparableRun, ComparedContestant } from './comparable.js'
import { pairTasks } from './compare-runs.js'
import { ALPHA, comparePaired, holmCorrection, type PairedResult, type PairedValue } from './paired.js'

/** Who leads over all questions of a run, and of whom that can be said. */
export interface Lead {
  leader: ComparedContestant
  /** The others, each against the leader over the questions of both. */
  others: { contestant: ComparedContestant; isBehind: boolean }[]
  /** Tasks on which another is better than the leader. */
  beaten: { suite: string; task: string; contestant: ComparedContestant }[]
}

/**
 * Finds who leads, by paired tests over the questions of all tasks together and by whole clusters. Whoever came out best is tested just because
 * it did, so the tests are corrected for all pairs there are; those of single tasks for one another.
 *
 * @returns null where there is nobody to compare with
 */
export function findLead(run: ComparableRun, isContestant: (one: ComparedContestant) => boolean): Lead | null {
  const places = run.contestants.flatMap((one, at) => (isContestant(one) ? [at] : []))
  const means = new Map(places.map((at) => [at, meanOf(pooled(run, at, at))]))
  const [leader, ...rest] = places.toSorted((a, b) => means.get(b)! - means.get(a)!)
  if (leader === undefined || rest.length === 0) return null
  const allPairs = (places.length * (places.length - 1)) / 2
  const tests: { suite: string; task: string; at: number; test: PairedResult }[] = []
  const others = rest.map((at) => {
    const { open } = pairTasks([run, leader], [run, at])
    for (const { task } of open)
      if (task.by === 'cluster') tests.push({ suite: task.suite, task: task.task, at, test: task })
    const values = pooledValues(open)
    const test = comparePaired(values)
    const isBehind = test.by === 'cluster' && test.difference < 0 && test.p * allPairs <= ALPHA
    return { contestant: run.contestants[at]!, isBehind }
  })
  const corrected = holmCorrection(tests.map(({ test }) => test.p))
  const beaten = tests.filter(({ test }, i) => test.difference > 0 && corrected[i]! <= ALPHA)
  return {
    leader: run.contestants[leader]!,
    others,
    beaten: beaten
      .sort((a, b) => b.test.difference - a.test.difference)
      .map(({ suite, task, at }) => ({ suite, task, contestant: run.contestants[at]! })),
  }
}

function pooled(run: ComparableRun, a: number, b: number): PairedValue[] {
  return pooledValues(pairTasks([run, a], [run, b]).open)
}

/** Values of all tasks together; clusters of different suites are different ones. */
function pooledValues(open: ReturnType<typeof pairTasks>['open']): PairedValue[] {
  return open.flatMap(({ values, task: { suite } }) =>
    values.map((value) => ({ ...value, cluster: JSON.stringify([suite, value.cluster]) })),
  )
}

function meanOf(values: readonly PairedValue[]): number {
  return values.reduce((sum, { a }) => sum + a, 0) / Math.max(1, values.length)
}
