import { entryOf } from '../../base/group-by.js'
import { OUTCOMES, type Outcome } from '../../model/index.js'
import type { QuestionTrace } from '../report-data.js'

const PASSED: ReadonlySet<Outcome> = new Set(['correct', 'answerable'])

/** Traces of one task and system: how many there are by outcome, and the ones that are shown. */
export interface TraceGroup {
  total: number
  counts: Partial<Record<Outcome, number>>
  shown: QuestionTrace[]
}

/**
 * Takes in traces in any order and keeps at most `cap` a group. Failures are kept before questions that passed, and rare outcomes before
 * common ones: they are what a person comes to look at. Never holds more than `cap` traces of one outcome in one group.
 */
export class TraceSelection {
  readonly #groups = new Map<string, Map<Outcome, { total: number; kept: QuestionTrace[] }>>()

  constructor(private readonly cap: number) {}

  add(key: string, outcome: Outcome, trace: QuestionTrace): void {
    const group = entryOf(this.#groups, key, () => new Map())
    const bucket = entryOf(group, outcome, () => ({ total: 0, kept: [] }))
    bucket.total += 1 + (trace.more ?? 0)
    if (bucket.kept.length < this.cap) bucket.kept.push(trace)
  }

  get(key: string): TraceGroup | undefined {
    const group = this.#groups.get(key)
    if (!group) return undefined
    const found = [...group].map(([outcome, bucket]) => ({ outcome, ...bucket }))
    const buckets = found.sort((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))
    const shares = (passed: boolean, total: number) =>
      fairShares(
        buckets.map(({ outcome, kept }) => (PASSED.has(outcome) === passed ? kept.length : 0)),
        total,
      )
    const failed = shares(false, this.cap)
    const left = this.cap - failed.reduce((sum, share) => sum + share, 0)
    const passed = shares(true, left)
    return {
      total: buckets.reduce((sum, bucket) => sum + bucket.total, 0),
      counts: Object.fromEntries(buckets.map(({ outcome, total }) => [outcome, total])),
      // By turns, so that every outcome is still there where a page has room for few.
      shown: byTurns(buckets.map((bucket, at) => bucket.kept.slice(0, failed[at]! + passed[at]!))),
    }
  }
}

function byTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** Divides `total` among wants so that the small ones are met first and the rest get equal shares. */
function fairShares(wants: readonly number[], total: number): number[] {
  const shares = wants.map(() => 0)
  const order = wants.map((_, at) => at).sort((a, b) => wants[a]! - wants[b]!)
  let left = total
  for (const [done, at] of order.entries()) {
    shares[at] = Math.min(wants[at]!, Math.floor(left / (order.length - done)))
    left -= shares[at]!
  }
  return shares
}
