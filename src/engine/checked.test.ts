import { describe, expect, it } from 'vitest'
import { checkAnswer, checkHeld, checkRetrieved, MOST_CHARACTERS } from './checked.js'

const long = [{ id: 'a', text: 'A'.repeat(MOST_CHARACTERS + 1) }]
const longest = [{ id: 'a', text: 'A'.repeat(MOST_CHARACTERS) }]

describe('what a system gives', () => {
  it('is refused when one memory is longer than is taken, with the name of the method', () => {
    expect(() => checkHeld(long, 'mine')).toThrow(
      'dump of mine returned a memory of 1,000,001 characters at place 1; at most 1,000,000 are taken',
    )
    expect(() => checkRetrieved(long, 5, null)).toThrow('retrieve returned a memory of 1,000,001 characters')
    expect(() => checkAnswer(long[0])).toThrow('answer returned 1,000,001 characters')
    checkHeld(longest, 'mine')
    checkRetrieved(longest, 5, null)
    checkAnswer(longest[0])
  })
})
