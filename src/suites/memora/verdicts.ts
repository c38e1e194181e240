import type { Criterion, CriterionVerdict, ScoredQuestion } from '../../model/index.js'

/** The criteria of a question, in order. */
export function criteriaOf({ gold }: ScoredQuestion['question']): readonly Criterion[] {
  return gold.kind === 'criteria' ? gold.criteria : []
}

/** A judge's word on each of them; null when there is none. */
export function verdictsOf(verdict: ScoredQuestion['verdict']): readonly CriterionVerdict[] | null {
  return verdict && verdict.grade !== 'error' ? (verdict.criteria ?? null) : null
}
