import { expect, it } from 'vitest'
import { type ScoredQuestion, scoresByName } from '../../model/index.js'
import { scoreMeme } from './score.js'

function scored(change: Partial<ScoredQuestion>): ScoredQuestion {
  return {
    question: {
      id: 'q',
      task: 'deletion',
      text: 'Q',
      needs: [['f']],
      outdated: [],
      tags: {},
      gold: { kind: 'withheld', value: 'v', text: 'v' },
    },
    scenario: 's',
    outcome: 'correct',
    evidence: true,
    answer: true,
    verdict: null,
    facts: [],
    outdated: [],
    side: { removal: 'removed' },
    pair: { evidence: true, answer: true },
    ...change,
  }
}

const unjudged = scored({ outcome: 'error', evidence: null, side: {}, pair: { evidence: null, answer: true } })

it('counts a graded answer whose facts could not be judged in scores of answers, not in what is told of stores', () => {
  const wrong = { ...unjudged, answer: false }
  const scores = scoresByName(scoreMeme([scored({}), unjudged, wrong, wrong], { reader: true }))
  expect(scores).toMatchObject({ score: 0.5, knew_but_failed: 0.5, removed: 1, still_live: 0 })
  expect(scoresByName(scoreMeme([unjudged], { reader: true }))).toMatchObject({ score: 1, removed: null })
})
