import { entryOf } from '../base/group-by.js'
import { type Interval, wilson } from '../base/intervals.js'
import type { Plan } from '../engine/plan.js'
import {
  type Cell,
  compareDepths,
  conversationsOf,
  type Depth,
  depthKey,
  FAILURES,
  type InstrumentRef,
  type JudgePair,
  leastEvidenceIn,
  memoriesOf,
  type Outcome,
  placeKey,
  questionsOf,
  type ReaderRef,
  readerKey,
  type Score,
  type Subject,
  type Suite,
  scoreName,
  scoresByName,
  subjectKey,
  tokensOf,
} from '../model/index.js'
import type { Assessment, Lean } from './assess.js'
import type { LifeResults, Result } from './results.js'
import { byDepth, Scores } from './scores.js'

/** Passed ones among `n`, and the least and the most they could be if every uncertain verdict went one way. */
interface Count {
  n: number
  passed: number
  worst: number
  best: number
}

interface Tally {
  cell: Cell
  evidence: Count
  answer: Count
  /** What the memories held at their last probe, over all lives of the cell. */
  held: { lives: number; entries: number; tokens: number }
  /** What was retrieved for questions that need something, and how much of it carries nothing they need. */
  read: { memories: number; tokens: number; noise: { memories: number; tokens: number } }
  /** Questions that a perfect search could complete. */
  reachable: number
  scores: Record<'plain' | Lean, Scores>
  success: Record<Lean, number>
  ceiling: number | null
}

/** Evidence success on the questions that carry one value of one tag. */
export interface BreakdownRow {
  suite: string
  task: string
  tag: string
  value: string
  subject: Subject
  depth: Depth
  n: number
  complete: number
}

/** Adds results up into cells and breakdowns, life by life. */
export class Tallies {
  readonly #tallies = new Map<string, Tally>()
  readonly #breakdowns = new Map<string, BreakdownRow>()
  readonly #reached = new Map<string, { n: number; reachable: number }>()
  readonly #plan: Plan
  readonly #judge: JudgePair<InstrumentRef>
  questions = 0
  errors = 0

  constructor(plan: Plan, judge: JudgePair<InstrumentRef>) {
    this.#plan = plan
    this.#judge = judge
  }

  add({ planned: life, reader, ingest, results, moments }: LifeResults): void {
    const last = [...moments.values()].at(-1)
    const seen = new Set<Tally>()
    const found = { plain: byDepth(results), worst: byDepth(results, 'worst'), best: byDepth(results, 'best') }
    for (const result of results) {
      const tally = this.#tally(life.suite, result, reader)
      if (!seen.has(tally)) {
        seen.add(tally)
        // Storing is paid once for all depths; every cell says what it took.
        if (ingest) {
          for (const [role, tokens] of Object.entries(ingest.tokens))
            tally.cell.tokens[role] = (tally.cell.tokens[role] ?? 0) + tokens
          tally.cell.cost = plus(tally.cell.cost, ingest.cost)
        }
        tally.cell.conversations.n += conversationsOf(life.scenario).length
        tally.cell.conversations.lost += ingest?.lost?.length ?? 0
        if (last && last.snapshot !== null) {
          tally.held.lives++
          tally.held.entries += last.entries
          tally.held.tokens += last.tokens
        }
      }
      this.#count(tally, result)
      tally.scores.plain.add(result, found.plain)
      for (const lean of LEANS) tally.scores[lean].add({ ...result, ...result.bounds?.[lean] }, found[lean])
      // Evidence is the same whoever reads it: questions count once.
      if (reader === (life.readers[0] ?? reader)) this.#breakDown(life.suite, result)
    }
  }

  /** Cells in the order of the plan: suite, task, subject, reader, depth, trial; guessers after the systems of their task. */
  cells(): Cell[] {
    for (const tally of this.#tallies.values()) finish(tally)
    const done = [...this.#tallies.values()].map(({ cell }) => cell)
    const subjects = this.#plan.subjects.map(subjectKey)
    const readers = this.#plan.request.readers
    return this.#plan.suites.flatMap(({ suite }) =>
      suite.tasks.flatMap(({ name }) => {
        const ours = done.filter((cell) => cell.suite === suite.name && cell.task === name)
        ours.sort(
          (a, b) =>
            subjects.indexOf(subjectKey(a.subject)) - subjects.indexOf(subjectKey(b.subject)) ||
            readers.indexOf(readerKey(a.reader)) - readers.indexOf(readerKey(b.reader)) ||
            compareDepths(a.depth, b.depth) ||
            a.trial - b.trial,
        )
        return [...ours, ...guesserCells(this.#plan, suite, name, this.#judge)]
      }),
    )
  }

  breakdowns(): BreakdownRow[] {
    return [...this.#breakdowns.values()]
  }

  #tally(suite: Suite, { life, question, depth }: Result, reader: ReaderRef | null): Tally {
    const { subject, trial } = life.key
    const place = { suite: suite.name, task: question.task, subject, reader, depth, trial }
    return entryOf(this.#tallies, placeKey(place), () => {
      // The same for all subjects, so it is worked out once.
      const { n, reachable } = entryOf(this.#reached, `${suite.name}/${question.task} ${depthKey(depth)}`, () =>
        reachableQuestions(this.#plan, suite, question.task, depth),
      )
      return {
        cell: emptyCell({ ...place, judge: this.#judge }),
        evidence: { n: 0, passed: 0, worst: 0, best: 0 },
        answer: { n: 0, passed: 0, worst: 0, best: 0 },
        held: { lives: 0, entries: 0, tokens: 0 },
        read: { memories: 0, tokens: 0, noise: { memories: 0, tokens: 0 } },
        reachable,
        scores: { plain: new Scores(suite), worst: new Scores(suite), best: new Scores(suite) },
        success: { worst: 0, best: 0 },
        ceiling: n === 0 ? null : reachable / n,
      }
    })
  }

  #count({ cell, evidence, answer, success, read }: Tally, result: Result): void {
    const { assessment, bounds, witness, answer: given } = result
    const ends = { worst: bounds?.worst.assessment ?? assessment, best: bounds?.best.assessment ?? assessment }
    cell.n++
    this.questions++
    cell.tokens.context = (cell.tokens.context ?? 0) + witness.contextTokens
    for (const [role, tokens] of Object.entries(witness.tokens)) cell.tokens[role] = (cell.tokens[role] ?? 0) + tokens
    cell.cost = plus(cell.cost, witness.cost)
    if (given) {
      cell.tokens.answer = (cell.tokens.answer ?? 0) + given.tokens.input + given.tokens.output
      cell.cost = plus(cell.cost, given.cost)
    }
    const { outcome } = assessment
    if (outcome === 'error') {
      cell.errors++
      this.errors++
    }
    if (outcome !== null) cell.outcomes[outcome] = (cell.outcomes[outcome] ?? 0) + 1
    if (assessment.evidence !== null && outcome !== 'error') count(evidence, assessment, ends, (one) => one.evidence)
    if (assessment.answer !== null) count(answer, assessment, ends, (one) => one.answer)
    if (outcome === 'error') return
    for (const lean of LEANS) if (ends[lean].outcome === 'correct') success[lean]++
    for (const fact of assessment.facts) {
      cell.facts.n++
      cell.facts.stored = counted(cell.facts.stored, fact.stored)
      cell.facts.faithful = counted(cell.facts.faithful, fact.faithful)
      if (fact.retrieved) cell.facts.retrieved++
      if (fact.uncertain) cell.facts.uncertain++
      const { bounds: range } = cell.facts
      for (const stage of STAGES) {
        const couldPass = fact.uncertain ? [false, true] : [fact[stage] === true, fact[stage] === true]
        range[stage] = range[stage] && fact[stage] !== null ? addedTo(range[stage], couldPass) : null
      }
    }
    if (assessment.tempted !== null) {
      cell.tempting ??= { n: 0, retrieved: 0 }
      cell.tempting.n++
      if (assessment.tempted) cell.tempting.retrieved++
    }
    if (assessment.noise) {
      read.memories += witness.retrieved.length
      read.tokens += witness.contextTokens
      read.noise.memories += assessment.noise.memories
      read.noise.tokens += assessment.noise.tokens
    }
  }

  #breakDown(suite: Suite, { life, question, depth, assessment }: Result): void {
    // Breakdowns are told by memories asked for.
    if (tokensOf(depth) !== null) return
    if (assessment.evidence === null || assessment.outcome === 'error') return
    const tags = suite.tasks.find(({ name }) => name === question.task)?.breakdowns ?? []
    for (const tag of tags) {
      const value = question.tags[tag]
      if (value === undefined) continue
      const place = { suite: suite.name, task: question.task, subject: life.key.subject, depth }
      const empty = () => ({ ...place, tag, value, n: 0, complete: 0 })
      const row = entryOf(this.#breakdowns, `${placeKey(place)} ${tag} ${value}`, empty)
      row.n++
      if (assessment.evidence) row.complete++
    }
  }
}

const LEANS = ['worst', 'best'] as const
const STAGES = ['stored', 'faithful', 'retrieved'] as const

function count(
  sum: Count,
  plain: Assessment,
  ends: Record<Lean, Assessment>,
  passed: (one: Assessment) => boolean | null,
): void {
  sum.n++
  if (passed(plain)) sum.passed++
  for (const lean of LEANS) if (passed(ends[lean]) ?? passed(plain)) sum[lean]++
}

function addedTo([low, high]: Interval, [worst, best]: readonly boolean[]): Interval {
  return [low + (worst ? 1 : 0), high + (best ? 1 : 0)]
}

/** Ends of a share. What is uncertain can turn against what it helps, so neither end may cross the share itself. */
function boundsFor({ n, passed, worst, best }: Count): Interval {
  return [Math.min(worst, passed) / n, Math.max(best, passed) / n]
}

/**
 * The share of a task's questions that a perfect search could answer at a depth if every memory held one fact in its original words: their
 * smallest evidence, with its corrections, fits in the depth. Questions that need no evidence do not count; null if no other is left.
 */
export function retrievalCeiling(plan: Plan, suite: Suite, task: string, depth: Depth): number | null {
  const { n, reachable } = reachableQuestions(plan, suite, task, depth)
  return n === 0 ? null : reachable / n
}

/** The questions of a task that need something, and how many of them a perfect search can complete at a depth. */
function reachableQuestions(plan: Plan, suite: Suite, task: string, depth: Depth): { n: number; reachable: number } {
  const most = memoriesOf(depth) ?? tokensOf(depth) ?? Number.POSITIVE_INFINITY
  let n = 0
  let reachable = 0
  for (const { scenario, questions } of askedQuestions(plan, suite, task)) {
    const least = leastEvidenceIn(scenario)
    for (const question of questions) {
      if (question.needs.length === 0) continue
      n++
      if ((least(question, depth)?.size ?? Number.POSITIVE_INFINITY) <= most) reachable++
    }
  }
  return { n, reachable }
}

/** A count with one more, or unknown once anything in it cannot be seen. */
function counted(sum: number | null, passed: boolean | null): number | null {
  return sum === null || passed === null ? null : sum + (passed ? 1 : 0)
}

const OUTCOME_ORDER: readonly Outcome[] = ['answerable', 'correct', ...FAILURES, 'error']

/** A sum of costs; unknown once one of them is. */
function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function finish(tally: Tally): void {
  const { cell, evidence, answer, scores, read, reachable, ceiling } = tally
  const { lives, entries, tokens } = tally.held
  cell.noise =
    read.memories === 0
      ? null
      : {
          memories: read.noise.memories / read.memories,
          tokens: read.tokens === 0 ? 0 : read.noise.tokens / read.tokens,
        }
  if (lives > 0) {
    const tokensPerEntry = entries === 0 ? 0 : tokens / entries
    cell.memory = { entries: entries / lives, tokens: tokens / lives, tokensPerEntry }
  }
  const share = (sum: Count) => ({ ci95: wilson(sum.passed, sum.n), bounds: boundsFor(sum) })
  const { n: asked, passed: complete } = evidence
  cell.evidence = asked === 0 ? null : { n: asked, complete, rate: complete / asked, ...share(evidence) }
  const { n: graded, passed: correct } = answer
  cell.answer = graded === 0 ? null : { n: graded, correct, accuracy: correct / graded, ...share(answer) }
  if (complete > reachable) cell.aboveCeiling = true
  const reader = cell.reader !== null
  const unseen = lives === 0
  const shown = OUTCOME_ORDER.filter(
    (outcome) => outcome !== (reader ? 'answerable' : 'correct') && (outcome !== 'unavailable' || unseen),
  )
  cell.outcomes = Object.fromEntries(shown.map((outcome) => [outcome, cell.outcomes[outcome] ?? 0]))
  const measured = cell.n - cell.errors
  const rate = (passed: number) => (measured === 0 ? null : passed / measured)
  const made = (own: Scores, passed: number): Score[] => [
    ...own.of({ reader }),
    ...(reader ? [{ name: 'success', value: rate(passed) }] : []),
  ]
  const plain = made(scores.plain, cell.outcomes.correct ?? 0)
  const ends = LEANS.map((lean) => scoresByName(made(scores[lean], tally.success[lean])))
  cell.scores = [{ name: 'ceiling', value: ceiling }, ...plain.map((score) => withBounds(score, ends))]
  const counted = reader ? scores.plain.answers() : null
  if (!counted) return
  const rates = [counted.rate, ...LEANS.flatMap((lean) => scores[lean].answers()?.rate ?? [])]
  cell.answerScore = { ...counted, bounds: [Math.min(...rates), Math.max(...rates)] }
}

/** A score with its bounds, where what is uncertain moves it. */
function withBounds(score: Score, ends: readonly Record<string, number | null>[]): Score {
  const { value } = score
  if (value === null) return score
  const all = [value, ...ends.flatMap((end) => end[scoreName(score)] ?? [])]
  const bounds: Interval = [Math.min(...all), Math.max(...all)]
  return bounds[0] === bounds[1] ? score : { ...score, bounds }
}

function guesserCells(plan: Plan, suite: Suite, task: string, judge: JudgePair<InstrumentRef>): Cell[] {
  const scenarios = plan.suites.find((planned) => planned.suite === suite)?.scenarios ?? []
  const asked = new Set(askedQuestions(plan, suite, task).flatMap(({ questions }) => questions.map(({ id }) => id)))
  return suite.guessers.flatMap((guesser) => {
    let n = 0
    let correct = 0
    for (const scenario of scenarios) {
      const chances = guesser.guess(scenario)
      for (const [index, question] of questionsOf(scenario).entries()) {
        const chance = chances[index]
        if (question.task !== task || !asked.has(question.id) || chance === null || chance === undefined) continue
        n++
        correct += chance
      }
    }
    if (n === 0) return []
    const accuracy = correct / n
    const subject = { guesser: guesser.name }
    const cell = emptyCell({ suite: suite.name, task, subject, reader: null, judge, depth: 'all', trial: 0 })
    return [{ ...cell, n, answer: { n, correct, accuracy, ci95: wilson(correct, n), bounds: [accuracy, accuracy] } }]
  })
}

/** The questions of a task that are asked, by scenario. */
function askedQuestions(plan: Plan, suite: Suite, task: string) {
  const seen = new Set<string>()
  return plan.lives
    .filter((life) => life.suite === suite)
    .flatMap(({ scenario, asks }) => {
      if (seen.has(scenario.id)) return []
      seen.add(scenario.id)
      const questions = asks.map(({ question }) => question).filter((question) => question.task === task)
      return [{ scenario, questions }]
    })
}

type CellPlace = Pick<Cell, 'suite' | 'task' | 'subject' | 'reader' | 'judge' | 'depth' | 'trial'>

function emptyCell(place: CellPlace): Cell {
  return {
    ...place,
    n: 0,
    errors: 0,
    answer: null,
    evidence: null,
    outcomes: {},
    facts: {
      ...{ n: 0, stored: 0, faithful: 0, retrieved: 0, uncertain: 0 },
      bounds: { stored: [0, 0], faithful: [0, 0], retrieved: [0, 0] },
    },
    conversations: { n: 0, lost: 0 },
    noise: null,
    tempting: null,
    scores: [],
    tokens: {},
    cost: 0,
    memory: null,
  }
}
