import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inPercent } from '../base/figures.js'
import { percent, percentBeside, percents } from './format.js'

describe('shares in per cent', () => {
  it('never make 101 beside each other', () => {
    expect([percent(0.875), percentBeside(0.125, 0.875)]).toEqual(['88', '12'])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (n, part) => {
        const rate = (part % (n + 1)) / n
        const sum = Number(percent(rate)) + Number(percentBeside(1 - rate, rate))
        expect(Number.isNaN(sum) || sum <= 100).toBe(true)
      }),
    )
  })

  it('make 100 where they are all of one whole', () => {
    expect(percents([1 / 3, 1 / 3, 1 / 3])).toEqual(['34', '33', '33'])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 50 }), { minLength: 1, maxLength: 8 }), (counts) => {
        const all = counts.reduce((sum, one) => sum + one, 0)
        const texts = percents(counts.map((one) => one / all))
        expect(texts.reduce((sum, text) => sum + Number(text), 0)).toBe(100)
      }),
    )
  })

  it('still say that little is not nothing', () => {
    expect(percents([0.998, 0.002])).toEqual(['>99', '<1'])
  })

  it('have no digits that nobody measured', () => {
    expect(inPercent(0.55)).toBe('55 %')
    expect(inPercent(1 / 8)).toBe('12.5 %')
  })
})
