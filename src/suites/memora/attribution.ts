import type { Criterion, ScoredQuestion } from '../../model/index.js'
import { criteriaOf, verdictsOf } from './verdicts.js'

/** Why a criterion was missed. */
export type Cause = 'never_stored' | 'damaged' | 'partial_retrieval' | 'outdated_kept' | 'misread'

const CAUSES: readonly Cause[] = ['never_stored', 'damaged', 'partial_retrieval', 'outdated_kept', 'misread']

/**
 * Counts of missed criteria, each under its first cause: an outdated version was kept and came along, a needed fact was never stored, was
 * stored damaged, or was stored well and not retrieved; `misread` when all of that was in order. Without a reader a criterion is missed
 * when its evidence is, and nothing is misread. Criteria without a verdict are counted by themselves: they are neither met nor missed.
 */
export function attribute(results: readonly ScoredQuestion[], reader: boolean): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries([
    ['criteria', 0],
    ['criteria_missed', 0],
    ['criteria_unjudged', 0],
    ...CAUSES.map((cause) => [cause, 0] as const),
  ])
  for (const result of results) {
    const verdicts = verdictsOf(result.verdict)
    criteriaOf(result.question).forEach((criterion, at) => {
      const answer = verdicts?.[at]?.answer ?? null
      if (reader && answer === null) {
        counts.criteria_unjudged!++
        return
      }
      counts.criteria!++
      if (reader && answer === criterion.expected) return
      const cause = causeOf(criterion, result)
      if (!reader && cause === 'misread') return
      counts.criteria_missed!++
      counts[cause]!++
    })
  }
  return counts
}

function causeOf(criterion: Criterion, { facts, outdated }: ScoredQuestion): Cause {
  const spoken = new Set(criterion.facts)
  if (criterion.type === 'forgetting' && outdated.some(({ id, standing }) => standing && spoken.has(id))) {
    return 'outdated_kept'
  }
  const needed = facts.filter(({ id }) => spoken.has(id))
  if (needed.some(({ stored }) => !stored)) return 'never_stored'
  if (needed.some(({ faithful }) => !faithful)) return 'damaged'
  if (needed.some(({ retrieved }) => !retrieved)) return 'partial_retrieval'
  return 'misread'
}
