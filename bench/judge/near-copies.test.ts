import { expect, it } from 'vitest'
import { indexStem } from '../../src/language/stems.js'
import { plainWords } from '../../src/language/tokens.js'
import type { Fact } from '../../src/model/index.js'
import { withNearCopies } from './near-copies.js'
import { otherWords, ownWords } from './word-pools.js'

const store = [
  { id: 'a', text: 'Mirela moved to Oslo with 2 cats and a piano.' },
  { id: 'b', text: 'Keywords: Tobiah, harbour. He eats sandwiches at 7.' },
]
const fact: Fact = {
  id: 'f',
  text: 'Benedek keeps 3 dogs and a violin in Bergen.',
  sources: [],
  cues: { kind: 'statement', parts: [], explicit: false },
}

it('words of other text bring no word or number of a fact or of another memory into a copy', () => {
  const pool = otherWords(store, [fact])
  const copies = withNearCopies(store, 202, 'test', pool).slice(2)
  const taken = new Set([fact.text, ...store.map(({ text }) => text)].flatMap(plainWords).map(indexStem))
  copies.forEach(({ text }, i) => {
    const own = plainWords(store[i % 2]!.text)
    const brought = plainWords(text).filter((word) => !own.includes(word))
    expect(brought.length).toBeGreaterThan(0)
    expect(brought.filter((word) => taken.has(indexStem(word)))).toEqual([])
  })
  expect(pool.noun).not.toContain('fiddle')
})

it('changes every name and number of a memory, and leaves the label of its keywords', () => {
  const copies = withNearCopies(store, 42, 'test', ownWords(store)).slice(2)
  expect(copies.filter((_, i) => i % 2 === 1).every(({ text }) => text.startsWith('Keywords: '))).toBe(true)
  expect(copies.filter(({ text }, i) => (i % 2 === 0 ? /with 2 / : /at 7\./).test(text))).toEqual([])
})
