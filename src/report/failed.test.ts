import { expect, it } from 'vitest'
import type { Assessment } from '../analysis/assess.js'
import type { LifeResults } from '../analysis/results.js'
import { questionResults } from './question-results.js'

const stage = (id: string, stored: boolean, faithful: boolean, retrieved: boolean) => ({
  id,
  stored,
  faithful,
  retrieved,
  uncertain: false,
})
const facts = [stage('found', true, true, true), stage('deep', true, true, false)]
const verdictOf = (fact: string) => ({ reason: `about ${fact}` })

/** What the list of failed questions says of one. */
function why(assessment: Partial<Assessment>, grade: { reason: string } | null = { reason: 'the answer' }): string {
  const question = { id: 'q', task: 't', text: '?' }
  const result = {
    question,
    depth: { k: 1 },
    assessment: { facts, outdated: [], ...assessment },
    witness: { probe: 'p' },
    grade,
  }
  const planned = { suite: { name: 's' }, key: { subject: { system: 'bm25', model: null } } }
  const life = { planned, results: [result], verdictAt: (_: string, fact: string) => verdictOf(fact) }
  return questionResults({ suites: [] })(life as unknown as LifeResults)[0]!.message
}

it('tells of the fact that decides the outcome, not of the first that is not there', () => {
  const damaged = stage('damaged', true, false, false)
  const lost = stage('lost', false, false, false)
  expect(why({ outcome: 'not_retrieved' })).toBe('deep: stored, but not retrieved. about deep')
  expect(why({ outcome: 'summary_error', facts: [...facts, damaged] })).toBe('damaged: about damaged')
  expect(why({ outcome: 'not_stored', facts: [...facts, damaged, lost] })).toBe('lost: about lost')
})

it('tells of the answer where that decides, and of what stands uncorrected', () => {
  expect(why({ outcome: 'reasoning_error' })).toBe('the answer')
  expect(why({ outcome: 'stale_memory' })).toBe('the answer')
  const old = [{ id: 'old', live: true, standing: true }]
  expect(why({ outcome: 'stale_memory', outdated: old }, null)).toBe('old: about old')
  expect(why({ outcome: 'error', error: 'down' }, null)).toBe('down')
})
