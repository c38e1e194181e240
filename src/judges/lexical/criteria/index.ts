import type { AnswerVerdict, Criterion, CriterionVerdict, Gold } from '../../../model/index.js'
import { isNamed } from '../values.js'

/**
 * Grades an answer criterion by criterion. Right when all are met; the suite makes its score of the single verdicts.
 */
export function gradeCriteria({ criteria }: Extract<Gold, { kind: 'criteria' }>, answer: string): AnswerVerdict {
  const verdicts = criteria.map((criterion) => readCriterion(criterion, answer))
  const missed = criteria.filter(({ expected }, i) => verdicts[i]!.answer !== expected)
  return {
    grade: missed.length === 0 ? 'right' : 'wrong',
    uncertain: verdicts.some(({ uncertain }) => uncertain),
    reason:
      missed.length === 0 ? 'It meets all criteria.' : `It misses ${missed.length} of ${criteria.length} criteria.`,
    criteria: verdicts,
  }
}

/** What a criterion asks, answered by the words of the answer. */
export function readCriterion({ id, asks }: Criterion, answer: string): CriterionVerdict {
  const named = isNamed(asks?.forms ?? [], answer)
  const yes = asks?.act === 'avoid' ? !named : named
  return { id, answer: yes ? 'yes' : 'no', uncertain: true, reason: named ? 'It is named.' : 'It is not named.' }
}
