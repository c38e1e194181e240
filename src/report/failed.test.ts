import { expect, it } from 'vitest'
import type { Outcome } from '../model/index.js'
import { whyFailed } from './question-results.js'

const stage = (id: string, stored: boolean, faithful: boolean, retrieved: boolean) => ({
  ...{ id, stored, faithful, retrieved, uncertain: false },
})
const facts = [stage('found', true, true, true), stage('deep', true, true, false)]
const verdictOf = (fact: string) => ({ reason: `about ${fact}` })
const why = (outcome: Outcome, more: typeof facts = []) =>
  whyFailed({ outcome, facts: [...facts, ...more], outdated: [] }, { reason: 'the answer' }, verdictOf)

it('tells of the fact that decides the outcome, not of the first that is not there', () => {
  const damaged = stage('damaged', true, false, false)
  const lost = stage('lost', false, false, false)
  expect(why('not_retrieved')).toBe('deep: stored, but not retrieved. about deep')
  expect(why('summary_error', [damaged])).toBe('damaged: about damaged')
  expect(why('not_stored', [damaged, lost])).toBe('lost: about lost')
})

it('tells of the answer where that decides, and of what stands uncorrected', () => {
  expect(why('reasoning_error')).toBe('the answer')
  expect(why('stale_memory')).toBe('the answer')
  const old = [{ id: 'old', live: true, standing: true }]
  expect(whyFailed({ outcome: 'stale_memory', facts, outdated: old }, null, verdictOf)).toBe('old: about old')
  expect(whyFailed({ outcome: 'error', facts, outdated: [], error: 'down' }, null, verdictOf)).toBe('down')
})
