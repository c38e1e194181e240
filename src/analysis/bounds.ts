import type { AnswerVerdict, Question } from '../model/index.js'
import { type Assessment, assessQuestion, type Evidence, type Lean } from './assess.js'

/** What a question comes to when everything uncertain goes one way. */
export interface LeaningResult {
  assessment: Assessment
  grade: AnswerVerdict | null
}

/** A question at both ends of what its uncertain verdicts allow; null when there is none among them. */
export type ResultBounds = Record<Lean, LeaningResult> | null

/** Assesses a question twice more where a verdict behind it is uncertain. */
export function boundsOf(evidence: Evidence): ResultBounds {
  const { question, answered, correctionsOf } = evidence
  const facts = [...question.needs.flat(), ...question.outdated, ...(question.gone ?? [])]
  const looked = [...facts, ...question.outdated.flatMap((id) => correctionsOf(id))]
  const isUnsure = looked.some((id) => evidence.inStore?.(id)?.uncertain || evidence.inRetrieved?.(id)?.uncertain)
  if (!isUnsure && !isUnsureGrade(answered?.verdict ?? null)) return null
  const leaning = (lean: Lean): LeaningResult => {
    const grade = leaned(answered?.verdict ?? null, question, lean)
    return {
      grade,
      assessment: assessQuestion({ ...evidence, lean, answered: answered && { ...answered, verdict: grade } }),
    }
  }
  return { worst: leaning('worst'), best: leaning('best') }
}

function isUnsureGrade(verdict: AnswerVerdict | null): boolean {
  if (!verdict || verdict.grade === 'error') return false
  return verdict.uncertain || (verdict.criteria ?? []).some(({ uncertain }) => uncertain)
}

/** A verdict with what is uncertain in it decided; where it has criteria, one by one. */
function leaned(verdict: AnswerVerdict | null, { gold }: Question, lean: Lean): AnswerVerdict | null {
  if (!verdict || verdict.grade === 'error' || !isUnsureGrade(verdict)) return verdict
  if (gold.kind !== 'criteria' || !verdict.criteria)
    return { ...verdict, grade: lean === 'best' ? 'right' : 'wrong', uncertain: false }
  const expected = new Map(gold.criteria.map((criterion) => [criterion.id, criterion.expected]))
  const criteria = verdict.criteria.map((one) => {
    const wanted = expected.get(one.id)
    if (!one.uncertain || one.answer === null || wanted === undefined) return one
    const other = wanted === 'yes' ? 'no' : 'yes'
    return { ...one, answer: lean === 'best' ? wanted : other, uncertain: false } as const
  })
  const isRight = criteria.every((one) => one.answer === expected.get(one.id))
  return { ...verdict, criteria, grade: isRight ? 'right' : 'wrong', uncertain: false }
}
