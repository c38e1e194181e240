import { Bm25Index } from 'memscope/retrieval'
import { describe, expect, it } from 'vitest'
import { factsFrom } from '../src/chain.js'

/** What the first of some facts leads to for a question about `start`. */
function led(facts: readonly string[], isFollowed: (note: number) => boolean = () => true) {
  const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
  for (const fact of facts) index.add(fact.split(' '))
  return [...factsFrom(index, new Map([['start', 1]]), 0, isFollowed)]
}
const notes = (hits: readonly { index: number }[]) => hits.map(({ index }) => index)

describe('facts that one leads to', () => {
  it('are linked as closely as can be when they take up all that is new in it', () => {
    expect(led(['start kettle', 'kettle tea', 'tea cup'])).toEqual([
      { index: 1, score: 1 },
      { index: 2, score: 1 },
    ])
  })

  it('are two of those that take up the same', () => {
    const same = ['kettle tea', 'kettle steam', 'kettle whistle', 'kettle hob']
    expect(led(['start kettle', ...same]).length).toBe(2)
  })

  it('are linked less closely at every step that takes up a part, and end when that is too little', () => {
    const steps = ['start a x', ...['a b p', 'b c q', 'c d r', 'd e s', 'e f t'], 'other words of no concern']
    const found = led(steps)
    expect(notes(found)).toEqual([1, 2])
    const [first, second] = found.map(({ score }) => score)
    expect(first).toBeLessThan(0.7)
    expect(second! / first!).toBeCloseTo(first!, 10)
    expect(second! * first!).toBeLessThan(0.2)
  })

  it('are followed over none that may not be on a chain, at the first step and later', () => {
    const facts = ['start kettle', 'kettle tea', 'tea cup', 'cup shelf']
    expect(notes(led(facts, (note) => note !== 1))).toEqual([])
    expect(notes(led(facts, (note) => note !== 2))).toEqual([1])
  })

  it('come once each, also in a circle', () => {
    expect(notes(led(['start kettle', 'kettle tea', 'tea kettle cup', 'cup tea']))).toHaveLength(3)
  })
})
