import { describe, expect, it } from 'vitest'
import type { Counterfactual, Failure } from '../model/index.js'
import { type Attributed, attributionReport, blameOf } from './attribution.js'

const NOTHING = { needed: false, store: false, stored: false, faithful: false, both: false }
type Parts = Partial<Omit<Counterfactual, 'question' | 'depth'>>
const counterfactual = (parts: Parts): Counterfactual => ({ question: 'q', depth: { k: 5 }, ...NOTHING, ...parts })

const attributed = (judged: Failure, parts: Parts): Attributed => ({
  suite: 's',
  task: 't',
  subject: { system: 'x', model: null },
  reader: null,
  question: 'q',
  text: '',
  depth: { k: 5 },
  judged,
  proven: blameOf(counterfactual(parts)),
  counterfactual: counterfactual(parts),
})

describe('what repairs a question is what broke it', () => {
  it.each<[Parts, string]>([
    [{}, 'reasoning_error'],
    [{ needed: true, store: true }, 'not_retrieved'],
    [{ needed: true, stored: true, both: true }, 'not_stored'],
    [{ needed: true, faithful: true, both: true }, 'summary_error'],
    [{ needed: true, both: true }, 'compound'],
    [{ needed: null }, 'unmeasured'],
    [{ needed: true, store: null }, 'unmeasured'],
    [{ needed: true, faithful: null }, 'unmeasured'],
  ])('%o is %s', (parts, blame) => {
    expect(blameOf(counterfactual(parts))).toBe(blame)
  })
})

describe('the report', () => {
  const retrieval = { needed: true, store: true }
  const storing = { needed: true, stored: true, both: true }

  it('counts both attributions against each other, with repair rates and what stays broken', () => {
    const report = attributionReport([
      attributed('not_retrieved', retrieval),
      attributed('not_retrieved', retrieval),
      attributed('not_retrieved', storing),
      attributed('not_stored', storing),
      attributed('not_stored', { needed: true }),
      attributed('reasoning_error', {}),
    ])
    expect(report.matrix).toEqual({
      not_retrieved: { not_retrieved: 2, not_stored: 1 },
      not_stored: { not_stored: 1, compound: 1 },
      reasoning_error: { reasoning_error: 1 },
    })
    expect(report.repair).toMatchObject({
      not_retrieved: { n: 3, repaired: 2 },
      not_stored: { n: 2, repaired: 1 },
    })
    expect(report.unrepaired.map(({ judged }) => judged)).toEqual(['reasoning_error'])
    // By hand, over the five with one proven stage: 4 of 5 agree, and by chance (3·2 + 1·2 + 1·1) / 25 would.
    expect(report.agreement).toBeCloseTo(0.8)
    expect(report).toMatchObject({ n: 6, single: 5, agreed: 4, compound: 1, unmeasured: 0 })
    expect(report.kappa).toBeCloseTo((0.8 - 0.36) / (1 - 0.36))
  })

  it('has no agreement where nothing can be compared', () => {
    expect(attributionReport([])).toMatchObject({ n: 0, agreement: null, kappa: null })
    expect(attributionReport([attributed('not_retrieved', retrieval)])).toMatchObject({ agreement: 1, kappa: null })
  })
})
