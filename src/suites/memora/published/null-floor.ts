import type { Question } from '../../../model/index.js'
import { fama, nullMarks } from '../fama.js'
import { criteriaOf } from '../verdicts.js'

/**
 * What an empty answer gets: the mean FAMA over some questions, 0 to 1; null when there are none.
 *
 * @example nullFloor(questionsOf(scenario).filter(({ task }) => task === 'recommending'))
 */
export function nullFloor(questions: readonly Question[]): number | null {
  if (questions.length === 0) return null
  const scores = questions.map((question) => fama(nullMarks(criteriaOf(question))).fama ?? 0)
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}
