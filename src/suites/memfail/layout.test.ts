import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pack, type RowPlace } from './layout.js'

describe('packing units into conversations', () => {
  const storage = fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 40 })
    .map((sizes) => sizes.flatMap((size, row) => Array.from({ length: size }, (_, i): RowPlace => [row, i])))

  it('keeps every unit once, within the size, and never two of one row together', () => {
    fc.assert(
      fc.property(storage, fc.integer({ min: 1, max: 12 }), (places, size) => {
        const conversations = pack(places, size)
        expect(conversations.flat().map(String).sort()).toEqual(places.map(String).sort())
        for (const conversation of conversations) {
          expect(conversation.length).toBeLessThanOrEqual(size)
          expect(new Set(conversation.map(([row]) => row)).size).toBe(conversation.length)
        }
      }),
    )
  })

  it('is one unit a conversation, in order, by default', () => {
    const places: RowPlace[] = [
      [0, 0],
      [1, 0],
      [0, 1],
    ]
    expect(pack(places, 1)).toEqual(places.map((place) => [place]))
  })
})
