import { entryOf } from '../base/group-by.js'
import type { Depth } from '../model/depth.js'
import {
  answerTrial,
  askKey,
  isReader,
  placeKey,
  type ReaderRef,
  readerKey,
  type Subject,
  subjectKey,
} from '../model/identity.js'
import { isRehearsed } from '../model/llm.js'
import type { ScenarioCost } from '../model/suite-report.js'
import type { Spent } from '../model/verdict.js'
import type { LifeResults } from './results.js'

/** Where models are called, in the order in which a question goes through them. */
export const COST_STAGES = ['ingest', 'retrieve', 'answer', 'judge'] as const

export type CostStage = (typeof COST_STAGES)[number]

/**
 * What models took over all memories of one subject in one suite at one depth, as if nothing had been cached and nobody else had been
 * judged: storing counts once a memory, judging facts once a store, both at every depth in full.
 */
export interface CostRow {
  suite: string
  subject: Subject
  reader: ReaderRef | null
  depth: Depth
  /** Memories that were filled, over all trials. */
  lives: number
  questions: number
  stages: Record<CostStage, Spent>
}

/**
 * Adds up what each stage took, life by life. Judging is known by the shares that verdicts and grades keep of the calls they came from.
 * Those depend on which verdicts were there already from other runs, so they are no part of a summary's cells. Nor is what repairs took:
 * whether a reply can be used differs between equal runs.
 */
export class Costs {
  readonly #rows = new Map<string, CostRow>()
  readonly #seen = new Set<string>()
  readonly #judging = nothing()
  readonly #repairs = nothing()

  /** @param time which time the judge judged, from 0. Rows are for judging once, and answering once; what it all took counts every time */
  add(life: LifeResults, time = 0): void {
    const { ingest, results, reader } = life
    const { subject, scenario, trial } = life.planned.key
    const lived = [subjectKey(subject), scenario, trial]
    const once = (...what: (string | number)[]): boolean => {
      const key = JSON.stringify(what)
      const isNew = !this.#seen.has(key)
      this.#seen.add(key)
      return isNew
    }
    if (once('life', ...lived)) add(this.#repairs, ingest?.repairs)
    for (const { question, depth, witness, answer, graded } of results) {
      const asked = askKey(question.id, depth)
      if (once('witness', ...lived, asked)) add(this.#repairs, witness.repairs)
      // Who answers by themselves does so once for all depths.
      if (once('answer', readerKey(reader), ...lived, isReader(reader) ? asked : question.id))
        add(this.#repairs, answer?.repairs)
      add(this.#judging, graded?.took)
      add(this.#repairs, graded?.repairs)
      for (const [snapshot, fact] of judgedFacts(life, question, witness)) {
        const verdict = once('fact', time, snapshot, scenario, fact) ? life.verdictIn(snapshot, fact) : undefined
        add(this.#judging, verdict?.took)
        add(this.#repairs, verdict?.repairs)
      }
    }
    if (time === 0 && answerTrial(reader) === 0) this.#addRows(life)
  }

  /** In the order in which they were first met. */
  rows(): CostRow[] {
    return [...this.#rows.values()]
  }

  /** What judging the whole run took, every verdict once, and what repairs did; nothing of either when there was none. */
  timing(): Record<string, number> {
    return { ...named('judge', this.#judging), ...named('repair', this.#repairs) }
  }

  #addRows(life: LifeResults): void {
    const { ingest, results } = life
    const facts = new Map<CostRow, Set<string>>()
    for (const { question, depth, witness, answer, graded } of results) {
      const row = this.#row(life, depth)
      const seen = entryOf(facts, row, () => {
        row.lives++
        if (ingest) add(row.stages.ingest, { tokens: sum(ingest.tokens), cost: ingest.cost })
        return new Set<string>()
      })
      row.questions++
      add(row.stages.retrieve, { tokens: sum(witness.tokens), cost: witness.cost })
      if (answer) add(row.stages.answer, { tokens: answer.tokens.input + answer.tokens.output, cost: answer.cost })
      add(row.stages.judge, graded?.took)
      for (const [snapshot, fact] of judgedFacts(life, question, witness)) {
        const key = `${snapshot} ${fact}`
        if (!seen.has(key)) add(row.stages.judge, life.verdictIn(snapshot, fact)?.took)
        seen.add(key)
      }
    }
  }

  #row({ planned, reader }: LifeResults, depth: Depth): CostRow {
    const place = { suite: planned.suite.name, subject: planned.key.subject, reader, depth }
    return entryOf(this.#rows, placeKey(place), () => ({
      ...place,
      lives: 0,
      questions: 0,
      stages: { ingest: nothing(), retrieve: nothing(), answer: nothing(), judge: nothing() },
    }))
  }
}

/** All stages of a row together; the cost is unknown once one stage's is. */
export function totalOf({ stages }: CostRow): Spent {
  const total = nothing()
  for (const stage of COST_STAGES) add(total, stages[stage])
  return total
}

/** The cost of one scenario, on average; null when a price is not known, no model was asked, or the model inside was only played. */
export function scenarioCost({ stages: { ingest, retrieve, answer }, lives, subject }: CostRow): ScenarioCost | null {
  if (lives === 0 || isRehearsed(subject.model) || ingest.tokens + retrieve.tokens + answer.tokens === 0) return null
  if (ingest.cost === null || retrieve.cost === null || answer.cost === null) return null
  const inference = (retrieve.cost + answer.cost) / lives
  return { ingest: ingest.cost / lives, inference, total: ingest.cost / lives + inference }
}

type Result = LifeResults['results'][number]

/** The facts of a question with the stores in which they were judged: the one asked, and what was retrieved where that is another. */
function judgedFacts(
  { moments }: LifeResults,
  { needs, outdated, gone = [] }: Result['question'],
  { probe, retrievedSnapshot }: Result['witness'],
): [snapshot: string, fact: string][] {
  const facts = [...needs.flat(), ...outdated, ...gone]
  return [moments.get(probe)?.snapshot, retrievedSnapshot].flatMap((snapshot) =>
    snapshot ? facts.map((fact): [string, string] => [snapshot, fact]) : [],
  )
}

function nothing(): Spent {
  return { tokens: 0, cost: 0 }
}

function add(total: Spent, spent: Spent | undefined): void {
  if (!spent) return
  total.tokens += spent.tokens
  total.cost = total.cost === null || spent.cost === null ? null : total.cost + spent.cost
}

function named(what: string, { tokens, cost }: Spent): Record<string, number> {
  if (tokens === 0) return {}
  return { [`${what}Tokens`]: Math.round(tokens), ...(cost !== null && { [`${what}Cost`]: cost }) }
}

function sum(tokens: Record<string, number>): number {
  return Object.values(tokens).reduce((all, spent) => all + spent, 0)
}
