import { describe, expect, it } from 'vitest'
import type { MemorySystem, SystemDefinition } from '../../model/index.js'
import { Bm25Index } from '../bm25/bm25-index.js'
import { bm25 } from '../bm25/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { searchChains } from './chain.js'
import { bm25Hops } from './index.js'

runSystemConformance({ name: 'bm25-hops', definition: bm25Hops })

const CHAIN = [
  'Rainy mornings make me brew ginger tea.',
  'Ginger tea puts me in a patient mood.',
  'A patient mood lets me mend old clocks.',
]
const OTHERS = [
  'I go for a swim on sunny mornings.',
  'My neighbour sells tea towels.',
  'The mood at work was tense.',
  'Old maps hang in the hall.',
]

async function holding(definition: SystemDefinition, texts: readonly string[], options = {}): Promise<MemorySystem> {
  const system = await definition.create(systemTestContext(), options)
  for (const [i, text] of texts.entries()) {
    await system.store({ id: `c${i}`, time: '2024-01-01', turns: [{ role: 'user', text }] })
  }
  return system
}

async function textsFor(system: MemorySystem, text: string, k: number): Promise<string[]> {
  return (await system.retrieve({ id: 'q', text, time: '2024-01-02' }, k, { k })).map((memory) => memory.text)
}

describe('bm25-hops', () => {
  it('follows a chain whose later links share no word with the question', async () => {
    const system = await holding(bm25Hops, [...OTHERS, ...CHAIN.toReversed()])
    expect(await textsFor(system, 'What do I end up doing on rainy mornings?', 3)).toEqual(CHAIN)
  })

  it('stops after as many memories as it is told', async () => {
    const system = await holding(bm25Hops, [...OTHERS, ...CHAIN], { hops: '2' })
    const found = await textsFor(system, 'What do I end up doing on rainy mornings?', 3)
    expect(found.slice(0, 2)).toEqual(CHAIN.slice(0, 2))
    expect(found).not.toContain(CHAIN[2])
  })

  it('is BM25 where memories are not chained', async () => {
    const texts = [
      'Selene keeps a hidden journal and likes rain, old books, candles and quiet.',
      'Gideon paints boats in teacups, visits flea markets and drinks chamomile.',
      'Hannah edits fiction in a cafe, reads aloud and meets writers on Tuesdays.',
    ]
    const question = 'Would Selene or Gideon visit markets with old books?'
    const [hops, plain] = await Promise.all([holding(bm25Hops, texts), holding(bm25, texts)])
    expect(await textsFor(hops, question, 3)).toEqual(await textsFor(plain, question, 3))
  })

  it('is BM25 when no link is strong enough', async () => {
    const texts = [...OTHERS, ...CHAIN]
    const [hops, plain] = await Promise.all([holding(bm25Hops, texts, { link: '1' }), holding(bm25, texts)])
    const question = 'What do I end up doing on rainy mornings?'
    expect(await textsFor(hops, question, 5)).toEqual(await textsFor(plain, question, 5))
  })

  it('follows the words of what was found before those of the question, and those that led nowhere yet before those that did', () => {
    const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
    for (const document of ['j a d', 'h a', 'f d g', 'e j h', 'e a', 'c', 'e d g j', 'b', 'b i f d'])
      index.add(document.split(' '))
    const query = new Map(['f', 'b', 'e'].map((term) => [term, 1]))
    const hits = searchChains(index, query, 7, { hops: 4, link: 0.2 })
    expect(hits.map(({ index: found }) => found)).toEqual([8, 2, 6, 3, 7, 4, 1])
    expect(hits.slice(0, 2).map(({ score }) => score)).toEqual([expect.closeTo(1.0236, 4), expect.closeTo(0.3741, 4)])
  })
})
