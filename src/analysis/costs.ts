import { answerTrialOf, type Spent } from '../model/index.js'
import type { LifeResults } from './results.js'

/** Where models are called, in the order in which a question goes through them. */
export const COST_STAGES = ['ingest', 'retrieve', 'answer', 'judge'] as const

export type CostStage = (typeof COST_STAGES)[number]

/**
 * What models took over all memories of one system in one suite at one depth, as if nothing had been cached and nobody else had been
 * judged: storing counts once a memory, judging facts once a store, both at every depth in full.
 */
export interface CostRow {
  suite: string
  system: string
  model: string | null
  reader: string
  k: number | null
  budget: number | null
  /** Memories that were filled, over all trials. */
  lives: number
  questions: number
  stages: Record<CostStage, Spent>
}

/**
 * Adds up what each stage took, life by life. Judging is known by the shares that verdicts and grades keep of the calls they came from.
 * Those depend on which verdicts were there already from other runs, so they are no part of a summary's cells.
 */
export class Costs {
  readonly #rows = new Map<string, CostRow>()
  readonly #judged = new Set<string>()
  readonly #judging: Spent = { tokens: 0, cost: 0 }

  add(life: LifeResults): void {
    // Answering again is done to see how answers vary; a bill is for answering once.
    if (answerTrialOf(life.reader).trial > 0) return
    const { ingest, results } = life
    const facts = new Map<CostRow, Set<string>>()
    for (const { question, k, budget, witness, answer, gradeTook } of results) {
      const row = this.#row(life, k, budget)
      let seen = facts.get(row)
      if (!seen) {
        seen = new Set()
        facts.set(row, seen)
        row.lives++
        if (ingest) add(row.stages.ingest, { tokens: sum(ingest.tokens), cost: ingest.cost })
      }
      row.questions++
      add(row.stages.retrieve, { tokens: sum(witness.tokens), cost: witness.cost })
      if (answer) add(row.stages.answer, { tokens: answer.tokens.input + answer.tokens.output, cost: answer.cost })
      if (gradeTook) {
        add(row.stages.judge, gradeTook)
        add(this.#judging, gradeTook)
      }
      const snapshots = [life.probes.get(witness.probe)?.snapshot, witness.retrievedSnapshot]
      for (const snapshot of snapshots) {
        for (const fact of snapshot ? [...question.needs.flat(), ...question.outdated] : []) {
          const key = `${snapshot} ${life.life.scenario.id} ${fact}`
          const took = seen.has(key) ? undefined : life.verdictIn(snapshot!, fact)?.took
          seen.add(key)
          if (!took) continue
          add(row.stages.judge, took)
          if (!this.#judged.has(key)) add(this.#judging, took)
          this.#judged.add(key)
        }
      }
    }
  }

  /** In the order in which they were first met. */
  rows(): CostRow[] {
    return [...this.#rows.values()]
  }

  /** What judging the whole run took, every verdict once; nothing when no model judged. */
  judging(): { judgeTokens?: number; judgeCost?: number } {
    const { tokens, cost } = this.#judging
    if (tokens === 0) return {}
    return { judgeTokens: Math.round(tokens), ...(cost !== null && { judgeCost: cost }) }
  }

  #row({ life, reader }: LifeResults, k: number | null, budget: number | null): CostRow {
    const key = JSON.stringify([life.suite.name, life.key.system, reader, k, budget])
    let row = this.#rows.get(key)
    if (!row) {
      const nothing = (): Spent => ({ tokens: 0, cost: 0 })
      const { label: system, model } = life.subject
      row = {
        suite: life.suite.name,
        system,
        model,
        reader,
        k,
        budget,
        lives: 0,
        questions: 0,
        stages: { ingest: nothing(), retrieve: nothing(), answer: nothing(), judge: nothing() },
      }
      this.#rows.set(key, row)
    }
    return row
  }
}

/** All stages of a row together; the cost is unknown once one stage's is. */
export function totalOf({ stages }: CostRow): Spent {
  const total: Spent = { tokens: 0, cost: 0 }
  for (const stage of COST_STAGES) add(total, stages[stage])
  return total
}

function add(total: Spent, { tokens, cost }: Spent): void {
  total.tokens += tokens
  total.cost = total.cost === null || cost === null ? null : total.cost + cost
}

function sum(tokens: Record<string, number>): number {
  return Object.values(tokens).reduce((all, spent) => all + spent, 0)
}
