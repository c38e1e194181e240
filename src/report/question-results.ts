import type { Assessment } from '../analysis/assess.js'
import type { LifeResults } from '../analysis/results.js'
import { byDepth, pairOf, scoredQuestion } from '../analysis/scores.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { type AnswerVerdict, type FactVerdict, questionsOf } from '../model/index.js'
import type { QuestionResult } from './report-data.js'

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
      const place = { suite: suite.name, task: question.task, subject: key.subject, depth, scenario }
      const message = whyFailed(assessment, grade, (fact) => verdictAt(witness.probe, fact))
      const uncounted = isUncounted ? answerScore?.uncounted : undefined
      return [{ ...place, id: question.id, text: question.text, outcome: assessment.outcome, message, uncounted }]
    })
  }
}

/** Why a question failed, in the words of the judge on what decided it: a fact, or else the answer. */
function whyFailed(
  assessment: Pick<Assessment, 'outcome' | 'facts' | 'outdated' | 'error'>,
  grade: Pick<AnswerVerdict, 'reason'> | null,
  verdictOf: (fact: string) => Pick<FactVerdict, 'reason'> | undefined,
): string {
  if (assessment.error !== undefined) return assessment.error
  const fact = decisiveFact(assessment)
  const verdict = fact === undefined ? undefined : verdictOf(fact)
  if (!verdict) return grade?.reason ?? ''
  const stored = assessment.outcome === 'not_retrieved' ? 'stored, but not retrieved. ' : ''
  return `${fact}: ${stored}${verdict.reason}`
}

/** The first fact that did not pass the stage at which a question failed. */
function decisiveFact({ outcome, facts, outdated }: Pick<Assessment, 'outcome' | 'facts' | 'outdated'>) {
  switch (outcome) {
    case 'not_stored':
      return facts.find(({ stored }) => stored === false)?.id
    case 'summary_error':
      return facts.find(({ faithful }) => faithful === false)?.id
    case 'not_retrieved':
    case 'unavailable':
      return facts.find(({ retrieved }) => !retrieved)?.id
    case 'stale_memory':
      return outdated.find(({ standing }) => standing)?.id
    default:
      return undefined
  }
}

/** Names scenarios in suites in which several have questions of the same ids, which would look alike otherwise. */
export function scenarioNames({ suites }: Pick<Plan, 'suites'>): (life: PlannedLife) => string | undefined {
  const alike = new Set(
    suites
      .filter(({ scenarios }) => {
        const ids = scenarios.flatMap((scenario) => questionsOf(scenario).map(({ id }) => id))
        return new Set(ids).size < ids.length
      })
      .map(({ suite }) => suite.name),
  )
  return ({ suite, scenario }) => (alike.has(suite.name) ? scenario.id.replace(`${suite.name}/`, '') : undefined)
}
