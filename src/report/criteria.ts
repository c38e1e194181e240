import { count, NONE, percent } from './format.js'
import type { Row, TaskView } from './view.js'

/** Causes of missed criteria, as scores name them and as people read them. */
export const MISSES = [
  ['partial_retrieval', 'partial retrieval'],
  ['outdated_kept', 'outdated memory kept'],
  ['never_stored', 'never stored'],
  ['damaged', 'stored damaged'],
  ['misread', 'misread'],
  /** Only where facts could not be judged. */
  ['cause_unknown', 'cause not known'],
] as const

/** Whether a task is graded by criteria on what is to be there and what is to be forgotten. */
export function hasCriteria(task: TaskView): boolean {
  return task.rows.some(({ shown }) => typeof shown.scores.criteria === 'number')
}

/**
 * What became of the criteria of a task, with what an empty answer would get beside every score: a sentence a row, or where nobody
 * answered one for all.
 *
 * @example "bm25: FAMA 19 % (an empty answer: 0 %), presence 19 % (0 %), forgetting 75 % (100 %); misses 24 of 39 criteria: partial retrieval 23, misread 1."
 */
export function criteriaFindings(task: TaskView): string[] {
  const known = task.rows.filter(({ shown }) => shown.scores.criteria != null)
  const read = known.filter(({ shown }) => shown.scores.fama != null)
  if (known.length === 0) return []
  if (read.length > 0) return read.map(scored)
  // Of yardsticks only what they miss is news.
  const told = known.filter(({ kind, shown }) => kind === 'system' || (shown.scores.criteria_missed ?? 0) > 0)
  const { criteria, fama_null: empty } = known[0]!.shown.scores
  const each = (told.length > 0 ? told : known).map(({ label, shown: { scores } }) => {
    const causes = causesOf(scores)
    return `${label} ${count(scores.criteria_missed ?? 0)}${causes === '' ? '' : ` (${causes})`}`
  })
  return [
    `Criteria without their evidence, of ${count(criteria ?? 0)}: ${each.join(', ')}. FAMA of an empty answer: ${withSign(empty)}.`,
  ]
}

function scored({ label, shown: { scores } }: Row): string {
  const causes = causesOf(scores)
  const missed = `misses ${count(scores.criteria_missed ?? 0)} of ${count(scores.criteria ?? 0)} criteria`
  const open = scores.criteria_unjudged ? `; ${count(scores.criteria_unjudged)} more could not be judged` : ''
  const beside = (empty: number | null | undefined) => (empty == null ? '' : ` (${withSign(empty)})`)
  const presence = `presence ${withSign(scores.mpa)}${beside(scores.mpa_null)}`
  const parts = `${presence}, forgetting ${withSign(scores.faa)}${beside(scores.faa_null)}`
  const fama = `FAMA ${withSign(scores.fama)} (an empty answer: ${withSign(scores.fama_null)})`
  return `${label}: ${fama}, ${parts}; ${missed}${causes === '' ? '' : `: ${causes}`}${open}.`
}

function causesOf(scores: Row['shown']['scores']): string {
  return MISSES.flatMap(([name, words]) => (scores[name] ? [`${words} ${count(scores[name])}`] : [])).join(', ')
}

function withSign(rate: number | null | undefined): string {
  return rate == null ? NONE : `${percent(rate)} %`
}
