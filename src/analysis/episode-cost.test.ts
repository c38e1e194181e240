import { expect, it } from 'vitest'
import type { Plan } from '../engine/plan.js'
import { type Cell, readReader, scoresByName } from '../model/index.js'
import { meme } from '../suites/meme/index.js'
import { memora } from '../suites/memora/index.js'
import type { CostRow } from './costs.js'
import { overallRows } from './scores.js'

const nothing = { tokens: 0, cost: 0 }
const subject = { system: 'notes', model: 'openai:x' }
const key = { suite: 's', subject, reader: readReader('openai:y'), depth: { k: 5 } }

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

function scoresWith(cost: CostRow, model: string | null = subject.model) {
  // Rows over all tasks look at suites alone; this one tells what it was given.
  const plan = { suites: [{ suite: { name: 's', overall: (_: unknown, cost: unknown) => cost } }] } as unknown as Plan
  const cell = { ...key, subject: { ...subject, model }, judge: 'lexical', trial: 0, task: 't' } as unknown as Cell
  return overallRows(plan, [cell], [cost])[0]!.scores
}

it('is told to a suite for its scores over all tasks: storing and answering a scenario, without judging', () => {
  expect(scoresWith(row())).toEqual({ total: 3.5, ingest: 3, inference: 0.5 })
})

it('is a score of suites that tell it', () => {
  const cost = { total: 3.5, ingest: 3, inference: 0.5 }
  const named = { usd_per_episode: 3.5, usd_per_episode_ingest: 3, usd_per_episode_inference: 0.5 }
  expect(scoresByName(meme.overall!([], cost))).toMatchObject(named)
  expect(scoresByName(memora.overall!([], cost))).toMatchObject(named)
  expect(scoresByName(meme.overall!([], null))).toEqual({ macro: null, micro: null })
})

it('is left out where a price is not known, the model was only played, or none was asked', () => {
  const { stages } = row()
  expect(scoresWith(row({ stages: { ...stages, answer: { tokens: 100, cost: null } } }))).toBeNull()
  expect(scoresWith(row({ subject: { ...subject, model: 'rehearsal:demo' } }), 'rehearsal:demo')).toBeNull()
  expect(scoresWith(row({ stages: { ...stages, ingest: nothing, answer: nothing } }))).toBeNull()
  expect(scoresWith(row({ depth: { k: 10 } }))).toBeNull()
})
