import { hasCriteria, MISSES } from '../criteria.js'
import { html } from '../escape.js'
import { count, NONE } from '../format.js'
import type { Row, TaskView } from '../view.js'
import { section, share, table } from './parts.js'

/** Scores with their heads, and what an empty answer gets of each. */
const SCORES = [
  ['fama', 'FAMA', 'fama_null'],
  ['fama_normalised', 'above an empty answer', null],
  ['fama_judged', 'judged criteria only', 'fama_null'],
  ['fama_as_coded', 'as coded', 'fama_null'],
  ['fama_corrected', 'corrected', 'fama_corrected_null'],
  ['mpa', 'presence (MPA)', 'mpa_null'],
  ['faa', 'forgetting (FAA)', 'faa_null'],
  ['reduction', 'reduction', null],
] as const

/** Where nobody answered. */
const EVIDENCE = [
  ['evidence_presence', 'needed facts retrieved', null],
  ['evidence_forgetting', 'outdated ones not left standing', null],
  ['outdated_in_store', 'outdated ones still in the store', null],
  ['fama_null', 'FAMA of an empty answer', null],
] as const

/** Tasks that are graded by criteria: forgetting-aware accuracy in all its variants, and where missed criteria were lost. */
export function criteria(tasks: readonly TaskView[]): string {
  const own = tasks.filter(hasCriteria)
  if (own.length === 0) return ''
  const rowsOf = (cells: (row: Row) => string[]) =>
    own.flatMap((task) => task.rows.map((row) => [html(task.name), html(row.label), ...cells(row)]))
  const heads = (...names: string[]) => [
    { head: 'task' },
    { head: 'system' },
    ...names.map((head) => ({ head, num: true })),
  ]
  const read = own.some((task) => task.rows.some(({ shown }) => shown.scores.fama != null))
  const columns = read ? SCORES : EVIDENCE
  const accuracy = table(
    read
      ? 'Forgetting-aware accuracy in per cent; beside it, small, what an empty answer gets'
      : 'Evidence of presence and of forgetting in per cent, means over questions',
    heads(...columns.map(([, words]) => words)),
    rowsOf(({ shown: { scores } }) =>
      columns.map(([name, , empty]) => {
        const silent = empty && scores[empty]
        return silent == null
          ? signed(scores[name])
          : `${signed(scores[name])} <span class="ci">${share(silent)}</span>`
      }),
    ),
  )
  const misses = MISSES.filter(([name]) =>
    own.some((task) => task.rows.some(({ shown }) => shown.scores[name] != null)),
  )
  const lost = table(
    read ? 'Missed criteria by their first cause' : 'Criteria without their evidence, by first cause',
    heads('criteria', 'missed', ...misses.map(([, words]) => words), 'not judged'),
    rowsOf(({ shown: { scores } }) =>
      ['criteria', 'criteria_missed', ...misses.map(([name]) => name), 'criteria_unjudged'].map((name) =>
        scores[name] == null ? NONE : count(scores[name]),
      ),
    ),
  )
  return section(
    'criteria',
    'Remembering and forgetting',
    read
      ? 'FAMA is presence less what should have been forgotten, at the default depth. “Above an empty answer” is how much of the way from what silence gets to the full score was gone. A criterion that no judge could decide counts as incorrect, as in the paper; “judged criteria only” leaves it out, and so do the causes below.'
      : 'Nobody answered, so there is no FAMA: a criterion is missed when its evidence is, at the default depth. Shares of facts are worked out for each question and averaged, so every question weighs the same; “Where facts die” takes all facts of a task together.',
    accuracy + lost,
  )
}

function signed(value: number | null | undefined): string {
  return value != null && value < 0 ? `−${share(-value)}` : share(value)
}
