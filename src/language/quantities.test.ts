import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareQuantities, quantities, thresholdQuantity } from './quantities.js'

const compare = (a: string, b: string) => compareQuantities(quantities(a)[0]!, quantities(b)[0]!)

describe('quantities', () => {
  it.each([
    ['fewer than 3 tasks', 'no more than two tasks'],
    ['below 10°C', 'in single-digit Celsius'],
    ['above 7 out of 10', '8 or higher'],
    ['at least 3 hours', 'a minimum of 180 minutes'],
    ['above 28°C', 'over 82.4 degrees fahrenheit'],
    ['before 8am', 'earlier than 08:00'],
    ['at least 60 percent', 'three fifths or more'],
    ['for at least 4 days', 'four or more straight days'],
    ['between 12pm and 2pm', 'from noon to 2 p.m.'],
    ['below 3 on a scale of 1 to 10', 'a level under 3'],
    ['more than 48 hours', 'over two days'],
    ['at least 30 minutes', 'half an hour or more'],
  ])('takes "%s" and "%s" for the same', (a, b) => expect(compare(a, b)).toBe('equal'))

  it.each([
    ['below 10°C', 'below 12°C'],
    ['below 10°C', 'above 10°C'],
    ['before 8am', 'after 8am'],
    ['at least 4 days', 'at most 4 days'],
    ['above 70%', 'above 80%'],
  ])('tells "%s" from "%s"', (a, b) => expect(compare(a, b)).toBe('different'))

  it('knows a bare number for what it is', () => {
    expect(compare('above 7', 'at level 7')).toBe('unbound')
  })

  it('does not compare hours with degrees', () => {
    expect(compare('below 10°C', 'below 10 hours')).toBeUndefined()
  })

  it('ignores the scale of a rating', () => {
    expect(quantities('on a 10-point scale')).toEqual([])
    expect(quantities('8/10 or higher')).toHaveLength(1)
  })

  it('reads thresholds of cues', () => {
    const found = quantities('dips under 10 °C')[0]!
    expect(compareQuantities(thresholdQuantity({ comparison: 'below', value: 10, unit: '°C' }), found)).toBe('equal')
    expect(compareQuantities(thresholdQuantity({ comparison: 'below', value: 8, unit: '°C' }), found)).toBe('different')
  })

  it('finds every bound equal to itself, and different from one further up', () => {
    const words = fc.constantFrom('below', 'above', 'at least', 'at most', 'fewer than', 'exactly')
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 500 }), (bound, n) => {
        expect(compare(`${bound} ${n} tasks`, `${bound} ${n} jobs`)).toBe('equal')
        expect(compare(`${bound} ${n} tasks`, `${bound} ${n + 2} tasks`)).toBe('different')
      }),
    )
  })
})
