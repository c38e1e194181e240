import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSentences } from './find-sentences.js'

describe('looking for many sentences in many texts', () => {
  it('finds the first text with each, as looking for one after another does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(text, { maxLength: 8 }), (sentences, texts) => {
        const expected = sentences.flatMap((sentence) => {
          const at = texts.findIndex((one) => one.includes(sentence))
          return at < 0 ? [] : [[sentence, at] as const]
        })
        expect(findSentences(sentences, texts)).toEqual(new Map(expected))
      }),
    )
  })

  it('takes time in proportion to the texts, also when all sentences begin alike', () => {
    const sizes = [2_000, 16_000]
    const [small, large] = sizes.map((n) => {
      const texts = Array.from(
        { length: n },
        (_, i) => `The kettle of number ${i * 7} boils at noon, as it always did.`,
      )
      const sentences = texts.map((text) => text.slice(0, -24))
      const began = performance.now()
      expect(findSentences(sentences, texts).size).toBe(n)
      return performance.now() - began
    })
    // Eight times as much; the square would be 64.
    expect(large! / small!).toBeLessThan(32)
  })
})
