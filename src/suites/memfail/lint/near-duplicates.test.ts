import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { words } from '../../../base/text.js'
import { jaccard } from '../../jaccard.js'
import { nearDuplicates } from './near-duplicates.js'

const text = fc
  .array(fc.constantFrom(...'abcdefghijklmnop'.split('')), { minLength: 3, maxLength: 12 })
  .map((letters) => letters.join(' '))

describe('near-duplicates', () => {
  it('by the exact path are all pairs at or above the threshold, and no other', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), fc.constantFrom(0.5, 0.7, 0.8), (texts, threshold) => {
        const expected: string[] = []
        for (let a = 0; a < texts.length; a++) {
          for (let b = a + 1; b < texts.length; b++) {
            if (jaccard(new Set(words(texts[a]!)), new Set(words(texts[b]!))) >= threshold) expected.push(`${a} ${b}`)
          }
        }
        expect(nearDuplicates(texts, threshold, 'exact').map(({ a, b }) => `${a} ${b}`)).toEqual(expected)
      }),
    )
  })

  it('by MinHash are never wrong, and nearly all are found', () => {
    const base = Array.from({ length: 300 }, (_, i) =>
      Array.from({ length: 40 }, (_, j) => `w${(i * 7919 + j * 104729) % 5000}`),
    )
    const texts = base.flatMap((list, i) =>
      i % 3 === 0 ? [list.join(' '), list.slice(0, -4).join(' ')] : [list.join(' ')],
    )
    const exact = nearDuplicates(texts, 0.8, 'exact')
    const hashed = nearDuplicates(texts, 0.8, 'minhash')
    const keys = new Set(exact.map(({ a, b }) => `${a} ${b}`))
    expect(exact.length).toBeGreaterThanOrEqual(100)
    for (const { a, b } of hashed) expect(keys.has(`${a} ${b}`)).toBe(true)
    expect(hashed.length).toBeGreaterThanOrEqual(0.98 * exact.length)
  })
})
