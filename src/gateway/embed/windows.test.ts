import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pooledVector, unitVector, windowsOf } from './windows.js'

/** Two tokens a word of more than four letters, one otherwise; a very long word costs a token a letter. */
const count = (text: string) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .reduce((sum, word) => sum + (word.length > 20 ? word.length : word.length > 4 ? 2 : 1), 0)

describe('windowsOf', () => {
  it('leaves a text that fits as it is', () => {
    const text = '  Tea.\n\nAnd cake.  '
    expect(windowsOf(text, 10, count)).toEqual([{ text, tokens: count(text) }])
  })

  it('cuts between sentences where it can', () => {
    const windows = windowsOf('Tea is hot. Cake is sweet. Rain is wet.', 8, count)
    expect(windows.map((window) => window.text)).toEqual(['Tea is hot. Cake is sweet.', 'Rain is wet.'])
  })

  it('cuts a sentence between words, and a word only when it does not fit alone', () => {
    expect(windowsOf('one two six ten', 2, count).map((window) => window.text)).toEqual(['one two', 'six ten'])
    expect(windowsOf('x'.repeat(50), 30, count).map((window) => window.text)).toEqual(['x'.repeat(25), 'x'.repeat(25)])
  })

  it('leaves nothing out and never goes over the limit', () => {
    const word = fc.constantFrom('tea', 'sourdough', 'Mo.', 'is', 'Really?', 'yes!', 'x'.repeat(70), '\n', '3.5')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 4, max: 40 }), (words, limit) => {
        const text = words.join(' ')
        const windows = windowsOf(text, limit, count)
        expect(
          windows
            .map((window) => window.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''))
        for (const window of windows) {
          expect(window.tokens).toBe(count(window.text))
          expect(window.tokens).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})

describe('pooled', () => {
  it('weighs windows by their tokens and has unit length', () => {
    const windows = [
      { text: '', tokens: 3 },
      { text: '', tokens: 1 },
    ]
    const mean = pooledVector([Float32Array.of(1, 0), Float32Array.of(0, 1)], windows)
    expect([...mean]).toEqual([...unitVector([3, 1])])
    expect(Math.hypot(...mean)).toBeCloseTo(1, 6)
  })

  it('leaves the vector of a single window untouched', () => {
    const vector = Float32Array.of(0.6, 0.8)
    expect(pooledVector([vector], [{ text: '', tokens: 5 }])).toBe(vector)
  })
})
