import { describe, expect, it } from 'vitest'
import type { FactVerdict } from '../model/index.js'
import { Costs, totalOf } from './costs.js'
import type { LifeResults } from './results.js'

const verdict = (fact: string, cost: number | null): FactVerdict => ({
  fact,
  label: 'correct',
  uncertain: false,
  support: [],
  reason: '',
  quotes: [],
  took: { tokens: 10, cost },
})

/** Two questions that need one fact each, at two depths, over one store. */
function life(reader: string, cost: number | null = 0.01): LifeResults {
  const witness = { probe: 'p', retrievedSnapshot: null, tokens: { retrieve: 3 }, cost: 0.002 }
  const answer = { tokens: { input: 40, output: 10 }, cost: 0.05 }
  const results = ['f1', 'f2'].flatMap((fact) =>
    [1, 5].map((k) => ({
      question: { needs: [[fact]], outdated: [] },
      k,
      budget: null,
      witness,
      answer,
      gradeTook: { tokens: 7, cost: 0.001 },
    })),
  )
  return {
    life: {
      suite: { name: 's' },
      key: { system: 'x', scenario: 'c', trial: 0 },
      subject: { label: 'x', model: null },
      scenario: { id: 'c' },
    },
    reader,
    ingest: { tokens: { ingest: 500 }, cost: 0.3 },
    probes: new Map([['p', { snapshot: 'h' }]]),
    results,
    verdictIn: (_: string, fact: string) => verdict(fact, cost),
  } as unknown as LifeResults
}

describe('costs by stage', () => {
  it('count storing once a memory, facts once a store and the rest by question, at every depth', () => {
    const costs = new Costs()
    costs.add(life('r'))
    const rows = costs.rows()
    expect(rows.map(({ k, lives, questions }) => [k, lives, questions])).toEqual([
      [1, 1, 2],
      [5, 1, 2],
    ])
    for (const { stages } of rows) {
      expect([stages.ingest.tokens, stages.retrieve.tokens, stages.answer.tokens, stages.judge.tokens]).toEqual([
        500, 6, 100, 34,
      ])
    }
    expect(totalOf(rows[0]!).cost).toBeCloseTo(0.3 + 0.004 + 0.1 + 0.02 + 0.002, 9)
  })

  it('count what judging the run took once, whatever depths and readers share it', () => {
    const costs = new Costs()
    costs.add(life('r'))
    costs.add(life('other'))
    expect(costs.judging().judgeTokens).toBe(2 * 10 + 8 * 7)
  })

  it('are unknown for the stage whose price is, and for the whole', () => {
    const costs = new Costs()
    costs.add(life('r', null))
    const [row] = costs.rows()
    expect(row!.stages.judge.cost).toBeNull()
    expect(row!.stages.answer.cost).toBeCloseTo(0.1, 9)
    expect(totalOf(row!).cost).toBeNull()
  })

  it('leave out answers given again', () => {
    const costs = new Costs()
    costs.add(life('r'))
    costs.add(life('r#2'))
    expect(costs.rows().map(({ reader }) => reader)).toEqual(['r', 'r'])
  })
})
