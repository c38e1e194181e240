import { describe, expect, it } from 'vitest'
import { Bm25Index } from '../bm25/bm25-index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { fuseByOverlap, fuseByRank, fuseBySum } from './fuse.js'
import { hybrid } from './index.js'

runSystemConformance({ name: 'hybrid', definition: hybrid })
runSystemConformance({ name: 'hybrid:rrf', definition: hybrid, options: hybrid.variants!.rrf!.options })
runSystemConformance({ name: 'hybrid:sum', definition: hybrid, options: hybrid.variants!.sum!.options })

function indexOf(...documents: string[]): Bm25Index {
  const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
  for (const document of documents) index.add(document.split(' '))
  return index
}

const ask = (text: string) => new Map(text.split(' ').map((term) => [term, 1]))
const order = (hits: { index: number }[]) => hits.map((hit) => hit.index)

describe('fusion by overlap', () => {
  it('leaves a question that shares only a stray word to the meaning', () => {
    const index = indexOf(
      'fedora classic touch outfit',
      'beanie warm chilly day',
      'pack suitcase trip airport taxi hotel',
    )
    const query = ask('pack week long weather hat cover occasion')
    const similarities = Float64Array.of(0.6, 0.55, 0.3)
    expect(order(fuseByOverlap({ index, query, similarities }, 2, 3))).toEqual([0, 1, 2])
    expect(order(fuseBySum({ index, query, similarities }, 2, 3))[0]).toBe(2)
  })

  it('lets a memory that names what is asked rise above one that only means something like it', () => {
    const index = indexOf('ginger tea patient mood', 'coffee hasty temper', 'swim lake')
    const query = ask('ginger tea mood')
    const similarities = Float64Array.of(0.5, 0.6, 0.1)
    expect(order(fuseByOverlap({ index, query, similarities }, 2, 2))).toEqual([0, 1])
  })
})

describe('fusion by sum', () => {
  it('adds both, each stretched to 0–1', async () => {
    const index = indexOf('tea', 'coffee', 'tea tea')
    const hits = fuseBySum({ index, query: ask('tea'), similarities: Float64Array.of(0.1, 0.9, 0.5) }, 2, 3)
    const [tea] = index.search(ask('tea'), 2).toReversed()
    expect(hits.map(({ index, score }) => [index, score])).toEqual([
      [2, expect.closeTo(0.5 + 2, 12)],
      [0, expect.closeTo((2 * tea!.score) / index.search(ask('tea'), 1)[0]!.score, 12)],
      [1, expect.closeTo(1, 12)],
    ])
  })

  it('is one of three that a system can be told to use', async () => {
    const best = async (options: Record<string, string>) => {
      const system = await hybrid.create(systemTestContext(), options)
      for (const [i, text] of ['ginger tea', 'a cup of tea', 'swim lake'].entries())
        await system.store({ id: `c${i}`, time: '2024-01-01', turns: [{ role: 'user', text }] })
      return (await system.retrieve({ id: 'q', text: 'ginger tea', time: '2024-01-02' }, 2, { k: 2 })).map(
        ({ score }) => score,
      )
    }
    expect(await best({ fusion: 'rrf' })).toEqual([expect.closeTo(2 / 61, 6), expect.closeTo(2 / 62, 6)])
    expect(await best({ fusion: 'sum', weight: '1' })).toEqual([expect.closeTo(2, 6), expect.any(Number)])
    expect((await best({ fusion: 'sum', weight: '3' }))[0]).toBeCloseTo(4, 6)
    expect((await best({ fusion: 'overlap', weight: '1' }))[0]).toBeCloseTo(2, 6)
    expect((await best({ fusion: 'overlap', weight: '1' }))[1]).not.toBeCloseTo(
      (await best({ fusion: 'sum', weight: '1' }))[1]!,
      6,
    )
  })
})

describe('reciprocal rank fusion', () => {
  it('adds 1/(60+rank) of both lists', () => {
    const index = indexOf('tea', 'coffee', 'tea tea')
    const hits = fuseByRank({ index, query: ask('tea'), similarities: Float64Array.of(0.1, 0.9, 0.5) }, 3)
    expect(hits.map(({ index, score }) => [index, score])).toEqual([
      [2, expect.closeTo(1 / 61 + 1 / 62, 12)],
      [0, expect.closeTo(1 / 62 + 1 / 63, 12)],
      [1, expect.closeTo(1 / 61, 12)],
    ])
  })
})
