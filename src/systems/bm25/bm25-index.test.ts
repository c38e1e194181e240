import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bm25Index, type Bm25Settings, IDF } from './bm25-index.js'

const LUCENE: Bm25Settings = { k1: 1.2, b: 0.75, idf: 'lucene' }

describe('Bm25Index', () => {
  it('scores as the formula does, with the statistics of all documents so far', () => {
    const term = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const text = fc.array(term, { maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 30 }),
        text,
        fc.integer({ min: 1, max: 10 }),
        (documents, query, k) => {
          const index = new Bm25Index(LUCENE)
          for (const [i, document] of documents.entries()) {
            index.add(document)
            const expected = byFormula(documents.slice(0, i + 1), query, k)
            const hits = index.search(weights(query), k)
            expect(hits.map((hit) => hit.score)).toEqual(expected.map((hit) => expect.closeTo(hit.score, 10)))
          }
        },
      ),
    )
  })

  it('knows three ways to say how rare a term is, also of one that is nowhere', () => {
    const rows = [1, 4, 9].map((df) => [IDF.lucene(10, df), IDF.robertson(10, df), IDF.atire(10, df)])
    expect(rows.map((row) => row.map((value) => value.toFixed(3)))).toEqual([
      ['1.992', '1.846', '2.303'],
      ['0.894', '0.368', '0.916'],
      ['0.147', '0.000', '0.105'],
    ])
    const index = new Bm25Index(LUCENE)
    index.add(['a', 'b'])
    index.add(['a'])
    expect([index.documentFrequency('a'), index.documentFrequency('b'), index.documentFrequency('c')]).toEqual([
      2, 1, 0,
    ])
    expect(index.idf('c')).toBeCloseTo(Math.log(1 + 2.5 / 0.5), 10)
    expect(index.search(new Map([['c', 1]]), 5)).toEqual([])
    const bare = new Bm25Index({ ...LUCENE, idf: 'robertson' })
    for (const terms of [['a'], ['a'], ['a', 'b']]) bare.add(terms)
    expect(bare.search(new Map([['a', 1]]), 5)).toEqual([])
  })

  it('breaks ties by the order of adding', () => {
    const index = new Bm25Index(LUCENE)
    for (let i = 0; i < 5; i++) index.add(['tea', 'cup'])
    expect(index.search(weights(['tea']), 3).map((hit) => hit.index)).toEqual([0, 1, 2])
  })

  it('finds nothing for words that are nowhere', () => {
    const index = new Bm25Index(LUCENE)
    index.add(['tea'])
    expect(index.search(weights(['coffee']), 5)).toEqual([])
    expect(index.search(weights([]), 5)).toEqual([])
  })

  it('keeps its numbers right while it grows past its first size', () => {
    const index = new Bm25Index(LUCENE)
    for (let i = 0; i < 5000; i++) index.add([`word${i}`, `group${i % 7}`, 'all'])
    expect(index.search(weights(['word4321']), 1)[0]?.index).toBe(4321)
    expect(index.search(weights(['group3']), 3).map((hit) => hit.index)).toEqual([3, 10, 17])
    expect(index.documentFrequency('all')).toBe(5000)
    expect(index.termsOf(4321)).toEqual(['word4321', 'group2', 'all'])
    expect(index.termsOf(4999)).toEqual(['word4999', 'group1', 'all'])
  })
})

/** Each term with how often it is asked. */
function weights(terms: string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const term of terms) found.set(term, (found.get(term) ?? 0) + 1)
  return found
}

function byFormula(documents: string[][], query: string[], k: number) {
  const average = documents.reduce((sum, document) => sum + document.length, 0) / documents.length
  return documents
    .map((document, index) => {
      let score = 0
      for (const term of query) {
        const df = documents.filter((other) => other.includes(term)).length
        const f = document.filter((other) => other === term).length
        const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5))
        if (f > 0) score += (idf * f) / (f + 1.2 * (0.25 + (0.75 * document.length) / average))
      }
      return { index, score }
    })
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
}
