import { expect, it } from 'vitest'
import { type Attributed, blameOf } from '../analysis/attribution.js'
import type { Counterfactual } from '../model/index.js'
import { tablesOf } from './explain.js'

const NOTHING = { needed: true, store: false, stored: false, faithful: false, both: false }

function failed(id: string, parts: Partial<Counterfactual>): Attributed {
  const counterfactual: Counterfactual = { question: id, k: 5, ...NOTHING, ...parts }
  return {
    ...{ suite: 's', task: 't', system: 'x', reader: 'none', question: id, text: '', k: 5 },
    ...{ judged: 'not_retrieved', proven: blameOf(counterfactual), counterfactual },
  }
}

it('says of how many questions the judge is proven right, and how many need more than one part', () => {
  const many = Array.from({ length: 17 }, (_, at) => failed(`q${at}`, { both: true }))
  expect(tablesOf([failed('one', { store: true }), ...many])).toContain(
    'The judge agrees in 1 of 1 questions that one part explains; 17 of 18 need more than one part repaired.',
  )
  expect(tablesOf([...many, failed('lost', { store: null })])).toContain(
    'No question has a single part that explains its failure; 17 of 18 need more than one part repaired; 1 of 18 could not be asked again.',
  )
})
