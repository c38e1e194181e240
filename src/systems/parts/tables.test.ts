import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuseRanks } from './hybrid-table.js'
import { LexicalTable } from './lexical-table.js'
import { VectorTable } from './vector-table.js'

const unit = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle))

describe('VectorTable', () => {
  it('does what a list does, whatever is added, replaced and deleted', () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 40 }).map(String),
      angle: fc.integer({ min: 0, max: 6 }),
      remove: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 900 }), (steps) => {
        const table = new VectorTable<{ id: string; text: string }>(2)
        const list = new Map<string, Float32Array>()
        for (const { id, angle, remove } of steps) {
          if (remove) expect(table.delete(id)).toBe(list.delete(id))
          else {
            table.set({ id, text: `${angle}` }, unit(angle))
            list.set(id, unit(angle))
          }
        }
        expect(table.rows().map(({ id }) => id)).toEqual([...list.keys()])
        const score = (vector: Float32Array) => vector[0]! * unit(1)[0]! + vector[1]! * unit(1)[1]!
        const expected = [...list]
          .map(([id, vector]) => ({ id, score: score(vector) }))
          .sort((a, b) => b.score - a.score)
        expect(table.nearest(unit(1), 5).map(({ row }) => row.id)).toEqual(expected.slice(0, 5).map(({ id }) => id))
        expect(table.clone().rows()).toEqual(table.rows())
      }),
      { numRuns: 40 },
    )
  })

  it('keeps the vector of a row that is replaced without one, and needs one for a new row', () => {
    const table = new VectorTable<{ id: string; text: string }>(2)
    table.set({ id: 'a', text: 'before' }, unit(2))
    table.set({ id: 'a', text: 'after' })
    expect(table.nearest(unit(2), 1)).toEqual([{ row: { id: 'a', text: 'after' }, score: expect.closeTo(1, 6) }])
    expect(() => table.set({ id: 'b', text: 'new' })).toThrow('needs a vector')
  })

  it('searches only rows that are wanted', () => {
    const table = new VectorTable<{ id: string; text: string }>(2)
    for (const id of ['a', 'b', 'c']) table.set({ id, text: id }, unit(1))
    expect(table.nearest(unit(1), 2, ({ id }) => id !== 'a').map(({ row }) => row.id)).toEqual(['b', 'c'])
  })
})

describe('LexicalTable', () => {
  it('is after changes as if it had been made of what is left', () => {
    const texts = fc.array(fc.constantFrom('red', 'blue', 'green', 'round', 'square'), { minLength: 1, maxLength: 6 })
    const step = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), words: texts, remove: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const changed = new LexicalTable()
        const left = new Map<string, string>()
        for (const { id, words, remove } of steps) {
          if (remove) expect(changed.delete(id)).toBe(left.delete(id))
          else {
            changed.set(id, words.join(' '))
            left.set(id, words.join(' '))
          }
        }
        const fresh = new LexicalTable()
        for (const [id, text] of left) fresh.set(id, text)
        expect(changed.size).toBe(left.size)
        expect(changed.search('red round', 9)).toEqual(fresh.search('red round', 9))
      }),
    )
  })
})

it('adds up the reciprocal ranks of several lists', () => {
  expect(
    fuseRanks(
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      60,
    ),
  ).toEqual([
    { id: 'b', score: 1 / 62 + 1 / 61 },
    { id: 'a', score: 1 / 61 },
    { id: 'c', score: 1 / 62 },
  ])
  expect(fuseRanks([['a']], 0)[0]!.score).toBe(1)
})
