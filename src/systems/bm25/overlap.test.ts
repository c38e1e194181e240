import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Bm25Index } from './bm25-index.js'
import { overlap } from './overlap.js'

const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
for (const document of [
  ['tea', 'cup'],
  ['tea', 'pot'],
  ['tea', 'yoga'],
])
  index.add(document)

it('is the share of the smaller set, whichever side it is on', () => {
  const terms = fc.uniqueArray(fc.constantFrom('tea', 'cup', 'pot', 'yoga', 'nowhere'), { minLength: 1 })
  fc.assert(
    fc.property(terms, terms, (some, others) => {
      const share = overlap(index, some, others)
      expect(share).toBeCloseTo(overlap(index, others, some), 12)
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(1 + 1e-12)
      expect(overlap(index, some, [...some, ...others])).toBeCloseTo(1, 12)
    }),
  )
})

it('counts rare terms for more than common ones', () => {
  expect(overlap(index, ['tea', 'yoga'], ['yoga', 'mat'])).toBeGreaterThan(
    overlap(index, ['tea', 'yoga'], ['tea', 'mat']),
  )
})

it('is nothing where there are no terms', () => {
  expect(overlap(index, [], ['tea'])).toBe(0)
})
