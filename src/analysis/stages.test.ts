import { describe, expect, it } from 'vitest'
import type { AnswerVerdict, FactStages, Question } from '../model/index.js'
import { assessQuestion } from './assess.js'

const stages = (fact: string, stored: boolean, faithful: boolean | null, retrieved: boolean | null): FactStages => ({
  fact,
  stored,
  faithful,
  retrieved,
  reason: '',
})
const right: AnswerVerdict = { grade: 'right', uncertain: false, reason: '' }
const wrong: AnswerVerdict = { grade: 'wrong', uncertain: false, reason: '' }

/** A question judged as a whole: no verdict on the store exists. */
function assessed(needs: string[][], said: FactStages[], verdict: AnswerVerdict | null) {
  const question: Question = {
    id: 'q',
    task: 't',
    text: '?',
    needs,
    outdated: [],
    gold: { kind: 'free', text: '' },
    tags: {},
  }
  const nothing = { scores: [], retrievedSnapshot: null, contextTokens: 0, sizes: [], ms: null }
  const blank = { ...nothing, tokens: {}, cost: 0, error: null }
  return assessQuestion({
    question,
    witness: { question: 'q', probe: 'p', depth: { k: 5 }, retrieved: [], ...blank },
    inStore: () => undefined,
    inRetrieved: null,
    answered: { text: 'a', error: null, verdict },
    stages: said,
    correctionsOf: () => [],
    wasStored: () => false,
    statusOf: () => undefined,
  })
}

describe('a question whose judge goes by question', () => {
  it('ends where the first of its facts broke, with its answer unread', () => {
    const found = assessed([['f', 'g']], [stages('f', true, true, true), stages('g', true, false, null)], null)
    expect(found).toMatchObject({ outcome: 'summary_error', evidence: false, answer: null })
    expect(found.facts).toMatchObject([{ retrieved: true }, { stored: true, faithful: false, retrieved: false }])
  })

  it('is right or wrong by its answer when all came through', () => {
    const through = [stages('f', true, true, true)]
    expect(assessed([['f']], through, right)).toMatchObject({ outcome: 'correct', evidence: true, answer: true })
    expect(assessed([['f']], through, wrong)).toMatchObject({ outcome: 'reasoning_error', answer: false })
  })

  it('keeps the accuracy of an answer that a rule graded, whatever broke', () => {
    const found = assessed([['f']], [stages('f', false, null, null)], right)
    expect(found).toMatchObject({ outcome: 'not_stored', evidence: false, answer: true })
  })

  it('about somebody unknown has no evidence number, and fails when what tempts was kept badly', () => {
    expect(assessed([], [stages('f', false, null, null)], right)).toMatchObject({ outcome: 'correct', evidence: null })
    expect(assessed([], [stages('f', true, false, null)], null)).toMatchObject({
      outcome: 'summary_error',
      answer: null,
    })
  })

  it('is an error, with its reason, when a check could not be had', () => {
    const found = assessed([['f']], [], { grade: 'error', reason: 'cut off' })
    expect(found).toMatchObject({ outcome: 'error', error: 'cut off' })
    expect(assessed([['f']], [stages('f', true, true, true)], null)).toMatchObject({ outcome: 'error' })
  })
})
