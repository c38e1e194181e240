import type { Criterion, CriterionStage, ScoredQuestion } from '../../model/index.js'
import { criteriaOf, verdictsOf } from './fama.js'

/** Why a criterion was missed. */
export type Cause = 'never_stored' | 'damaged' | 'partial_retrieval' | 'outdated_kept' | 'misread'

/** Causes as people read them. */
export const CAUSE_WORDS: Record<Cause, string> = {
  never_stored: 'never stored',
  damaged: 'stored damaged',
  partial_retrieval: 'partial retrieval',
  outdated_kept: 'outdated memory kept',
  misread: 'misread',
}

export const CAUSES = Object.keys(CAUSE_WORDS)

/**
 * What became of every criterion of a question: the first cause of each that was missed. An outdated version was kept and came along, a
 * needed fact was never stored, was stored damaged, or was stored well and not retrieved; `misread` when all of that was in order. Without
 * a reader a criterion is missed when its evidence is, and nothing is misread. Where facts could not be judged, no cause is known.
 */
export function criterionStages(result: ScoredQuestion, { reader }: { reader: boolean }): CriterionStage[] {
  const verdicts = verdictsOf(result.verdict)
  return criteriaOf(result.question).map((criterion, at) => {
    const { id, expected } = criterion
    const answer = verdicts?.[at]?.answer ?? null
    if (reader && answer === null) return { id, met: null, cause: null }
    if (reader && answer === expected) return { id, met: true, cause: null }
    if (result.outcome === 'error') return { id, met: false, cause: null }
    const cause = causeOf(criterion, result)
    return !reader && cause === 'misread'
      ? { id, met: true, cause: null }
      : { id, met: false, cause, words: CAUSE_WORDS[cause] }
  })
}

/**
 * Counts of criteria, of missed ones by their first cause, and of those without a verdict, which are neither met nor missed;
 * `cause_unknown` only where facts could not be judged.
 */
export function attribute(results: readonly ScoredQuestion[], reader: boolean): Record<string, number> {
  const stages = results.flatMap((result) => criterionStages(result, { reader }))
  const count = (of: (stage: CriterionStage) => boolean) => stages.filter(of).length
  const unknown = count(({ met, cause }) => met === false && cause === null)
  return {
    criteria: count(({ met }) => met !== null),
    criteria_missed: count(({ met }) => met === false),
    criteria_unjudged: count(({ met }) => met === null),
    ...Object.fromEntries(CAUSES.map((name) => [name, count(({ cause }) => cause === name)])),
    ...(unknown > 0 && { cause_unknown: unknown }),
  }
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
