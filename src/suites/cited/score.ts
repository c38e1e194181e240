import { type Cell, type Score, type ScoredQuestion, type ScoreInfo, scoresOf, scoreValue } from '../../model/index.js'
import { citedIn } from './chat.js'

export const CITED_SCORES: readonly ScoreInfo[] = [
  { name: 'turn-recall', about: 'questions of which all cited turns were found, whether their days were or not' },
  { name: 'f1', about: 'F1 of the words of answers, as LoCoMo’s paper prints it' },
  { name: 'bleu', about: 'BLEU of single words of answers, as mem0’s paper prints it', aside: true },
  { name: 'rubric', about: 'share of criteria that answers meet, as BEAM’s paper prints it' },
]

/** Scores of a task. What needs a reader is null without one. */
export function scoreCited(results: readonly ScoredQuestion[]): Score[] {
  const recalled = results.flatMap(({ question, facts, evidence }) => {
    if (question.needs.length === 0 || evidence === null) return []
    const turns = new Set(question.needs.flatMap(citedIn))
    return [Number(facts.every(({ id, retrieved }) => retrieved || !turns.has(id)))]
  })
  const credit = (name: string) =>
    results.flatMap(({ verdict }) => (verdict && 'credit' in verdict ? (verdict.credit?.[name] ?? []) : []))
  const rubric = results.flatMap(({ question: { gold }, verdict }) => {
    if (gold.kind === 'sequence' && verdict && 'credit' in verdict) return verdict.credit?.partial ?? []
    if (gold.kind !== 'criteria' || !verdict?.criteria) return []
    const met = gold.criteria.filter(({ expected }, i) => verdict.criteria![i]?.answer === expected)
    return [met.length / gold.criteria.length]
  })
  return scoresOf({
    'turn-recall': mean(recalled),
    f1: mean(credit('f1')),
    bleu: mean(credit('bleu')),
    rubric: mean(rubric),
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
  })
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
