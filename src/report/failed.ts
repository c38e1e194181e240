import type { Assessment } from '../analysis/assess.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { type AnswerVerdict, type FactVerdict, questionsOf } from '../model/index.js'

/** Why a question failed, in the words of the judge on what decided it: a fact, or else the answer. */
export function whyFailed(
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
