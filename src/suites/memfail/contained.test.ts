import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contained } from './contained.js'

describe('many patterns in one text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 60 })
  it('are those that stand in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 6 })),
        text,
        (patterns, whole) => {
          expect([...contained(patterns, whole)].sort()).toEqual(
            [...new Set(patterns)].filter((pattern) => whole.includes(pattern)).sort(),
          )
        },
      ),
    )
  })
})
