import type { AnswerScore, Cell, ScoredQuestion } from '../../model/index.js'
import { BEFORE, PAPER_TASKS } from './episode.js'

type Scores = Record<string, number | null>

/** Tasks whose passes count only when the value was known before the change; silence would pass them by itself. */
const FILTERED = new Set([
  'cascade',
  'absence',
  'deletion',
  'conditioned-cascade',
  'implicit-absence',
  'control-unchanged',
  'control-hypothetical',
  'control-revoked',
])

/** Tasks that ask what follows from a change. */
const CHANGED = new Set(['cascade', 'absence', 'conditioned-cascade', 'implicit-absence'])

/**
 * The scores of one task. With a reader they are about answers, without one about evidence.
 *
 * - `score`: passed, and known before the change where that matters; what the paper reports.
 * - `trivial`: passed without ever having known; `knew_but_failed`, `never_knew`: the two ways to fail.
 * - `partial`: share of values given, for tracking of those in the right order; `greedy` is the paper's own count of that.
 *
 * Where a cell has several amounts of filler, all of them are also given for each, as `score_32k` and so on.
 */
export function scoreMeme(results: readonly ScoredQuestion[], about: { reader: boolean }): Scores {
  if (results.length === 0 || results[0]!.question.task === BEFORE) return {}
  const fillers = [...new Set(results.map(({ question }) => question.tags.filler ?? ''))]
  const parts = fillers.length < 2 ? [] : fillers
  const byFiller = parts.flatMap((filler) => {
    const own = results.filter(({ question }) => (question.tags.filler ?? '') === filler)
    return Object.entries(scoresOf(own, about)).map(([name, value]) => [`${name}_${filler}`, value] as const)
  })
  return { ...scoresOf(results, about), ...Object.fromEntries(byFiller) }
}

type Passing = (result: { answer: boolean | null; evidence: boolean | null }) => boolean

/** What became of a question for the paper: passed for good, passed without ever having known, and the two ways to fail. */
type Way = 'score' | 'trivial' | 'knew_but_failed' | 'never_knew'

/** Null where the question before the change could not be measured, so that nobody knows whether the value was known. */
function wayOf(result: ScoredQuestion, passed: Passing): Way | null {
  const filtered = FILTERED.has(result.question.task)
  if (filtered && result.pair === null) return null
  const knew = !filtered || passed(result.pair!)
  return passed(result) ? (knew ? 'score' : 'trivial') : knew ? 'knew_but_failed' : 'never_knew'
}

/** The paper's score stands for the answer: silence passes deletions and absences that it never knew anything of. */
export const answerScore: AnswerScore = {
  score: 'score',
  uncounted: { name: 'trivial pass', why: 'The answer passes, but the value was not known before the change.' },
  passed(result) {
    if (result.question.task === BEFORE) return null
    const way = wayOf(result, ({ answer }) => answer === true)
    return way === null ? null : way === 'score'
  },
}

function scoresOf(results: readonly ScoredQuestion[], { reader }: { reader: boolean }): Scores {
  const passed: Passing = ({ answer, evidence }) => (reader ? answer : evidence) === true
  const counts = { score: 0, trivial: 0, knew_but_failed: 0, never_knew: 0 }
  let unpaired = 0
  for (const result of results) {
    const way = wayOf(result, passed)
    if (way === null) unpaired++
    else counts[way]++
  }
  const n = results.length - unpaired
  const share = (count: number) => (n === 0 ? null : count / n)
  const { task } = results[0]!.question
  // What is told of stores and retrieval needs verdicts on facts.
  const judged = results.filter(({ outcome }) => outcome !== 'error')
  return {
    score: share(counts.score),
    ...(FILTERED.has(task) && {
      trivial: share(counts.trivial),
      knew_but_failed: share(counts.knew_but_failed),
      never_knew: share(counts.never_knew),
    }),
    ...sides(judged, task),
    ...missing(judged, task, passed),
    ...credits(results, task, reader),
  }
}

/** Names of what a store did with a value that was to be forgotten, as scores. */
const REMOVALS = {
  removed: 'removed',
  tombstoned: 'tombstoned',
  tombstone_repeats: 'tombstone repeats the value',
  still_live: 'still live',
} as const

/** Shares of what the stores did: whether a series can still be put in order, and what became of values to be forgotten. */
function sides(results: readonly ScoredQuestion[], task: string): Scores {
  const share = (name: string, value: string) =>
    results.length === 0 ? null : results.filter(({ side }) => side[name] === value).length / results.length
  if (task === 'tracking') return { order_kept: share('order', 'kept') }
  if (task !== 'deletion') return {}
  return Object.fromEntries(Object.entries(REMOVALS).map(([score, value]) => [score, share('removal', value)]))
}

/**
 * Of the questions about a change that failed although the value was known before: how often the change itself was not retrieved, and how
 * often the rule or dependency was not, as in the paper's Table 17.
 */
function missing(results: readonly ScoredQuestion[], task: string, passed: Passing): Scores {
  if (!CHANGED.has(task)) return {}
  const failed = results.filter((result) => !passed(result) && result.pair !== null && passed(result.pair))
  const share = (kinds: readonly string[]) => {
    const without = failed.filter(({ facts }) =>
      facts.some(({ id, retrieved }) => !retrieved && kinds.some((kind) => id.startsWith(`${kind}:`))),
    )
    return failed.length === 0 ? null : without.length / failed.length
  }
  return { change_missing: share(['change']), rule_missing: share(['rule', 'dep']) }
}

function credits(results: readonly ScoredQuestion[], task: string, reader: boolean): Scores {
  const mean = (of: (result: ScoredQuestion) => number) =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length
  if (!reader) {
    const kept = ({ facts }: ScoredQuestion) =>
      facts.length === 0 ? 0 : facts.filter(({ retrieved }) => retrieved).length / facts.length
    return task === 'aggregation' || task === 'tracking' ? { partial: mean(kept) } : {}
  }
  const credit = (name: string) =>
    mean(({ verdict }) => (verdict && 'credit' in verdict ? (verdict.credit?.[name] ?? 0) : 0))
  if (task === 'aggregation') return { partial: credit('partial') }
  if (task === 'tracking') return { partial: credit('partial'), greedy: credit('greedy') }
  if (task === 'exact-recall') return { longest_run: credit('longest run') }
  return {}
}

/**
 * The six tasks of the paper together: every task alike (macro, as in the paper's table), and every question alike (micro). Where there
 * are several amounts of filler, macro is also given for each.
 */
export function overallMeme(cells: readonly Cell[]): Scores {
  const six = PAPER_TASKS.flatMap((task) => cells.filter((cell) => cell.task === task && cell.scores.score != null))
  if (six.length < PAPER_TASKS.length) return { macro: null, micro: null }
  const weight = ({ n, errors, answer }: Cell) => answer?.n ?? n - errors
  const total = six.reduce((sum, cell) => sum + weight(cell), 0)
  const macro = (ending: string): [string, number | null] => {
    const values = six.flatMap(({ scores }) => scores[`score${ending}`] ?? [])
    const known = values.length === six.length
    return [`macro${ending}`, known ? values.reduce((sum, value) => sum + value, 0) / six.length : null]
  }
  const endings = Object.keys(six[0]!.scores).flatMap((name) => /^score(_.+)/.exec(name)?.[1] ?? [])
  return {
    ...Object.fromEntries(['', ...endings].map(macro)),
    micro: total === 0 ? null : six.reduce((sum, cell) => sum + weight(cell) * cell.scores.score!, 0) / total,
  }
}
