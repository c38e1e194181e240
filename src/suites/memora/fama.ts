import { meanOfKnown } from '../../base/sums.js'
import type { Criterion, CriterionVerdict, Question, ScoredQuestion } from '../../model/index.js'

/** The criteria of a question, in order. */
export const criteriaOf = ({ gold }: Pick<Question, 'gold'>): readonly Criterion[] =>
  gold.kind === 'criteria' ? gold.criteria : []

/** A judge's word on each of them; null when there is none. */
export const verdictsOf = (verdict: ScoredQuestion['verdict']): readonly CriterionVerdict[] | null =>
  verdict && verdict.grade !== 'error' ? (verdict.criteria ?? null) : null

/** A criterion, and whether an answer met it. */
export interface Marked {
  criterion: Criterion
  met: boolean
}

/** Forgetting-aware accuracy of one answer and what it is made of; null where nothing was to be present. */
export type FamaParts = Record<'fama' | 'mpa' | 'faa', number | null>

/**
 * FAMA of one answer: the share of presence criteria met (MPA), less the share of forgetting criteria not met weighted by their part in
 * all criteria, and never below 0. `faa` is null where there is nothing to forget; it costs nothing then. Without presence criteria there
 * is no score: the published code gives 0, which none of the published questions comes to.
 */
export function fama(marks: readonly Marked[]): FamaParts {
  const of = (type: Criterion['type']) => marks.filter(({ criterion }) => criterion.type === type)
  const [presence, forgetting] = [of('presence'), of('forgetting')]
  const met = (some: readonly Marked[]) => some.filter((one) => one.met).length / some.length
  const faa = forgetting.length === 0 ? null : met(forgetting)
  if (presence.length === 0) return { fama: null, mpa: null, faa }
  const mpa = met(presence)
  const lambda = forgetting.length / marks.length
  return { fama: Math.max(0, mpa - lambda * (1 - (faa ?? 1))), mpa, faa }
}

/** The same marks with every criterion once, and what is only to be avoided asked of forgetting. */
export function corrected(marks: readonly Marked[]): Marked[] {
  const seen = new Map<string, Marked>()
  for (const { criterion, met } of marks) {
    const type = criterion.asks?.act === 'avoid' ? 'forgetting' : criterion.type
    const key = JSON.stringify([type, ...identity(criterion)])
    if (!seen.has(key)) seen.set(key, { criterion: { ...criterion, type }, met })
  }
  return [...seen.values()]
}

/** What an empty answer is worth: it meets whatever silence meets. */
export function nullMarks(criteria: readonly Criterion[]): Marked[] {
  return criteria.map((criterion) => {
    const said = criterion.asks?.act === 'avoid' ? 'yes' : 'no'
    return { criterion, met: said === criterion.expected }
  })
}

/**
 * What an empty answer gets: the mean FAMA over some questions, 0 to 1; null when there are none.
 *
 * @example nullFloor(questionsOf(scenario).filter(({ task }) => task === 'recommending'))
 */
export function nullFloor(questions: readonly Question[]): number | null {
  return meanOfKnown(questions.map((question) => fama(nullMarks(criteriaOf(question))).fama ?? 0))
}

/**
 * A criterion as the published code counts it: met when more than half of the votes that came are the expected one. An unclear vote came
 * and is wrong, a tie is wrong, and where no vote came the criterion is wrong too.
 */
export function markedAsCoded(criterion: Criterion, verdict: CriterionVerdict | undefined): Marked {
  const votes = verdict?.votes?.flatMap(({ answer }) => answer ?? []) ?? (verdict?.answer ? [verdict.answer] : [])
  const right = votes.filter((vote) => vote === criterion.expected).length
  return { criterion, met: votes.length > 0 && right > votes.length / 2 }
}

/** By what a criterion is the same as another, however it is worded. */
function identity({ asks, text, expected }: Criterion): unknown[] {
  if (!asks) return [text]
  const { act, forms, numbers = [], status } = asks
  return [act, expected, forms.map((form) => form.toLowerCase()).sort(), numbers, status?.forms ?? []]
}
