import { describe, expect, it } from 'vitest'
import type { Gold, Question } from '../../model/index.js'
import { gradeAnswer } from './answer.js'

function graded(gold: Gold, answer: string): string {
  const question: Question = { id: 'q', task: 't', text: '?', needs: [], outdated: [], gold, tags: {} }
  const verdict = gradeAnswer(question, answer)
  return verdict.grade === 'error' ? 'error' : `${verdict.grade}${verdict.uncertain ? '?' : ''}`
}

describe('answers that are days', () => {
  const sunday: Gold = { kind: 'date', from: '2023-05-21', to: '2023-05-21', text: 'The Sunday before 25 May 2023' }
  const week: Gold = { kind: 'date', from: '2023-06-02', to: '2023-06-08', text: 'The week before 9 June 2023' }

  it.each([
    [sunday, 'It was on 21 May 2023.', 'right'],
    [sunday, 'May 21', 'right'],
    [sunday, 'the Sunday before May 25, 2023', 'right'],
    [sunday, 'On the Saturday before 25 May 2023', 'wrong'],
    [sunday, 'Sometime in May 2023', 'wrong?'],
    [sunday, '21 May 2022', 'wrong'],
    [sunday, 'Either 21 May 2023 or 22 May 2023', 'wrong?'],
    [sunday, 'I do not know when that was.', 'wrong'],
    [sunday, 'last weekend', 'wrong?'],
    [week, 'in the week before 9 June 2023', 'right'],
    [week, 'around 5 June 2023', 'right?'],
    [week, 'in June 2023', 'wrong?'],
    [week, 'on 10 June 2023', 'wrong'],
  ] as const)('%# %s', (gold, answer, expected) => {
    expect(graded(gold, answer)).toBe(expected)
  })
})

describe('questions that tempt', () => {
  const gold: Gold = { kind: 'abstain', about: 'Ines', lure: 'Pepper', text: 'Not mentioned.' }

  it.each([
    ['Not mentioned in the conversation.', 'right'],
    ['There is no information about a dog of Ines.', 'right'],
    ['Pepper', 'wrong'],
    ['Her dog is called Pepper.', 'wrong'],
    ['Ines has no dog; Pepper is Bo’s.', 'wrong?'],
  ])('%s', (answer, expected) => {
    expect(graded(gold, answer)).toBe(expected)
  })
})
