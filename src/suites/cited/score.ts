import { meanOfKnown } from '../../base/sums.js'
import { type Cell, type Score, type ScoredQuestion, type ScoreInfo, scoresOf, scoreValue } from '../../model/index.js'
import { citedIn } from './chat.js'

export const CITED_SCORES: readonly ScoreInfo[] = [
  { name: 'turn-recall', about: 'questions of which all cited turns were found, whether their days were or not' },
  { name: 'f1', about: 'F1 of the words of answers, as LoCoMo’s paper prints it' },
  { name: 'bleu', about: 'BLEU of single words of answers, as mem0’s paper prints it', aside: true },
  { name: 'rubric', about: 'share of criteria that answers meet, of orders Kendall’s tau, as BEAM’s paper prints it' },
  { name: 'in-order', about: 'of orders the share of events that stand in the longest chain in order', aside: true },
]

/**
 * Scores of a task. What needs a reader is null without one.
 *
 * @param rubric the paper scores every answer by a rubric, also those that ought to be refused
 */
export function scoreCited(results: readonly ScoredQuestion[], rubric = false): Score[] {
  const recalled = results.flatMap(({ question, facts, evidence }) => {
    if (question.needs.length === 0 || evidence === null) return []
    const turns = new Set(question.needs.flatMap(citedIn))
    return [Number(facts.every(({ id, retrieved }) => retrieved || !turns.has(id)))]
  })
  const credit = (name: string) =>
    results.flatMap(({ verdict }) => (verdict && 'credit' in verdict ? (verdict.credit?.[name] ?? []) : []))
  const met = results.flatMap(({ question: { gold }, verdict }) => {
    if (gold.kind === 'sequence') return verdict && 'credit' in verdict ? (verdict.credit?.tau ?? []) : []
    if (gold.kind === 'abstain' && rubric && verdict && verdict.grade !== 'error')
      return Number(verdict.grade === 'right')
    if (gold.kind !== 'criteria' || !verdict?.criteria) return []
    const own = gold.criteria.filter(({ expected }, i) => verdict.criteria![i]?.answer === expected)
    return own.length / gold.criteria.length
  })
  return scoresOf({
    'turn-recall': meanOfKnown(recalled),
    f1: meanOfKnown(credit('f1')),
    bleu: meanOfKnown(credit('bleu')),
    rubric: meanOfKnown(met),
    'in-order': meanOfKnown(results.some(({ question }) => question.gold.kind === 'sequence') ? credit('partial') : []),
  })
}

/** The same over tasks, every question counted alike. */
export function overallScores(cells: readonly Cell[], counted?: readonly string[]): Score[] {
  const own = cells.filter(({ task }) => counted?.includes(task) ?? true)
  const over = (name: string, weight: (cell: Cell) => number) => {
    const known = own.flatMap((cell) => {
      const value = scoreValue(cell.scores, name)
      return value === null || weight(cell) === 0 ? [] : [{ value, n: weight(cell) }]
    })
    const n = known.reduce((sum, one) => sum + one.n, 0)
    return n === 0 ? null : known.reduce((sum, one) => sum + one.value * one.n, 0) / n
  }
  const asked = (cell: Cell) => cell.n - cell.errors
  return scoresOf({
    'turn-recall': over('turn-recall', (cell) => cell.evidence?.n ?? 0),
    f1: over('f1', asked),
    bleu: over('bleu', asked),
    rubric: over('rubric', asked),
    'in-order': over('in-order', asked),
  })
}
