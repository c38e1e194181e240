import type { Criterion, CriterionVerdict, Judge, Question } from '../model/index.js'
import type { CriteriaCase } from './gold.js'

type YesNo = 'yes' | 'no'

/** How a judge agrees with labelled criteria. Shares are null when there is nothing to compare. */
export interface CriteriaAgreement {
  n: number
  accuracy: number | null
  kappa: number | null
  /** Verdicts the judge itself calls uncertain. */
  uncertain: number
  /** Criteria without a verdict. They count as no agreement. */
  unjudged: number
  /** `confusion[label][judge]`; what got no verdict is in neither column. */
  confusion: Record<YesNo, Record<YesNo, number>>
  /** The verdicts the judge is certain of. */
  certain: { n: number; accuracy: number | null }
}

export interface CriteriaEvaluation extends CriteriaAgreement {
  byTask: Record<string, CriteriaAgreement>
  /** By what a criterion is for: `presence` or `forgetting`. */
  byType: Record<string, CriteriaAgreement>
  /** The same with those an annotator was unsure of. */
  withBorderline: CriteriaAgreement
}

/** One labelled criterion with the judge's word on it. */
export interface CriterionComparison {
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
export async function compareCriteria(
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

function questionOf({ id, task, question, criteria }: CriteriaCase): Question {
  const asked = criteria.map(
    ({ id: key, question: text, type, expected }): Criterion => ({
      id: key,
      text,
      type: typeOf(type),
      expected,
      facts: [],
    }),
  )
  const gold = { kind: 'criteria' as const, criteria: asked, text: '' }
  return { id, task, text: question, needs: [], outdated: [], gold, tags: {} }
}

function typeOf(type: CriteriaCase['criteria'][number]['type']): Criterion['type'] {
  return type === 'memory_presence' ? 'presence' : 'forgetting'
}

/** Agreement overall, by task and by type of criterion. */
export function summarizeCriteria(comparisons: readonly CriterionComparison[]): CriteriaEvaluation {
  const clear = comparisons.filter(({ borderline }) => !borderline)
  const by = (key: (one: CriterionComparison) => string) =>
    Object.fromEntries(
      [...new Set(clear.map(key))]
        .sort()
        .map((name) => [name, criteriaAgreement(clear.filter((one) => key(one) === name))]),
    )
  return {
    ...criteriaAgreement(clear),
    byTask: by(({ task }) => task),
    byType: by(({ type }) => type),
    withBorderline: criteriaAgreement(comparisons),
  }
}

/** Accuracy, Cohen's kappa and confusion of a list of comparisons. */
export function criteriaAgreement(list: readonly CriterionComparison[]): CriteriaAgreement {
  const confusion = { yes: { yes: 0, no: 0 }, no: { yes: 0, no: 0 } }
  for (const { label, verdict } of list) if (verdict.answer !== null) confusion[label][verdict.answer]++
  const { yes, no } = confusion
  const judged = yes.yes + yes.no + no.yes + no.no
  const chance =
    ((yes.yes + yes.no) * (yes.yes + no.yes) + (no.yes + no.no) * (yes.no + no.no)) / Math.max(1, judged * judged)
  const hits = yes.yes + no.no
  const certain = list.filter(({ verdict }) => !verdict.uncertain)
  const certainHits = certain.filter(({ label, verdict }) => label === verdict.answer).length
  return {
    n: list.length,
    accuracy: list.length > 0 ? hits / list.length : null,
    kappa: judged > 0 && chance < 1 ? (hits / judged - chance) / (1 - chance) : null,
    uncertain: list.length - certain.length,
    unjudged: list.length - judged,
    confusion,
    certain: { n: certain.length, accuracy: certain.length > 0 ? certainHits / certain.length : null },
  }
}
