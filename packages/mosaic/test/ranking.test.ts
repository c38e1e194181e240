import type { Memory } from 'memscope'
import { countTokens } from 'memscope/retrieval'
import { describe, expect, it } from 'vitest'
import { fitting } from '../src/ranking.js'

const [long, short, shorter] = [
  'one two three four five six seven eight',
  'one two three four five',
  'one two three four',
].map((text, i): Memory => ({ id: String(i), text })) as [Memory, Memory, Memory]

describe('a depth', () => {
  it('of so many takes the first', () => {
    expect(fitting([long, short, shorter], 2, { k: 2 })).toEqual([long, short])
    expect(fitting([long, short, shorter], 2, undefined)).toEqual([long, short])
  })

  it('of tokens is filled with what fits: what is too long leaves its place to the next', () => {
    const tokens = countTokens(short.text) + countTokens(shorter.text)
    expect(fitting([short, long, shorter], 9, { tokens })).toEqual([short, shorter])
    expect(fitting([short, long, shorter], 9, { tokens: tokens - 1 })).toEqual([short])
    expect(fitting([long, short], 9, { tokens: 2 })).toEqual([])
    expect(fitting([short, short, short], 2, { tokens: 1000 })).toEqual([short, short])
  })
})
