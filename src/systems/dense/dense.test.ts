import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../model/index.js'
import { CONVERSATIONS, QUERIES, systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { hashEmbedder } from '../hash-embedder.js'
import { dense } from './index.js'
import { VectorIndex } from './vector-index.js'

runSystemConformance({ name: 'dense', definition: dense })
runSystemConformance({ name: 'dense:meme', definition: dense, options: dense.variants!.meme!.options })

describe('dense', () => {
  it('embeds what waits together, not conversation by conversation', async () => {
    const calls: number[] = []
    const embed: Embedder = {
      ...hashEmbedder(),
      embed: (texts) => {
        calls.push(texts.length)
        return hashEmbedder().embed(texts)
      },
    }
    const system = await dense.create({ ...systemTestContext(), embed }, {})
    for (const conversation of CONVERSATIONS) await system.store(conversation)
    await system.settle!(1000)
    await Promise.all(QUERIES.map((query) => system.retrieve(query, 5, { k: 5 })))
    expect(calls).toEqual([13, ...QUERIES.map(() => 1)])
  })

  it('finds what is alone, and takes out what was added last', async () => {
    const system = await dense.create(systemTestContext(), {})
    await system.store({ id: 'c', time: '', turns: [{ role: 'user', text: 'I like figs.' }] })
    const query = { id: 'q', text: 'I like figs.', time: '' }
    expect((await system.retrieve(query, 5, { k: 5 })).map(({ text }) => text)).toEqual(['I like figs.'])
    const index = new VectorIndex(2)
    index.pop()
    index.add(Float32Array.of(1, 0))
    expect(index.search(Float32Array.of(1, 0), 5)).toHaveLength(1)
    index.pop()
    expect(index.search(Float32Array.of(1, 0), 5)).toEqual([])
  })

  it('can go on after the embedder failed', async () => {
    let fail = true
    const embed: Embedder = {
      ...hashEmbedder(),
      embed: async (texts) => {
        if (fail) throw new Error('out of memory')
        return hashEmbedder().embed(texts)
      },
    }
    const system = await dense.create({ ...systemTestContext(), embed }, {})
    await system.store(CONVERSATIONS[0]!)
    await expect(system.retrieve(QUERIES[0]!, 5, { k: 5 })).rejects.toThrow('out of memory')
    fail = false
    expect(await system.retrieve(QUERIES[0]!, 5, { k: 5 })).toHaveLength(2)
  })

  it('is not put out of step by an embedder that gives vectors that cannot be used', async () => {
    const odd = [(all: Float32Array[]) => all.with(1, new Float32Array(3)), (all: Float32Array[]) => all.slice(1)]
    for (const spoil of odd) {
      let spoilt = true
      const embed: Embedder = {
        ...hashEmbedder(),
        embed: async (texts) => {
          const vectors = await hashEmbedder().embed(texts)
          return spoilt ? spoil(vectors) : vectors
        },
      }
      const [system, whole] = [
        await dense.create({ ...systemTestContext(), embed }, {}),
        await dense.create(systemTestContext(), {}),
      ]
      for (const each of [system, whole]) await each.store(CONVERSATIONS[1]!)
      await expect(system.settle!(1000)).rejects.toThrow(/^Expected /)
      spoilt = false
      expect(await system.retrieve(QUERIES[1]!, 5, { k: 5 })).toEqual(await whole.retrieve(QUERIES[1]!, 5, { k: 5 }))
    }
  })

  it('stops when the run is stopped', async () => {
    const system = await dense.create({ ...systemTestContext(), signal: AbortSignal.abort() }, {})
    await system.store(CONVERSATIONS[0]!)
    await expect(system.settle!(1000)).rejects.toThrow(/abort/i)
  })
})

describe('VectorIndex', () => {
  it('ranks by the dot product, for any number of dimensions', () => {
    const dimensions = fc.integer({ min: 1, max: 9 })
    const rows = (length: number) =>
      fc.array(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: length, maxLength: length }), {
        minLength: 1,
        maxLength: 20,
      })
    fc.assert(
      fc.property(
        dimensions.chain((length) => rows(length)),
        (vectors) => {
          const query = vectors[0]!
          const index = new VectorIndex(query.length)
          for (const vector of vectors) index.add(Float32Array.from(vector))
          const dots = vectors.map((vector) => vector.reduce((sum, value, d) => sum + value * query[d]!, 0))
          expect([...index.similarities(Float32Array.from(query))]).toEqual(dots)
          expect(vectors.map((_, i) => index.similarity(i, Float32Array.from(query)))).toEqual(dots)
        },
      ),
    )
  })

  it('keeps vectors right while it grows, and refuses those of another model', () => {
    const index = new VectorIndex(2)
    for (let i = 0; i < 1000; i++) index.add(Float32Array.of(Math.cos(i / 1000), Math.sin(i / 1000)))
    expect(index.search(Float32Array.of(Math.cos(0.5), Math.sin(0.5)), 1)[0]?.index).toBe(500)
    expect(() => index.add(new Float32Array(3))).toThrow('Expected a vector of 2 dimensions, got 3')
    index.set(500, Float32Array.of(-1, 0))
    expect([...index.at(500)]).toEqual([-1, 0])
    expect(() => index.set(0, new Float32Array(3))).toThrow('for a place below 1000')
    expect(() => index.set(1000, Float32Array.of(1, 0))).toThrow('for a place below 1000')
    index.pop()
    expect([index.size, index.search(Float32Array.of(1, 0), 2000).length]).toEqual([999, 999])
    const none = new VectorIndex(2)
    none.pop()
    expect(none.size).toBe(0)
  })
})
