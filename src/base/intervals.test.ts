import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wilson } from './intervals.js'

describe('the Wilson interval', () => {
  it('has the textbook values', () => {
    expect(wilson(8, 10)[0]).toBeCloseTo(0.4901625, 6)
    expect(wilson(8, 10)[1]).toBeCloseTo(0.9433178, 6)
    expect(wilson(0, 20)).toEqual([0, expect.closeTo(0.1611252, 6)])
    expect(wilson(20, 20)[1]).toBe(1)
    expect(wilson(0, 0)).toEqual([0, 1])
  })

  it('encloses the proportion, stays within 0 and 1, and mirrors', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const [low, high] = wilson(share * n, n)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual((share * n) / n)
        expect(high).toBeGreaterThanOrEqual((share * n) / n)
        expect(wilson(n - share * n, n)[0]).toBeCloseTo(1 - high, 9)
      }),
    )
  })
})
