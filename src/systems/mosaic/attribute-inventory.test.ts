import { describe, expect, it } from 'vitest'
import { hashEmbedder } from '../hash-embedder.js'
import { AttributeInventory, readSigns, sameAttribute, writeSigns } from './attribute-inventory.js'

const vector = (...values: number[]) => Float32Array.from({ length: 16 }, (_, d) => (values.includes(d) ? 1 : -1) / 4)
const signs = () =>
  readSigns(
    writeSigns(
      2,
      [
        { owner: 0, vector: vector(0, 1, 2) },
        { owner: 1, vector: vector(9, 10, 11) },
      ],
      [
        { owner: 0, vector: vector(3, 4, 5) },
        { owner: 1, vector: vector(12, 13, 14) },
        { owner: 1, vector: vector(13, 14, 15) },
      ],
    ),
  )

describe('an inventory of attributes', () => {
  it('knows by the name of an attribute what tells it', () => {
    const inventory = new AttributeInventory(signs())
    const named = inventory.named(vector(0, 1, 3))
    const likeness = (...values: number[]) => sameAttribute(named, inventory.told(vector(...values)))
    expect(likeness(3, 4)).toBeGreaterThan(likeness(13, 14) + 5)
  })

  it('gives all attributes together a share of one', () => {
    const shares = new AttributeInventory(signs()).told(vector(13, 14))
    expect([...shares.values()].reduce((sum, share) => sum + share)).toBeCloseTo(1)
    expect(shares.get(1)).toBeGreaterThan(0.9)
  })

  it('is refused when it is damaged', () => {
    expect(() => readSigns(Buffer.from('something else'))).toThrow('install the package again')
  })

  it('ships for the local embedder, and for no other', () => {
    expect(AttributeInventory.open(hashEmbedder(384))).toBeNull()
    const shipped = AttributeInventory.open({ ...hashEmbedder(384), id: 'minilm/wasm' })!
    const shares = [...shipped.told(new Float32Array(384).fill(0.05)).values()]
    expect(shares.length).toBeGreaterThan(10)
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
  })
})
