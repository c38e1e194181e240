import { z } from 'zod'
import { fingerprint } from '../base/hash.js'
import { depthKey } from '../model/depth.js'
import { isGuess, isReader, placeKey, type ReaderRef, readerKey, withFirstTrial } from '../model/identity.js'
import type { Question } from '../model/question.js'
import { OUTCOMES, scoreValue } from '../model/score.js'
import type { ScoredQuestion, Suite } from '../model/suite.js'
import type { Summary } from '../model/summary.js'
import type { LifeResults, Result } from './results.js'
import { byDepth, pairOf, scoredQuestion } from './scores.js'

const amount = z.number().nullable()
const place = z.int().min(0)

const contestant = z.object({
  system: z.string(),
  model: z.string().nullable(),
  /** `none` where nobody answered. */
  reader: z.string(),
})

const question = z.object({
  suite: z.string(),
  task: z.string(),
  scenario: z.string(),
  id: z.string(),
  text: z.string(),
  cluster: z.string(),
  /** Of what is asked and what is right: another print is another question. */
  print: z.string(),
})

const result = z.object({
  /** Places in the lists of the run. */
  question: place,
  contestant: place,
  depth: z.string().regex(/^(?:\d+t?|all)$/),
  outcome: z.enum(OUTCOMES).nullable(),
  evidence: amount,
  answer: amount,
  /** As the suite counts it, where it has a count of its own. */
  own: amount,
})

const spending = z.object({
  suite: z.string(),
  task: z.string(),
  contestant: place,
  depth: z.string(),
  n: z.number(),
  /** By role, as if nothing had been cached. */
  tokens: z.record(z.string(), z.number()),
  cost: amount,
  /** Middle of the milliseconds that calls took; null where none was timed. */
  ms: z.object({ store: amount, retrieve: amount, answer: amount }),
})

export const comparableRunSchema = z.object({
  run: z.string(),
  status: z.enum(['valid', 'invalid', 'partial']),
  setting: z.record(z.string(), z.string()),
  /** When the prices that its costs rest on were looked up; absent where its settings do not say. */
  prices: z.string().exactOptional(),
  suites: z.array(
    z.object({
      name: z.string(),
      cluster: z.string(),
      defaultK: z.array(z.number()),
      tasks: z.array(z.string()),
      own: z.string().nullable(),
    }),
  ),
  contestants: z.array(contestant),
  questions: z.array(question),
  results: z.array(result),
  spending: z.array(spending),
})

/** Everything of a run that comparing it with another needs. It is also what baselines are kept as. */
export type ComparableRun = z.infer<typeof comparableRunSchema>

/** Who is compared: a memory, and who read it. Times of answering are no others. */
export type ComparedContestant = z.infer<typeof contestant>

/** A question as comparisons know it again. */
export type ComparedQuestion = z.infer<typeof question>

/** What became of a question at one depth, in one trial. What could not be measured, or is not asked, is null; what the memory itself failed is 0. */
export type ComparedResult = z.infer<typeof result>

/** What a task took, over all its questions. */
export type ComparedSpending = z.infer<typeof spending>

/** The score that says which share of questions ended well, which the harness gives. */
const SHARE_OF_QUESTIONS = 'success'

/** Takes in a run life by life. */
export class ComparedLives {
  readonly #suites = new Map<string, Suite>()
  readonly #questions = new Indexed<ComparedQuestion>()
  readonly #places = new Map<Question, number>()
  readonly #contestants = new Indexed<ComparedContestant>()
  readonly #results: ComparedResult[] = []

  add({ planned, reader, results }: LifeResults): void {
    const { suite, key } = planned
    this.#suites.set(suite.name, suite)
    const contestant = this.#contestants.at({ ...key.subject, reader: readerName(reader) })
    const found = byDepth(results)
    for (const result of results) {
      const { question, depth, assessment } = result
      const { outcome, evidence, answer } = assessment
      const failed = isOwnFailure(result, reader) ? 0 : null
      this.#results.push({
        question: this.#placeOf(question, planned),
        contestant,
        depth: depthKey(depth),
        outcome,
        evidence: outcome === 'error' ? (question.needs.length > 0 ? failed : null) : numberOf(evidence),
        answer: reader === null ? null : (numberOf(answer) ?? failed),
        own:
          reader === null
            ? null
            : (ownValue(suite, result, () => scoredQuestion(result, pairOf(result, found))) ?? failed),
      })
    }
  }

  /** A question is written down once, however many systems and depths it was asked of. */
  #placeOf(question: Question, { suite, scenario }: LifeResults['planned']): number {
    const known = this.#places.get(question)
    if (known !== undefined) return known
    const { id, task, text, gold, choices } = question
    const place = { suite: suite.name, task, scenario: scenario.id, id, text }
    const cluster = suite.clusters.of(question, scenario)
    const found = this.#questions.at({ ...place, cluster, print: fingerprint({ text, gold, choices }) })
    this.#places.set(question, found)
    return found
  }

  /** The whole run, with what it took. */
  run({ run, status, cells, latency = [] }: Summary, setting: Record<string, string>): ComparableRun {
    const spending = new Map<string, ComparedSpending>()
    for (const cell of cells) {
      if (isGuess(cell.subject)) continue
      const { suite, task } = cell
      const contestant = this.#contestants.at({ ...cell.subject, reader: readerName(cell.reader) })
      const place = { suite, task, contestant, depth: depthKey(cell.depth) }
      const ms = latency.find((row) => placeKey(row) === placeKey(cell))
      const times = { store: middle(ms?.store), retrieve: middle(ms?.retrieve), answer: middle(ms?.answer) }
      const key = JSON.stringify(place)
      const before = spending.get(key)
      // The first trial tells how long calls took; tokens and costs are of all.
      const tokens = { ...before?.tokens }
      for (const [role, spent] of Object.entries(cell.tokens)) tokens[role] = (tokens[role] ?? 0) + spent
      const cost = before?.cost === null || cell.cost === null ? null : (before?.cost ?? 0) + cell.cost
      spending.set(key, { ...place, n: (before?.n ?? 0) + cell.n, tokens, cost, ms: before?.ms ?? times })
    }
    return {
      run: run.id,
      status,
      setting,
      ...(run.settings?.prices !== undefined && { prices: run.settings.prices }),
      suites: [...this.#suites.values()].map(({ name, clusters, defaultK, tasks, answerScore, ownScore }) => ({
        name,
        cluster: clusters.unit,
        defaultK,
        tasks: tasks.map((task) => task.name),
        own: answerScore?.score ?? ownScore ?? null,
      })),
      contestants: this.#contestants.list,
      questions: this.#questions.list,
      results: this.#results,
      spending: [...spending.values()],
    }
  }
}

/** The memory itself gave nothing. In comparisons that is a failure: else it would gain by not answering what it is unsure of. */
function isOwnFailure({ witness, answer }: Result, reader: ReaderRef | null): boolean {
  return witness.error !== null || (reader !== null && !isReader(reader) && answer !== null && answer.error !== null)
}

/** What a suite makes of one question that was answered; null where it has no count of its own, or cannot count it. */
function ownValue(suite: Suite, { assessment }: Result, scored: () => ScoredQuestion): number | null {
  const { answerScore, ownScore, score } = suite
  if (answerScore) return numberOf(answerScore.passed(scored()))
  if (ownScore === SHARE_OF_QUESTIONS)
    return assessment.outcome === 'error' ? null : numberOf(assessment.outcome === 'correct')
  if (ownScore === undefined || assessment.outcome === 'error') return null
  return scoreValue(score?.([scored()], { reader: true }) ?? [], ownScore)
}

function numberOf(passed: boolean | null): number | null {
  return passed === null ? null : Number(passed)
}

/** Name of the reader where nobody reads. */
export const NO_READER = readerKey(null)

function readerName(reader: ReaderRef | null): string {
  return readerKey(withFirstTrial(reader))
}

function middle(latency: { p50: number } | null | undefined): number | null {
  return latency?.p50 ?? null
}

/** A list in which equal things stand once. */
class Indexed<T> {
  readonly list: T[] = []
  readonly #places = new Map<string, number>()

  at(item: T): number {
    const key = JSON.stringify(item)
    const place = this.#places.get(key) ?? this.list.push(item) - 1
    this.#places.set(key, place)
    return place
  }
}
