import { groupBy } from '../base/group-by.js'
import type { Plan } from '../engine/plan.js'
import type { Depth } from '../model/depth.js'
import { isGuess, placeKey, subjectKey, withFirstTrial } from '../model/identity.js'
import type { Cell, InstrumentRef, JudgePair, RunRecord, RunStatus, RunStore, Summary } from '../model/index.js'
import { type BreakdownRow, Tallies } from './cells.js'
import { type ChangeRow, Changes } from './changes.js'
import { type CostRow, Costs } from './costs.js'
import { Latencies } from './latency.js'
import { Panels, type TaggedPanel } from './panels.js'
import { type LifeResults, type ResultKeys, readRun } from './results.js'
import { overallRows } from './scores.js'

/** Above this share of questions that could not be measured, of all or of one system at one depth, a run says nothing. */
const MOST_ERRORS = 0.02

/** A run in numbers. */
export interface Analysis {
  summary: Summary
  /** Questions × depths that were asked. */
  questions: number
  breakdowns: BreakdownRow[]
  /** What models took, by stage. */
  costs: CostRow[]
  /** The same cells by the same judges for the second time and on. The summary holds the first time only. */
  judgedAgain: Cell[]
  /** How stores took what was changed or taken back. */
  changes: ChangeRow[]
  /** How a panel agreed, by tags. */
  panels: TaggedPanel[]
  invalidReason?: string
}

/**
 * Adds a whole run up, one life at a time. What else is to be told of lives is told in the same pass: a run is read and assessed once.
 *
 * @param judge names of the judges
 * @param also sees every life
 */
export async function analyseRun(
  run: RunRecord,
  plan: Plan,
  judge: JudgePair<string>,
  keys: ResultKeys,
  store: RunStore,
  also: (life: LifeResults) => void | Promise<void> = () => {},
): Promise<Analysis> {
  // Who has no model says the same every time, and is not asked again.
  const judges = ({ facts, answers }: JudgePair<string>, trial: number): JudgePair<InstrumentRef> => ({
    facts: { name: judge.facts, trial: facts === keys.judge.facts ? 0 : trial },
    answers: { name: judge.answers, trial: answers === keys.judge.answers ? 0 : trial },
  })
  const tallies = new Tallies(plan, judges(keys.judge, 0))
  const costs = new Costs()
  const panels = new Panels()
  const latencies = new Latencies()
  const changes = new Changes()
  for await (const life of readRun(run.id, plan, keys, store)) {
    tallies.add(life)
    costs.add(life)
    panels.add(life)
    latencies.add(life)
    changes.add(life)
    await also(life)
  }
  const judgedAgain: Cell[] = []
  const cells = tallies.cells()
  let unmeasured = tallies.errors
  let excess = excessOf(cells)
  for (const [i, key] of (keys.judgedAgain ?? []).entries()) {
    const again = new Tallies(plan, judges(key, i + 1))
    for await (const life of readRun(run.id, plan, { ...keys, judge: key }, store)) {
      again.add(life)
      costs.add(life, i + 1)
    }
    const those = again.cells()
    judgedAgain.push(...those)
    unmeasured = Math.max(unmeasured, again.errors)
    excess ??= excessOf(those)
  }
  const planned = plan.lives.reduce(
    (sum, { asks, readers }) =>
      sum + Math.max(1, readers.length) * asks.reduce((n, { depths }) => n + depths.length, 0),
    0,
  )
  const { questions, errors } = tallies
  const isOver = unmeasured > MOST_ERRORS * questions
  const status: RunStatus = questions < planned ? 'partial' : isOver || excess !== null ? 'invalid' : 'valid'
  const overall = overallRows(plan, cells, costs.rows())
  const panel = panels.report()
  const summary: Summary = {
    run: { id: run.id, created: run.created },
    fingerprint: { setting: plan.setting, subjects: plan.subjectPrints },
    status,
    errors,
    cells,
    ...(overall.length > 0 && { overall }),
    ...(panel && { panel }),
    timing: { elapsedMs: run.elapsedMs, ...embeddingOf(run), ...costs.timing() },
    latency: latencies.rows(),
  }
  const share = (part: number, whole: number) =>
    `${part} of ${whole} questions (${((100 * part) / Math.max(1, whole)).toFixed(1)} %) could not be measured`
  const reasons = [
    ...(isOver ? [`${share(unmeasured, questions)}${unmeasured > errors ? ' when they were judged again' : ''}`] : []),
    ...(excess ? [`${share(excess.errors, excess.n)} for ${excess.who}`] : []),
  ]
  return {
    summary,
    questions,
    breakdowns: tallies.breakdowns(),
    costs: costs.rows(),
    judgedAgain,
    changes: changes.rows(),
    panels: panels.tagged(),
    ...(status === 'invalid' && { invalidReason: reasons.join('; ') }),
  }
}

/**
 * Who has most errors at a depth, where that is more than any may have: over all systems and depths, a few would be free to leave out what
 * they cannot answer.
 */
function excessOf(cells: readonly Cell[]): { who: string; n: number; errors: number } | null {
  const groups = groupBy(
    cells.filter(({ subject }) => !isGuess(subject)),
    ({ subject, reader, depth }) => placeKey({ subject, reader: withFirstTrial(reader), depth }),
  )
  const counted = [...groups.values()].map((own) => {
    const { subject, depth } = own[0]!
    const sum = (of: (cell: Cell) => number) => own.reduce((all, cell) => all + of(cell), 0)
    return {
      who: `${subjectKey(subject)} at ${depthWords(depth)}`,
      n: sum((cell) => cell.n),
      errors: sum((cell) => cell.errors),
    }
  })
  const over = counted.filter(({ n, errors }) => errors > MOST_ERRORS * n)
  return over.toSorted((a, b) => b.errors / b.n - a.errors / a.n)[0] ?? null
}

function depthWords(depth: Depth): string {
  if (depth === 'all') return 'its own depth'
  return 'k' in depth ? `k = ${depth.k}` : `${depth.tokens} tokens`
}

function embeddingOf({ embedding: { texts, ms } }: RunRecord): Record<string, number> {
  return texts === 0 ? {} : { embeddedTexts: texts, embeddingMs: ms }
}
