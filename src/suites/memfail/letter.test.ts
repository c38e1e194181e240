import { describe, expect, it } from 'vitest'
import { chosenLetter } from './letter.js'

describe('the letter of an answer', () => {
  const cases: [answer: string, letter: string | null][] = [
    ['A. B. C. D. E. Answer: A, B, C, D or E', null],
    ['Answer: B or C', null],
    ['B. A calm mind', 'B'],
    ['B', 'B'],
    ['b', 'B'],
    ['(c)', 'C'],
    ['D.', 'D'],
    ['**E**', 'E'],
    ['The answer is B. A calm mind leads there.', 'B'],
    ['the answer is b', 'B'],
    ['Answer: (d)', 'D'],
    ['C. finish journaling', 'C'],
    ['c) finish journaling', 'C'],
    ['I would go with option E because the chain ends there.', 'E'],
    ['{"answer": "C"}', 'C'],
    ['{"answer":"c","why":"A calm mind"}', 'C'],
    ['Sure! {"choice": "B"} I hope that helps.', 'B'],
    ['```json\n{"answer": "E"}\n```', 'E'],
    ['{"answer": "B. cancel meetings"}', 'B'],
    ['"A"', 'A'],
    ['A', 'A'],
    ['A calm mind is what counts.', null],
    ['I do not know.', null],
    ['', null],
    ['{"answer": "none"}', null],
    ['It could be B) or C).', null],
    ['First I thought the answer is A, but the answer is D.', 'D'],
    ['F', null],
    ['My choice is a walk in the park.', null],
    ['The correct answer is:\n\nE', 'E'],
    ['Thinking about it, a quiet evening helps.\nB', 'B'],
  ]
  for (const [answer, letter] of cases) {
    it(`of ${JSON.stringify(answer)} is ${letter ?? 'none'}`, () => expect(chosenLetter(answer)).toBe(letter))
  }
})
