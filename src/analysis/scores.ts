import { groupBy } from '../base/group-by.js'
import { wilson } from '../base/intervals.js'
import type { Plan } from '../engine/plan.js'
import { askKey, isGuess, placeKey } from '../model/identity.js'
import type { ScoredQuestion, Suite } from '../model/suite.js'
import type { Cell, OverallRow } from '../model/summary.js'
import type { Assessment, Lean } from './assess.js'
import { type CostRow, scenarioCost } from './costs.js'
import type { Result } from './results.js'

/** The questions of a cell as its suite counts answers; null where it has no such count, or it counts none of them. */
export function answerScoreOf(
  { answerScore }: Suite,
  questions: readonly ScoredQuestion[],
): Omit<NonNullable<Cell['answerScore']>, 'bounds'> | null {
  if (!answerScore) return null
  const { score, uncounted } = answerScore
  const counted = questions.flatMap((question) => {
    const passed = answerScore.passed(question)
    return passed === null ? [] : [{ passed, right: question.answer === true }]
  })
  const n = counted.length
  if (n === 0) return null
  const passed = counted.filter((one) => one.passed).length
  const right = counted.filter((one) => one.right && !one.passed).length
  return { score, n, passed, rate: passed / n, ci95: wilson(passed, n), uncounted: { name: uncounted.name, n: right } }
}

/** What became of the questions of a life, by depth and question; with everything uncertain taken one way where that is asked for. */
export function byDepth(results: readonly Result[], lean?: Lean): ReadonlyMap<string, Assessment> {
  return new Map(
    results.map(({ question, depth, assessment, bounds }) => [
      askKey(question.id, depth),
      (lean && bounds?.[lean].assessment) ?? assessment,
    ]),
  )
}

/** What became of the question that a result's is paired with, at the same depth. */
export function pairOf(result: Result, life: ReadonlyMap<string, Assessment>): Assessment | undefined {
  const { pair } = result.question
  return pair === undefined ? undefined : life.get(askKey(pair, result.depth))
}

/** Scores over all tasks, of suites that have them, for every system at every depth. */
export function overallRows(plan: Plan, cells: readonly Cell[], costs: readonly CostRow[] = []): OverallRow[] {
  return plan.suites.flatMap(({ suite }) => {
    if (!suite.overall) return []
    const own = cells.filter((cell) => cell.suite === suite.name && !isGuess(cell.subject))
    const groups = groupBy(own, ({ subject, reader, depth, trial }) => placeKey({ subject, reader, depth, trial }))
    return [...groups.values()].map((group): OverallRow => {
      const { subject, reader, judge, depth, trial } = group[0]!
      const place = { suite: suite.name, subject, reader, depth }
      const cost = costs.find((row) => placeKey(row) === placeKey(place))
      const scores = suite.overall!(group, cost ? scenarioCost(cost) : null)
      return { ...place, judge, trial, scores }
    })
  })
}

/** Neither the way of its facts nor its answer is known; an answer that was graded was measured, whatever became of its facts. */
export function isUnmeasured({ outcome, answer }: Assessment): boolean {
  return outcome === 'error' && answer === null
}

/** A result as its suite makes scores of it, with what became of the question it is paired with. */
export function scoredQuestion(
  { life, question, grade, assessment, side }: Result,
  paired?: Assessment,
): ScoredQuestion {
  const { outcome, evidence, answer, facts, outdated } = assessment
  const pair = paired && !isUnmeasured(paired) ? { evidence: paired.evidence, answer: paired.answer } : null
  const about = { question, scenario: life.scenario.id, verdict: grade, side, pair }
  return { ...about, outcome, evidence, answer, facts, outdated }
}
