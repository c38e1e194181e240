import { describe, expect, it } from 'vitest'
import { tinyRequest } from '../../test/engine/request.js'
import { tinySuite } from '../../test/engine/suite.js'
import type { Scenario, SystemDefinition } from '../model/index.js'
import { askQuestion, blankWitness } from './ask.js'
import type { LifeTools } from './live.js'
import { makePlan, type RunRequest } from './plan.js'

const question = {
  id: 'q',
  task: 'x',
  text: 'What?',
  needs: [],
  outdated: [],
  gold: { kind: 'free' as const, text: '' },
  tags: {},
}
const scenario: Scenario = {
  id: 'tiny/all',
  suite: 'tiny',
  facts: [],
  timeline: [{ type: 'probe', probe: { id: 'p', time: '2026-01-01T00:00:00Z', questions: [question] } }],
}

function planOf(change: Partial<RunRequest>, definition: Partial<SystemDefinition> = {}) {
  const system: SystemDefinition = {
    name: 'notebook',
    version: '1',
    class: 'raw',
    about: '',
    create: () => ({ store: async () => {}, retrieve: async () => [] }),
    ...definition,
  }
  return makePlan(
    tinyRequest({ systems: ['notebook'], ...change }),
    [{ suite: tinySuite(scenario, 1), scenarios: [scenario], datasetHash: 'h', audit: [] }],
    [{ system: 'notebook', model: null, definition: system, options: {} }],
    {},
  )
}

describe('a plan', () => {
  it('asks for as many as the papers of each system did, and for the suite’s own where they did not', () => {
    const depths = (paperK: Record<string, number>) => planOf({ ks: 'paper' }, { paperK }).lives[0]!.asks[0]!.depths
    expect(depths({ tiny: 20, other: 7 })).toEqual([{ k: 20 }])
    expect(depths({ other: 7 })).toEqual(tinySuite(scenario, 1).defaultK.map((k) => ({ k })))
  })

  it('has the episodes that are named, with or without the suite', () => {
    expect(planOf({ episodes: ['all'] }).lives).toHaveLength(1)
    expect(planOf({ episodes: ['tiny/all'] }).lives).toHaveLength(1)
    expect(() => planOf({ episodes: ['none'] })).toThrow('episode "none"')
  })
})

it('takes as many memories as a system says may come for k, where what is found brings others along', async () => {
  const system = { store: async () => {}, retrieve: async () => ['a', 'b'].map((id) => ({ id, text: id })) }
  const tools = { signal: new AbortController().signal, redact: String, store: { putSnapshot: async () => 'h' } }
  const asked = (mostFound?: (k: number) => number) =>
    // Asking needs no other tool.
    askQuestion(
      system,
      { id: 'q', text: '', time: '' },
      blankWitness('q', 'p', { k: 1 }),
      null,
      tools as unknown as LifeTools,
      mostFound,
    )
  expect((await asked()).error).toContain('2 memories, at most 1')
  expect((await asked((k) => k + 1)).retrieved).toEqual(['a', 'b'])
})
