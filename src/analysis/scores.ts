import type { Plan } from '../engine/plan.js'
import type { Cell, OverallRow, ScoredQuestion, Suite } from '../model/index.js'
import type { Assessment } from './assess.js'
import { type CostRow, episodeCost } from './costs.js'
import type { Result } from './results.js'

/** Collects the questions of one cell, of which its suite makes scores of its own. */
export class Scores {
  readonly #suite: Suite
  readonly #questions: ScoredQuestion[] = []

  constructor(suite: Suite) {
    this.#suite = suite
  }

  /** Takes in one result, with what became of all questions of its life. What could not be measured is left out. */
  add(result: Result, life: ReadonlyMap<string, Assessment>): void {
    const { question, assessment } = result
    if (!this.#suite.score || assessment.outcome === 'error') return
    const paired = question.pair === undefined ? undefined : life.get(depthKey(result, question.pair))
    this.#questions.push(scoredQuestion(result, paired))
  }

  of(about: { reader: boolean }): Record<string, number | null> {
    return this.#suite.score?.(this.#questions, about) ?? {}
  }
}

/** What became of the questions of a life, by depth and question. */
export function byDepth(results: readonly Result[]): ReadonlyMap<string, Assessment> {
  return new Map(results.map((result) => [depthKey(result, result.question.id), result.assessment]))
}

/** Scores over all tasks, of suites that have them, for every system at every depth. */
export function overallRows(plan: Plan, cells: readonly Cell[], costs: readonly CostRow[] = []): OverallRow[] {
  return plan.suites.flatMap(({ suite }) => {
    if (!suite.overall) return []
    const groups = new Map<string, Cell[]>()
    for (const cell of cells.filter((one) => one.suite === suite.name && !one.system.startsWith('guess:'))) {
      const key = JSON.stringify([cell.system, cell.model, cell.reader, cell.k, cell.budget, cell.trial])
      groups.set(key, [...(groups.get(key) ?? []), cell])
    }
    return [...groups.values()].map((group): OverallRow => {
      const { system, model, reader, judge, k, budget, trial } = group[0]!
      const cost = costs.find(
        (row) =>
          row.suite === suite.name &&
          row.system === system &&
          row.model === model &&
          row.reader === reader &&
          row.k === k &&
          row.budget === budget,
      )
      const scores = { ...suite.overall!(group), ...(cost && costScores(cost)) }
      return { suite: suite.name, system, model, reader, judge, k, budget, trial, scores }
    })
  })
}

/** What an episode costs, by name; nothing where that is not known. */
function costScores(row: CostRow): Record<string, number> {
  const cost = episodeCost(row)
  if (!cost) return {}
  const { ingest, inference, total } = cost
  return { usd_per_episode: total, usd_per_episode_ingest: ingest, usd_per_episode_inference: inference }
}

function depthKey({ k, budget }: Pick<Result, 'k' | 'budget'>, question: string): string {
  return `${k} ${budget} ${question}`
}

/** A result as its suite makes scores of it, with what became of the question it is paired with. */
export function scoredQuestion(
  { life, question, grade, assessment, side }: Result,
  paired?: Assessment,
): ScoredQuestion {
  const { outcome, evidence, answer, facts, outdated } = assessment
  return {
    question,
    scenario: life.scenario.id,
    outcome,
    evidence,
    answer,
    verdict: grade,
    facts,
    outdated,
    side,
    pair: paired && paired.outcome !== 'error' ? { evidence: paired.evidence, answer: paired.answer } : null,
  }
}
