import type { AnswerVerdict, Criterion, CriterionVerdict } from '../model/index.js'

/**
 * The grade that verdicts on single criteria come to: right when all are met. One that could not be judged is never a miss, but leaves the
 * grade in doubt; only when none could be judged there is no grade. Scores are made of the verdicts, not of the grade.
 */
export function gradeOfCriteria(
  criteria: readonly Criterion[],
  verdicts: readonly CriterionVerdict[],
  why = 'No criterion could be judged.',
): AnswerVerdict {
  const open = verdicts.filter(({ answer }) => answer === null).length
  if (open > 0 && open === verdicts.length) return { grade: 'error', reason: why, criteria: [...verdicts] }
  const missed = criteria.filter(({ expected }, i) => ![expected, null].includes(verdicts[i]!.answer)).length
  const told = [
    missed === 0 ? 'It meets all criteria' : `It misses ${missed} of ${criteria.length} criteria`,
    ...(open > 0 ? [`${open} could not be judged`] : []),
  ]
  return {
    grade: missed === 0 && open === 0 ? 'right' : 'wrong',
    uncertain: open > 0 || verdicts.some(({ uncertain }) => uncertain),
    reason: `${told.join('; ')}.`,
    criteria: [...verdicts],
  }
}
