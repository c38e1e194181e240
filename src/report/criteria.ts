import { count, NONE, percent } from './format.js'
import type { Row, TaskView } from './view.js'

/** Causes of missed criteria, as scores name them and as people read them. */
export const MISSES = [
  ['partial_retrieval', 'partial retrieval'],
  ['outdated_kept', 'outdated memory kept'],
  ['never_stored', 'never stored'],
  ['damaged', 'stored damaged'],
  ['misread', 'misread'],
] as const

/** Whether a task is graded by criteria on what is to be there and what is to be forgotten. */
export function hasCriteria(task: TaskView): boolean {
  return task.rows.some(({ shown }) => typeof shown.scores.criteria === 'number')
}

/**
 * What became of the criteria of a task, a sentence a row, with what an empty answer would get beside every score.
 *
 * @example "bm25: FAMA 19 % (an empty answer: 0 %), presence 19 %, forgetting 75 %; misses 24 of 39 criteria: partial retrieval 23, misread 1."
 */
export function criteriaFindings(task: TaskView): string[] {
  if (!hasCriteria(task)) return []
  const rows = task.rows.filter(({ kind, shown }) => kind === 'system' || shown.scores.fama != null)
  return (rows.length > 0 ? rows : task.rows).filter(({ shown }) => shown.scores.criteria != null).map(said)
}

function said({ label, shown: { scores } }: Row): string {
  const empty = `an empty answer: ${withSign(scores.fama_null)}`
  const causes = MISSES.flatMap(([name, words]) => (scores[name] ? [`${words} ${count(scores[name])}`] : []))
  const of = `${count(scores.criteria_missed ?? 0)} of ${count(scores.criteria ?? 0)} criteria`
  const open = scores.criteria_unjudged ? `; ${count(scores.criteria_unjudged)} more could not be judged` : ''
  const why = `${causes.length > 0 ? `: ${causes.join(', ')}` : ''}${open}.`
  if (scores.fama == null) return `${label}: no evidence for ${of}${why} FAMA of ${empty}.`
  const parts = `presence ${withSign(scores.mpa)}, forgetting ${withSign(scores.faa)}`
  return `${label}: FAMA ${withSign(scores.fama)} (${empty}), ${parts}; misses ${of}${why}`
}

function withSign(rate: number | null | undefined): string {
  return rate == null ? NONE : `${percent(rate)} %`
}
