import type { LifeResults } from '../analysis/results.js'
import { byDepth, pairOf, scoredQuestion } from '../analysis/scores.js'
import type { Plan } from '../engine/plan.js'
import type { QuestionResult } from './data.js'
import { scenarioNames, whyFailed } from './failed.js'

/** Every question of a life at every depth, for formats that list them all. */
export function questionResults(plan: Pick<Plan, 'suites'>): (life: LifeResults) => QuestionResult[] {
  const scenarioOf = scenarioNames(plan)
  return ({ planned, results, verdictAt }) => {
    const { suite, key } = planned
    const scenario = scenarioOf(planned)
    const found = byDepth(results)
    return results.flatMap((result): QuestionResult[] => {
      const { question, depth, assessment, witness, grade } = result
      if (assessment.outcome === null) return []
      const { answerScore } = suite
      const isUncounted =
        assessment.outcome === 'correct' && answerScore?.passed(scoredQuestion(result, pairOf(result, found))) === false
      return [
        {
          suite: suite.name,
          task: question.task,
          subject: key.subject,
          depth,
          ...(scenario !== undefined && { scenario }),
          id: question.id,
          text: question.text,
          outcome: assessment.outcome,
          message: whyFailed(assessment, grade, (fact) => verdictAt(witness.probe, fact)),
          ...(answerScore && isUncounted && { uncounted: answerScore.uncounted }),
        },
      ]
    })
  }
}
