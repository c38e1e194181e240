import { expect, it } from 'vitest'
import type { Plan } from '../engine/plan.js'
import type { Cell } from '../model/index.js'
import type { CostRow } from './costs.js'
import { overallRows } from './scores.js'

const nothing = { tokens: 0, cost: 0 }
const key = { suite: 's', system: 'notes', model: 'openai:x', reader: 'openai:y', k: 5, depth: { k: 5 } }

/** What two memories took, judging included. */
function row(own: Partial<CostRow> = {}): CostRow {
  const stages = {
    ingest: { tokens: 900, cost: 6 },
    retrieve: nothing,
    answer: { tokens: 100, cost: 1 },
    judge: { tokens: 500, cost: 50 },
  }
  return { ...key, lives: 2, questions: 20, stages, ...own }
}

function scoresWith(cost: CostRow, model: string | null = key.model) {
  // Rows over all tasks look at suites alone.
  const plan = { suites: [{ suite: { name: 's', overall: () => ({ macro: 0.5 }) } }] } as unknown as Plan
  const cell = { ...key, model, judge: 'lexical', trial: 0, task: 't' } as unknown as Cell
  return overallRows(plan, [cell], [cost])[0]!.scores
}

it('is a score over all tasks: storing and answering a scenario, without judging', () => {
  expect(scoresWith(row())).toEqual({
    macro: 0.5,
    usd_per_episode: 3.5,
    usd_per_episode_ingest: 3,
    usd_per_episode_inference: 0.5,
  })
})

it('is left out where a price is not known, the model was only played, or none was asked', () => {
  const { stages } = row()
  expect(scoresWith(row({ stages: { ...stages, answer: { tokens: 100, cost: null } } }))).toEqual({ macro: 0.5 })
  expect(scoresWith(row({ model: 'rehearsal:demo' }), 'rehearsal:demo')).toEqual({ macro: 0.5 })
  expect(scoresWith(row({ stages: { ...stages, ingest: nothing, answer: nothing } }))).toEqual({ macro: 0.5 })
  expect(scoresWith(row({ k: 10 }))).toEqual({ macro: 0.5 })
})
