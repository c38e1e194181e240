import { count, NONE, percent, signedPercent } from '../../base/figures.js'
import {
  type RowResults,
  type Score,
  type SuiteResults,
  type SuiteSection,
  type SuiteTable,
  scoresByName,
  type TableCell,
  type TaskResults,
} from '../../model/index.js'
import { CAUSE_WORDS } from './attribution.js'

/** Scores with their heads, and what an empty answer gets of each. */
const SCORES: readonly [name: string, words: string, empty?: string][] = [
  ['fama', 'FAMA', 'fama_null'],
  ['fama_normalised', 'above an empty answer'],
  ['fama_judged', 'judged criteria only', 'fama_null'],
  ['fama_as_coded', 'as coded', 'fama_null'],
  ['fama_corrected', 'corrected', 'fama_corrected_null'],
  ['mpa', 'presence (MPA)', 'mpa_null'],
  ['faa', 'forgetting (FAA)', 'faa_null'],
  ['reduction', 'reduction'],
]

/** Where nobody answered. */
const EVIDENCE: typeof SCORES = [
  ['evidence_presence', 'needed facts retrieved'],
  ['evidence_forgetting', 'outdated ones not left standing'],
  ['outdated_in_store', 'outdated ones still in the store'],
  ['fama_null', 'FAMA of an empty answer'],
]

/** Causes of missed criteria, as scores name them and as people read them; `cause_unknown` only where facts could not be judged. */
const MISSES: readonly [name: string, words: string][] = [
  ...(['partial_retrieval', 'outdated_kept', 'never_stored', 'damaged', 'misread'] as const).map(
    (cause): [string, string] => [cause, CAUSE_WORDS[cause]],
  ),
  ['cause_unknown', 'cause not known'],
]

const ANSWERED = [
  'FAMA is presence less what should have been forgotten, at the default depth.',
  '“Above an empty answer” is how much of the way from what silence gets to the full score was gone.',
  'A criterion that no judge could decide counts as incorrect, as in the paper; “judged criteria only” leaves it out, and',
  'so do the causes below.',
]
const UNANSWERED = [
  'Nobody answered, so there is no FAMA: a criterion is missed when its evidence is, at the default depth.',
  'Shares of facts are worked out for each question and averaged, so every question weighs the same; “Where facts die”',
  'takes all facts of a task together.',
]

/** Forgetting-aware accuracy in all its variants, and where missed criteria were lost. */
export function memoraSections({ tasks }: SuiteResults): SuiteSection[] {
  const own = tasks.filter(({ rows }) => rows.some(({ shown }) => isGraded(shown.scores)))
  if (own.length === 0) return []
  const named = own.flatMap(({ name, rows }) =>
    rows.map(({ label, shown }) => ({ head: [name, label], scores: scoresByName(shown.scores) })),
  )
  const read = named.some(({ scores }) => scores.fama != null)
  const columns = read ? SCORES : EVIDENCE
  const misses = MISSES.filter(([name]) => named.some(({ scores }) => scores[name] != null))
  const counts = ['criteria', 'criteria_missed', ...misses.map(([name]) => name), 'criteria_unjudged']
  const accuracy: SuiteTable = {
    kind: 'table',
    title: read
      ? 'Forgetting-aware accuracy in per cent; beside it, small, what an empty answer gets'
      : 'Evidence of presence and of forgetting in per cent, means over questions',
    columns: ['task', 'system', ...columns.map(([, words]) => words)],
    names: 2,
    rows: named.map(({ head, scores }) => [
      ...head,
      ...columns.map(([name, , empty]): TableCell => {
        const text = signedPercent(scores[name])
        const silent = empty === undefined ? null : scores[empty]
        return silent == null ? text : { text, beside: percent(silent) }
      }),
    ]),
  }
  const lost: SuiteTable = {
    kind: 'table',
    title: read ? 'Missed criteria by their first cause' : 'Criteria without their evidence, by first cause',
    columns: ['task', 'system', 'criteria', 'missed', ...misses.map(([, words]) => words), 'not judged'],
    names: 2,
    rows: named.map(({ head, scores }) => [
      ...head,
      ...counts.map((name) => (scores[name] == null ? NONE : count(scores[name]))),
    ]),
  }
  return [
    {
      id: 'criteria',
      title: 'Remembering and forgetting',
      intro: (read ? ANSWERED : UNANSWERED).join(' '),
      parts: [accuracy, lost],
    },
  ]
}

/**
 * What became of the criteria of a task, with what an empty answer would get beside every score: a sentence a row, or where nobody
 * answered one for all.
 *
 * @example "bm25: FAMA 19 % (an empty answer: 0 %), presence 19 % (0 %), forgetting 75 % (100 %); misses 24 of 39 criteria: partial retrieval 23, misread 1."
 */
export function memoraFindings({ rows }: TaskResults): string[] {
  const known = rows
    .filter(({ shown }) => isGraded(shown.scores))
    .map((row) => ({ row, scores: scoresByName(row.shown.scores) }))
  const read = known.filter(({ scores }) => scores.fama != null)
  if (known.length === 0) return []
  if (read.length > 0) return read.map(({ row, scores }) => answered(row, scores))
  // Of yardsticks only what they miss is news.
  const told = known.filter(({ row, scores }) => row.kind === 'system' || (scores.criteria_missed ?? 0) > 0)
  const { criteria, fama_null: empty } = known[0]!.scores
  const each = (told.length > 0 ? told : known).map(({ row, scores }) => {
    const causes = causesOf(scores)
    return `${row.label} ${count(scores.criteria_missed ?? 0)}${causes === '' ? '' : ` (${causes})`}`
  })
  return [
    `Criteria without their evidence, of ${count(criteria ?? 0)}: ${each.join(', ')}. FAMA of an empty answer: ${withSign(empty)}.`,
  ]
}

type Values = Record<string, number | null>

function answered({ label }: RowResults, scores: Values): string {
  const causes = causesOf(scores)
  const missed = `misses ${count(scores.criteria_missed ?? 0)} of ${count(scores.criteria ?? 0)} criteria`
  const open = scores.criteria_unjudged ? `; ${count(scores.criteria_unjudged)} more could not be judged` : ''
  const beside = (empty: number | null | undefined) => (empty == null ? '' : ` (${withSign(empty)})`)
  const presence = `presence ${withSign(scores.mpa)}${beside(scores.mpa_null)}`
  const parts = `${presence}, forgetting ${withSign(scores.faa)}${beside(scores.faa_null)}`
  const fama = `FAMA ${withSign(scores.fama)} (an empty answer: ${withSign(scores.fama_null)})`
  return `${label}: ${fama}, ${parts}; ${missed}${causes === '' ? '' : `: ${causes}`}${open}.`
}

/** Whether it was graded by criteria on what is to be there and what is to be forgotten. */
function isGraded(scores: readonly Score[]): boolean {
  return scores.some(({ name, value }) => name === 'criteria' && value !== null)
}

function causesOf(scores: Values): string {
  return MISSES.flatMap(([name, words]) => (scores[name] ? [`${words} ${count(scores[name])}`] : [])).join(', ')
}

function withSign(rate: number | null | undefined): string {
  return rate == null ? NONE : `${percent(rate)} %`
}
