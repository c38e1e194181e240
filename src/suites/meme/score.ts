import { meanOfKnown } from '../../base/sums.js'
import {
  type AnswerScore,
  type Cell,
  type ScenarioCost,
  type Score,
  type ScoredQuestion,
  type ScoreInfo,
  scoresOf,
  scoreValue,
} from '../../model/index.js'
import { COST_SCORES, costScores } from '../beside-papers.js'
import { BEFORE, PAPER_TASKS } from './episode.js'

type Values = Record<string, number | null>

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

/** The scores. With a reader they are about answers, without one about evidence. */
export const SCORES: readonly ScoreInfo[] = [
  { name: 'score', about: 'passed, and known before the change where that matters; what the paper reports' },
  { name: 'trivial', about: 'passed without ever having known' },
  { name: 'knew_but_failed', about: 'failed though it was known before' },
  { name: 'never_knew', about: 'failed, and never known' },
  { name: 'partial', about: 'share of values given, for tracking of those in the right order' },
  { name: 'greedy', about: 'the paper’s own count of that' },
  { name: 'longest_run', about: 'the longest stretch of a string that was given' },
  { name: 'order_kept', about: 'stores from which a series can still be put in order' },
  { name: 'removed', about: 'stores that no longer hold a value to be forgotten' },
  { name: 'tombstoned', about: 'stores that hold it marked as withdrawn' },
  { name: 'tombstone_repeats', about: 'stores in which the mark repeats the value' },
  { name: 'still_live', about: 'stores that hold it as if nothing had been said' },
  { name: 'change_missing', about: 'known and failed: the change itself was not retrieved' },
  { name: 'rule_missing', about: 'known and failed: the rule or dependency was not retrieved' },
  { name: 'macro', about: 'over the paper’s six tasks, every task alike' },
  { name: 'micro', about: 'over the paper’s six tasks, every question alike' },
  ...COST_SCORES,
]

/** The scores of one task. Where a cell has several amounts of filler, all of them are also given for each. */
export function scoreMeme(results: readonly ScoredQuestion[], about: { reader: boolean }): Score[] {
  if (results.length === 0 || results[0]!.question.task === BEFORE) return []
  const fillers = [...new Set(results.map(({ question }) => question.tags.filler ?? ''))]
  const of = (filler: string) => results.filter(({ question }) => (question.tags.filler ?? '') === filler)
  return [
    ...scoresOf(valuesOf(results, about)),
    ...(fillers.length < 2 ? [] : fillers.flatMap((filler) => scoresOf(valuesOf(of(filler), about), filler))),
  ]
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

function valuesOf(results: readonly ScoredQuestion[], { reader }: { reader: boolean }): Values {
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
function sides(results: readonly ScoredQuestion[], task: string): Values {
  // Where nobody looked, nothing is told.
  const share = (name: string, value: string) => {
    const isTold = results.some(({ side }) => side[name] !== undefined)
    return isTold ? results.filter(({ side }) => side[name] === value).length / results.length : null
  }
  if (task === 'tracking') return { order_kept: share('order', 'kept') }
  if (task !== 'deletion') return {}
  return Object.fromEntries(Object.entries(REMOVALS).map(([score, value]) => [score, share('removal', value)]))
}

/**
 * Of the questions about a change that failed although the value was known before: how often the change itself was not retrieved, and how
 * often the rule or dependency was not, as in the paper's Table 17.
 */
function missing(results: readonly ScoredQuestion[], task: string, passed: Passing): Values {
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

function credits(results: readonly ScoredQuestion[], task: string, reader: boolean): Values {
  if (!reader) {
    const kept = ({ facts }: ScoredQuestion) =>
      facts.length === 0 ? 0 : facts.filter(({ retrieved }) => retrieved).length / facts.length
    return task === 'aggregation' || task === 'tracking' ? { partial: meanOfKnown(results.map(kept)) } : {}
  }
  const credit = (name: string) =>
    meanOfKnown(results.map(({ verdict }) => (verdict && 'credit' in verdict ? (verdict.credit?.[name] ?? 0) : 0)))
  if (task === 'aggregation') return { partial: credit('partial') }
  if (task === 'tracking') return { partial: credit('partial'), greedy: credit('greedy') }
  if (task === 'exact-recall') return { longest_run: credit('longest run') }
  return {}
}

/**
 * The six tasks of the paper together: every task alike (macro, as in the paper's table), and every question alike (micro). Where there
 * are several amounts of filler, macro is also given for each.
 */
export function overallMeme(cells: readonly Cell[], cost: ScenarioCost | null): Score[] {
  const costs = scoresOf(costScores(cost))
  const six = PAPER_TASKS.flatMap((task) =>
    cells.filter((cell) => cell.task === task && scoreValue(cell.scores, 'score') !== null),
  )
  if (six.length < PAPER_TASKS.length) return [...scoresOf({ macro: null, micro: null }), ...costs]
  const weight = ({ n, errors, answer }: Cell) => answer?.n ?? n - errors
  const total = six.reduce((sum, cell) => sum + weight(cell), 0)
  const macro = (filler?: string): Score[] => {
    const values = six.flatMap(({ scores }) => scoreValue(scores, 'score', filler) ?? [])
    const known = values.length === six.length
    return scoresOf({ macro: known ? meanOfKnown(values) : null }, filler)
  }
  const fillers = six[0]!.scores.flatMap(({ name, subset }) => (name === 'score' ? (subset ?? []) : []))
  const right = six.reduce((sum, cell) => sum + weight(cell) * scoreValue(cell.scores, 'score')!, 0)
  return [...macro(), ...fillers.flatMap(macro), ...scoresOf({ micro: total === 0 ? null : right / total }), ...costs]
}
