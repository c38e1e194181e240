import type { Criterion, CriterionVerdict, Judge, Question } from '../model/index.js'
import type { CriteriaCase } from './gold.js'
import { groupedBy, type LabelAgreement, labelAgreement } from './label-agreement.js'
import { votePattern } from './panel/agreement.js'

type YesNo = 'yes' | 'no'

/** How a judge agrees with labelled criteria. */
export type CriteriaAgreement = LabelAgreement<YesNo>

export interface CriteriaEvaluation extends CriteriaAgreement {
  byTask: Record<string, CriteriaAgreement>
  /** By what a criterion is for: `presence` or `forgetting`. */
  byType: Record<string, CriteriaAgreement>
  /** By how many judges of a panel said what; only where a panel judged. */
  byVotes?: Record<string, CriteriaAgreement>
  /** The same with those an annotator was unsure of. */
  withBorderline: CriteriaAgreement
}

/** One labelled criterion with the judge's word on it. */
interface CriterionComparison {
  /** Id of the answer. */
  case: string
  task: string
  type: Criterion['type']
  borderline: boolean
  label: YesNo
  verdict: CriterionVerdict
}

/**
 * Runs a judge over answers with labelled criteria. Borderline ones are left out, apart from a figure of their own.
 *
 * @example (await evaluateCriteria(judge, parseCriteria(text, file))).certain.accuracy
 */
export async function evaluateCriteria(
  judge: Judge,
  cases: readonly CriteriaCase[],
  signal?: AbortSignal,
): Promise<CriteriaEvaluation> {
  return summarizeCriteria(await compareCriteria(judge, cases, signal))
}

/** The verdicts beside the labels, in order of the cases. */
async function compareCriteria(
  judge: Judge,
  cases: readonly CriteriaCase[],
  signal?: AbortSignal,
): Promise<CriterionComparison[]> {
  const found: CriterionComparison[] = []
  for (const one of cases) {
    const graded = await judge.judgeAnswer(questionOf(one), one.answer, signal)
    const verdicts = graded.grade === 'error' ? undefined : graded.criteria
    one.criteria.forEach(({ id, type, label, borderline = false }, i) => {
      const verdict = verdicts?.[i] ?? { id, answer: null, uncertain: true, reason: graded.reason }
      found.push({ case: one.id, task: one.task, type: typeOf(type), borderline, label, verdict })
    })
  }
  return found
}

export function questionOf({ id, task, question, criteria, others = [] }: CriteriaCase): Question {
  const asked = [...criteria, ...others].map(
    ({ id: key, question: text, type, expected, asks }): Criterion => ({
      id: key,
      text,
      expected,
      type: typeOf(type),
      facts: [],
      ...(asks && { asks }),
    }),
  )
  const gold = { kind: 'criteria' as const, criteria: asked, text: '' }
  return { id, task, text: question, needs: [], outdated: [], gold, tags: {} }
}

function typeOf(type: CriteriaCase['criteria'][number]['type']): Criterion['type'] {
  return type === 'memory_presence' ? 'presence' : 'forgetting'
}

/** Agreement overall, by task and by type of criterion. */
function summarizeCriteria(comparisons: readonly CriterionComparison[]): CriteriaEvaluation {
  const clear = comparisons.filter(({ borderline }) => !borderline)
  const voted = clear.flatMap((one) => {
    const votes = one.verdict.votes?.map(({ answer }) => answer)
    return votes ? [{ one, votes: votePattern(votes) }] : []
  })
  const ballots = (own: readonly (typeof voted)[number][]) => criteriaAgreement(own.map(({ one }) => one))
  return {
    ...criteriaAgreement(clear),
    byTask: groupedBy(clear, ({ task }) => task, criteriaAgreement),
    byType: groupedBy(clear, ({ type }) => type, criteriaAgreement),
    ...(voted.length > 0 && { byVotes: groupedBy(voted, ({ votes }) => votes, ballots) }),
    withBorderline: criteriaAgreement(comparisons),
  }
}

/** Accuracy, Cohen's kappa and confusion of a list of comparisons. */
function criteriaAgreement(list: readonly CriterionComparison[]): CriteriaAgreement {
  return labelAgreement(
    ['yes', 'no'],
    list.map(({ label, verdict: { answer, uncertain } }) => ({ label, given: answer, uncertain })),
  )
}
