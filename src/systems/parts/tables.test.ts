import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosine } from '../../base/cosine.js'
import { fuseRanks, HybridTable } from './hybrid-table.js'
import { Journal } from './journal.js'
import { LexicalTable } from './lexical-table.js'
import { cosineOfScore, VectorTable } from './vector-table.js'

const unit = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle))

describe('A LexicalTable', () => {
  it('scores one text by its own length, and by the average of all', () => {
    const table = new LexicalTable()
    expect(table.search('tea', 5)).toEqual([])
    table.set('a', 'green tea')
    expect(table.search('tea', 5)).toEqual([{ id: 'a', score: expect.closeTo(0.28768, 5) }])
    table.set('b', 'tea with lemon from Sicily')
    expect(table.search('tea', 5).map(({ id, score }) => [id, score.toFixed(5)])).toEqual([
      ['a', '0.20035'],
      ['b', '0.16727'],
    ])
  })
})

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
  it('scores a text that is alone by the length it has', () => {
    const table = new LexicalTable()
    table.set('a', 'red round thing')
    expect(table.search('red', 1)[0]!.score).toBeCloseTo(Math.log(1 + 0.5 / 1.5), 9)
  })

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

it('scores words as Okapi BM25 with 1.5 and 0.75 does', () => {
  const table = new LexicalTable()
  expect(table.search('red', 5)).toEqual([])
  const texts = { a: 'red red blue', b: 'red', c: 'green square round lake' }
  for (const [id, text] of Object.entries(texts)) table.set(id, text)
  const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
  const part = (count: number, length: number) =>
    (idf * count * 2.5) / (count + 1.5 * (0.25 + (0.75 * length) / (8 / 3)))
  const order = [
    ['a', part(2, 3)],
    ['b', part(1, 1)],
  ].sort((x, y) => Number(y[1]) - Number(x[1]))
  expect(table.search('red', 5)).toEqual(order.map(([id, score]) => ({ id, score: expect.closeTo(Number(score), 12) })))
  expect(table.search('red', 0)).toEqual([])
  expect(table.termsIn('The red, red and blue lake')).toBe(3)
  const journal = new Journal()
  const noted = new LexicalTable(journal)
  return journal
    .atomically(async () => {
      noted.set('x', 'red')
      throw new Error('no')
    })
    .catch(() => {
      noted.set('y', 'red')
      noted.set('z', 'red')
      expect(noted.search('red', 2).map(({ id }) => id)).toEqual(['y', 'z'])
    })
})

it('gives vectors and cosines of rows, and none of others', () => {
  const table = new VectorTable<{ id: string; text: string }>(3)
  table.set({ id: 'a', text: 'a' }, Float32Array.of(0.6, 0, 0.8))
  expect([...table.vectorOf('a')!].map((value) => value.toFixed(1))).toEqual(['0.6', '0.0', '0.8'])
  expect(table.vectorOf('b')).toBeUndefined()
  expect(table.similarity(Float32Array.of(1, 0, 0), 'a')).toBeCloseTo(0.6, 6)
  expect(table.similarity(Float32Array.of(0, 0, 1), 'a')).toBeCloseTo(0.8, 6)
  expect(table.similarity(Float32Array.of(1, 0, 0), 'b')).toBeUndefined()
  expect(table.nearest(Float32Array.of(1, 0, 0), 0)).toEqual([])
  expect(cosine(Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6))).toBe(32)
  expect([cosineOfScore(0.6), cosineOfScore(0.8)]).toEqual([expect.closeTo(0.2, 9), expect.closeTo(0.6, 9)])
})

it('fuses twice as many of each list as are wanted, those first that are named first', () => {
  const table = new HybridTable<{ id: string; text: string }>(2)
  for (const [i, text] of ['lake', 'lake swim', 'tea', 'tea cup'].entries())
    table.set({ id: `${i}`, text }, unit(i / 4))
  const ids = (first: 'words' | 'meaning', k: number, above?: number) =>
    table
      .search('tea', unit(0), k, { constant: 60, first, ...(above !== undefined && { above }) })
      .map(({ row }) => row.id)
  expect(ids('meaning', 1)).toEqual(['0'])
  expect(ids('words', 1)).toEqual(['2'])
  expect(ids('words', 2)).toEqual(['2', '3'])
  expect(ids('meaning', 2, 1)).toEqual(['2', '3'])
  expect(ids('meaning', 2, 0.99)).toEqual(['0', '2'])
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
