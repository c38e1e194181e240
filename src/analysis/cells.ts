import { entryOf } from '../base/group-by.js'
import { type Interval, wilson } from '../base/intervals.js'
import type { Plan } from '../engine/plan.js'
import { compareDepths, type Depth, depthKey, depthTokens } from '../model/depth.js'
import { type InstrumentRef, placeKey, type ReaderRef, readerKey, type Subject, subjectKey } from '../model/identity.js'
import type { JudgePair } from '../model/judge.js'
import { conversationsOf, questionsOf } from '../model/scenario.js'
import { FAILURES, type Outcome, type Score, scoreName, scoresByName } from '../model/score.js'
import type { ScoredQuestion, Suite } from '../model/suite.js'
import { type Cell, emptyCell } from '../model/summary.js'
import type { Assessment, FactStage, Lean } from './assess.js'
import type { ResultBounds } from './bounds.js'
import { askedQuestions, type Ceiling, ceilingOf } from './ceiling.js'
import type { LifeResults, Result } from './results.js'
import { answerScoreOf, byDepth, isUnmeasured, pairOf, scoredQuestion } from './scores.js'

interface Tally {
  suite: Suite
  cell: Cell
  evidence: Count
  answer: Count
  /** What the memories held at their last probe, over all lives of the cell. */
  held: { lives: number; entries: number; tokens: number }
  /** What was retrieved for questions that need something, and how much of it carries nothing they need. */
  read: { memories: number; tokens: number; noise: { memories: number; tokens: number } }
  /** Facts that questions need of which nothing could be measured, at least. */
  unseen: number
  ceiling: Ceiling
  /** What was measured, of which the suite makes scores of its own; the same with everything uncertain taken one way. */
  scored: ScoredQuestion[]
  leaning: Record<Lean, { scored: ScoredQuestion[]; correct: number }>
}

/** Passed ones among `n`, and how many they could be if every uncertain verdict went one way. */
interface Count extends Record<Lean, number> {
  n: number
  passed: number
  /** Those besides that could not be measured. */
  errors: number
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
  readonly #ceilings = new Map<string, Ceiling>()
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
        if (ingest) spend(tally.cell, ingest.tokens, ingest.cost)
        tally.cell.conversations.n += conversationsOf(life.scenario).length
        tally.cell.conversations.lost += ingest?.lost?.length ?? 0
        if (last && last.snapshot !== null) {
          tally.held.lives++
          tally.held.entries += last.entries
          tally.held.tokens += last.tokens
        }
      }
      this.#count(tally, result)
      if (life.suite.score && !isUnmeasured(result.assessment))
        tally.scored.push(scoredQuestion(result, pairOf(result, found.plain)))
      for (const lean of LEANS) {
        const leaning = { ...result, ...result.bounds?.[lean] }
        if (leaning.assessment.outcome === 'correct') tally.leaning[lean].correct++
        if (life.suite.score && !isUnmeasured(leaning.assessment))
          tally.leaning[lean].scored.push(scoredQuestion(leaning, pairOf(leaning, found[lean])))
      }
      // Evidence is the same whoever reads it: questions count once.
      if (reader === (life.readers[0] ?? reader)) this.#breakDown(life.suite, result)
    }
  }

  /** Cells in the order of the plan: suite, task, subject, reader, depth, trial; guessers after the systems of their task. */
  cells(): Cell[] {
    const done = [...this.#tallies.values()].map(finished)
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
      const ceiling = entryOf(this.#ceilings, `${suite.name}/${question.task} ${depthKey(depth)}`, () =>
        ceilingOf(this.#plan, suite, question.task, depth),
      )
      return {
        suite,
        cell: emptyCell({ ...place, judge: this.#judge }),
        evidence: { n: 0, passed: 0, worst: 0, best: 0, errors: 0 },
        answer: { n: 0, passed: 0, worst: 0, best: 0, errors: 0 },
        held: { lives: 0, entries: 0, tokens: 0 },
        read: { memories: 0, tokens: 0, noise: { memories: 0, tokens: 0 } },
        unseen: 0,
        ceiling,
        scored: [],
        leaning: { worst: { scored: [], correct: 0 }, best: { scored: [], correct: 0 } },
      }
    })
  }

  #count(tally: Tally, result: Result): void {
    const { cell, evidence, answer, read } = tally
    const { question, assessment, bounds, witness, answer: given } = result
    cell.n++
    this.questions++
    spend(cell, { context: witness.contextTokens }, 0)
    spend(cell, witness.tokens, witness.cost)
    if (given) spend(cell, { answer: given.tokens.input + given.tokens.output }, given.cost)
    const { outcome } = assessment
    if (outcome === 'error') {
      cell.errors++
      this.errors++
      if (question.needs.length > 0 && assessment.evidence !== true) evidence.errors++
      if (assessment.answer === null) answer.errors++
      if (question.needs.length > 0) tally.unseen += Math.min(...question.needs.map((set) => set.length))
    }
    if (outcome !== null) cell.outcomes[outcome] = (cell.outcomes[outcome] ?? 0) + 1
    if (assessment.evidence !== null && outcome !== 'error') count(evidence, assessment, bounds, 'evidence')
    if (assessment.answer !== null) count(answer, assessment, bounds, 'answer')
    if (outcome === 'error') return
    for (const fact of assessment.facts) {
      cell.facts.n++
      cell.facts.stored = counted(cell.facts.stored, fact.stored)
      cell.facts.faithful = counted(cell.facts.faithful, fact.faithful)
      if (fact.retrieved) cell.facts.retrieved++
      if (fact.uncertain) cell.facts.uncertain++
      const { bounds: ends } = cell.facts
      for (const stage of STAGES) ends[stage] = fact[stage] === null ? null : widened(ends[stage], fact, stage)
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
    if (depthTokens(depth) !== null) return
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

function count(sum: Count, plain: Assessment, bounds: ResultBounds, what: 'evidence' | 'answer'): void {
  sum.n++
  if (plain[what]) sum.passed++
  for (const lean of LEANS) if (bounds?.[lean].assessment[what] ?? plain[what]) sum[lean]++
}

/** How many facts could have passed a stage, with one more. */
function widened(ends: Interval | null, fact: FactStage, stage: (typeof STAGES)[number]): Interval | null {
  if (!ends) return null
  const [least, most] = fact.uncertain ? [0, 1] : [Number(fact[stage]), Number(fact[stage])]
  return [ends[0] + least!, ends[1] + most!]
}

/**
 * Both ends of a share. What is uncertain can turn against what it helps, so that neither end may cross the share itself. What could not be
 * measured may have failed: nobody gains by dropping questions.
 */
function boundsIn({ n, passed, worst, best, errors }: Count): Interval {
  return [Math.min(worst, passed) / (n + errors), Math.max(best, passed) / n]
}

/** A count with one more, or unknown once anything in it cannot be seen. */
function counted(sum: number | null, passed: boolean | null): number | null {
  return sum === null || passed === null ? null : sum + (passed ? 1 : 0)
}

const OUTCOME_ORDER: readonly Outcome[] = ['answerable', 'correct', ...FAILURES, 'error']

/** Adds to what a cell took; its cost is unknown once one price is. */
function spend(cell: Cell, tokens: Record<string, number>, cost: number | null): void {
  for (const [role, spent] of Object.entries(tokens)) cell.tokens[role] = (cell.tokens[role] ?? 0) + spent
  cell.cost = cell.cost === null || cost === null ? null : cell.cost + cost
}

/** The cell of a tally, with what is made of its sums. */
function finished(tally: Tally): Cell {
  const { suite, cell, evidence, answer, held, read, ceiling, scored, leaning } = tally
  const { lives, entries, tokens } = held
  if (read.memories > 0) {
    const noisyTokens = read.tokens === 0 ? 0 : read.noise.tokens / read.tokens
    cell.noise = { memories: read.noise.memories / read.memories, tokens: noisyTokens }
  }
  if (lives > 0) {
    const tokensPerEntry = entries === 0 ? 0 : tokens / entries
    cell.memory = { entries: entries / lives, tokens: tokens / lives, tokensPerEntry }
  }
  const { n, passed: complete } = evidence
  const { facts } = cell
  for (const stage of STAGES) if (facts.bounds[stage]) facts.bounds[stage][0] *= facts.n / (facts.n + tally.unseen || 1)
  const unmeasured = ({ errors }: Count) => (errors > 0 ? { errors } : {})
  if (n > 0) {
    const about = { ...unmeasured(evidence), bounds: boundsIn(evidence) }
    cell.evidence = { n, complete, rate: complete / n, ci95: wilson(complete, n), ...about }
  }
  if (answer.n > 0) cell.answer = { ...answerOf(answer.n, answer.passed, boundsIn(answer)), ...unmeasured(answer) }
  if (complete > ceiling.most) cell.aboveCeiling = true
  const reader = cell.reader !== null
  const shown = OUTCOME_ORDER.filter(
    (outcome) =>
      outcome !== (reader ? 'answerable' : 'correct') &&
      (outcome !== 'unavailable' || lives === 0 || cell.outcomes.unavailable),
  )
  cell.outcomes = Object.fromEntries(shown.map((outcome) => [outcome, cell.outcomes[outcome] ?? 0]))
  const measured = cell.n - cell.errors
  const scoresFrom = (questions: ScoredQuestion[], correct: number): Score[] => [
    ...(suite.score?.(questions, { reader }) ?? []),
    ...(reader ? [{ name: 'success', value: measured === 0 ? null : correct / measured }] : []),
  ]
  const ends = LEANS.map((lean) => scoresByName(scoresFrom(leaning[lean].scored, leaning[lean].correct)))
  const scores = scoresFrom(scored, cell.outcomes.correct ?? 0).map((score) => withBounds(score, ends))
  cell.scores = [{ name: 'ceiling', value: ceiling.n === 0 ? null : ceiling.reachable / ceiling.n }, ...scores]
  const counted = reader ? answerScoreOf(suite, scored) : null
  const rates = LEANS.flatMap((lean) => (counted && answerScoreOf(suite, leaning[lean].scored)?.rate) ?? [])
  if ((counted?.passed ?? answer.passed) > ceiling.mostAnswers) cell.answerAboveCeiling = true
  if (counted) {
    const [low, high] = enclosing([counted.rate, ...rates])
    const failing: Interval = [(low * counted.n) / (counted.n + answer.errors), high]
    cell.answerScore = { ...counted, ...unmeasured(answer), bounds: failing }
  }
  return cell
}

function enclosing(values: readonly number[]): Interval {
  return [Math.min(...values), Math.max(...values)]
}

/** A score with its bounds, where what is uncertain moves it. */
function withBounds(score: Score, ends: readonly Record<string, number | null>[]): Score {
  if (score.value === null) return score
  const bounds = enclosing([score.value, ...ends.flatMap((end) => end[scoreName(score)] ?? [])])
  return bounds[0] === bounds[1] ? score : { ...score, bounds }
}

function answerOf(n: number, correct: number, bounds: Interval): NonNullable<Cell['answer']> {
  return { n, correct, accuracy: correct / n, ci95: wilson(correct, n), bounds }
}

function guesserCells(plan: Plan, suite: Suite, task: string, judge: JudgePair<InstrumentRef>): Cell[] {
  const asked = askedQuestions(plan, suite, task)
  return suite.guessers.flatMap((guesser) => {
    const chances = asked.flatMap(({ scenario, questions }) => {
      const chosen = new Set(questions)
      const guesses = guesser.guess(scenario)
      return questionsOf(scenario).flatMap((question, i) => (chosen.has(question) ? (guesses[i] ?? []) : []))
    })
    const n = chances.length
    if (n === 0) return []
    const subject = { guesser: guesser.name }
    const cell = emptyCell({ suite: suite.name, task, subject, reader: null, judge, depth: 'all', trial: 0 })
    const correct = chances.reduce((sum, chance) => sum + chance, 0)
    return [{ ...cell, n, answer: answerOf(n, correct, [correct / n, correct / n]) }]
  })
}
