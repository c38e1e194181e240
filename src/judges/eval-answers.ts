import type { AnswerCase, AnswerVerdict, Judge } from '../model/index.js'
import { type AnswerGold, answerCaseOf } from './gold.js'
import { groupedBy, type LabelAgreement, type Labelled, labelAgreement } from './label-agreement.js'

export const GRADES = ['right', 'wrong'] as const

type Grade = (typeof GRADES)[number]

/** How a judge agrees with labelled answers. */
export interface AnswersEvaluation extends LabelAgreement<Grade> {
  byTask: Record<string, LabelAgreement<Grade>>
  /** By how they are graded: `list`, `current`, `abstain`, … */
  byKind: Record<string, LabelAgreement<Grade>>
}

interface Comparison extends Labelled<Grade> {
  task: string
  kind: string
}

/**
 * Runs a judge over labelled answers. An answer without a grade counts as no agreement.
 *
 * @example (await evaluateAnswers(judge, cases)).kappa
 */
export async function evaluateAnswers(
  judge: Judge,
  cases: readonly AnswerGold[],
  signal?: AbortSignal,
): Promise<AnswersEvaluation> {
  const verdicts = await answersBy(judge, cases.map(answerCaseOf), signal)
  const list = cases.map(({ task, gold: { kind }, label }, i): Comparison => {
    const verdict = verdicts[i]!
    return verdict.grade === 'error'
      ? { task, kind, label, given: null, uncertain: true }
      : { task, kind, label, given: verdict.grade, uncertain: verdict.uncertain }
  })
  const agreement = (own: readonly Comparison[]) => labelAgreement(GRADES, own)
  return {
    ...agreement(list),
    byTask: groupedBy(list, ({ task }) => task, agreement),
    byKind: groupedBy(list, ({ kind }) => kind, agreement),
  }
}

function answersBy(judge: Judge, items: readonly AnswerCase[], signal?: AbortSignal): Promise<AnswerVerdict[]> {
  if (judge.judgeAnswers) return judge.judgeAnswers(items, signal)
  return Promise.all(items.map(({ question, answer }) => judge.judgeAnswer(question, answer, signal)))
}
