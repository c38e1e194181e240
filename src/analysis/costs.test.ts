import { describe, expect, it } from 'vitest'
import { type FactVerdict, readerKey, readReader } from '../model/index.js'
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
      question: { id: fact, needs: [[fact]], outdated: [] },
      depth: { k },
      witness,
      answer,
      graded: { took: { tokens: 7, cost: 0.001 } },
    })),
  )
  return {
    planned: {
      suite: { name: 's' },
      key: { subject: { system: 'x', model: null }, scenario: 'c', trial: 0 },
      scenario: { id: 'c' },
    },
    reader: readReader(reader),
    ingest: { tokens: { ingest: 500 }, cost: 0.3 },
    moments: new Map([['p', { snapshot: 'h' }]]),
    results,
    verdictIn: (_: string, fact: string) => verdict(fact, cost),
  } as unknown as LifeResults
}

describe('costs by stage', () => {
  it('count storing once a memory, facts once a store and the rest by question, at every depth', () => {
    const costs = new Costs()
    costs.add(life('r'))
    const rows = costs.rows()
    expect(rows.map(({ depth, lives, questions }) => [depth, lives, questions])).toEqual([
      [{ k: 1 }, 1, 2],
      [{ k: 5 }, 1, 2],
    ])
    for (const { stages } of rows) {
      expect([stages.ingest.tokens, stages.retrieve.tokens, stages.answer.tokens, stages.judge.tokens]).toEqual([
        500, 6, 100, 34,
      ])
    }
    expect(totalOf(rows[0]!).cost).toBeCloseTo(0.3 + 0.004 + 0.1 + 0.02 + 0.002, 9)
  })

  it('count what judging the run took once, whatever depths and readers share it, and once more when it judged again', () => {
    const costs = new Costs()
    costs.add(life('r'))
    costs.add(life('other'))
    expect(costs.timing()).toMatchObject({ judgeTokens: 2 * 10 + 8 * 7 })
    costs.add(life('r'), 1)
    expect(costs.timing()).toMatchObject({ judgeTokens: 2 * (2 * 10) + 12 * 7 })
    expect(costs.rows().map(({ reader }) => readerKey(reader))).toEqual(['r', 'r', 'other', 'other'])
  })

  it('tell what repairs took apart, every unit once', () => {
    const costs = new Costs()
    for (const [reader, time] of [
      ['r', 0],
      ['r#2', 0],
      ['r', 1],
    ] as const) {
      const one = life(reader)
      one.ingest!.repairs = { tokens: 1000, cost: 1 }
      for (const result of one.results) {
        result.witness = { ...result.witness, repairs: { tokens: 100, cost: 0.1 } }
        result.answer = { ...result.answer!, repairs: { tokens: 10, cost: 0.01 } }
        result.graded = { ...result.graded!, repairs: { tokens: 1, cost: 0.001 } }
      }
      costs.add(one, time)
    }
    const plain = new Costs()
    for (const [reader, time] of [
      ['r', 0],
      ['r#2', 0],
      ['r', 1],
    ] as const)
      plain.add(life(reader), time)
    // One memory, four witnesses, four answers twice, four grades three times.
    expect(costs.timing().repairTokens).toBe(1000 + 4 * 100 + 8 * 10 + 12)
    expect(costs.timing().repairCost).toBeCloseTo(1 + 0.4 + 0.08 + 0.012, 9)
    expect(costs.rows()).toEqual(plain.rows())
    expect(plain.timing()).not.toHaveProperty('repairTokens')
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
    expect(costs.rows().map(({ reader }) => readerKey(reader))).toEqual(['r', 'r'])
  })
})
