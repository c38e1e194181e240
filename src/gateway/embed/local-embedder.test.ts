import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from './embedding-models.js'
import { localEmbedder } from './local-embedder.js'
import { VectorCache } from './vector-cache.js'
import { type VectorSource, vectorKey } from './vector-store.js'
import { unitVector } from './windows.js'

const newCache = () => new VectorCache(mkdtempSync(join(tmpdir(), 'memscope-embedder-')), 'fake', 2)

/** Vectors made of a text's length and first letter; windows of three words. */
function fakeEngine() {
  const asked: string[] = []
  const count = (text: string) => text.split(/\s+/).filter(Boolean).length
  const engine: Engine = {
    id: 'fake',
    dimensions: 2,
    limit: 3,
    tokenizer: () => ({ encode: () => [], count, cls: 0, sep: 0 }),
    embed: async (text) => {
      asked.push(text)
      await new Promise((resolve) => setTimeout(resolve, text.length % 3))
      if (text === 'fail') throw new Error('told to')
      return unitVector([text.length, text.codePointAt(0) ?? 1])
    },
    close: async () => {},
  }
  return { engine, asked }
}

describe('localEmbedder', () => {
  it('computes each text once, also when it is asked for twice at the same time', async () => {
    const { engine, asked } = fakeEngine()
    const embedder = localEmbedder(engine, [], newCache())
    await Promise.all([embedder.embed(['a', 'b', 'a']), embedder.embed(['b', 'c'])])
    await embedder.embed(['c', 'a'])
    expect(asked.toSorted()).toEqual(['a', 'b', 'c'])
    expect(embedder.computed!()).toEqual({ texts: 3, ms: expect.any(Number) })
  })

  it('gives a text the same vector in whatever company and order', async () => {
    const alone = await Promise.all(
      ['tea', 'cake and more tea please', ''].map(
        async (text) => (await localEmbedder(fakeEngine().engine, [], newCache()).embed([text]))[0],
      ),
    )
    const together = await localEmbedder(fakeEngine().engine, [], newCache()).embed([
      '',
      'cake and more tea please',
      'tea',
    ])
    expect(together.toReversed()).toEqual(alone)
  })

  it('embeds a long text in windows, none of it left out', async () => {
    const { engine, asked } = fakeEngine()
    const [vector] = await localEmbedder(engine, [], newCache()).embed(['one two three four'])
    expect(asked).toEqual(['one two three', 'four'])
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 6)
  })

  it('looks among the bundled vectors, then in the cache, and then computes', async () => {
    const bundle: VectorSource = {
      get: (keys) => keys.map((key) => (key.equals(vectorKey('fake', 'bundled')) ? Float32Array.of(1, 0) : undefined)),
    }
    const cache = newCache()
    cache.put([
      { key: vectorKey('fake', 'bundled'), vector: Float32Array.of(0, 1) },
      { key: vectorKey('fake', 'cached'), vector: Float32Array.of(0, 1) },
    ])
    const { engine, asked } = fakeEngine()
    const vectors = await localEmbedder(engine, [bundle], cache).embed(['bundled', 'cached', 'new'])
    expect(vectors.slice(0, 2)).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)])
    expect(asked).toEqual(['new'])
    expect(cache.get([vectorKey('fake', 'new')])).toEqual([vectors[2]])
  })

  it('keeps what could be computed when something fails, and can be asked again', async () => {
    const { engine, asked } = fakeEngine()
    const cache = newCache()
    const embedder = localEmbedder(engine, [], cache)
    await expect(embedder.embed(['good', 'fail'])).rejects.toThrow('told to')
    await embedder.embed(['good'])
    expect(asked).toEqual(['good', 'fail'])
  })

  it('hands out vectors that can be changed without harm', async () => {
    const embedder = localEmbedder(fakeEngine().engine, [], newCache())
    const [first, second] = await embedder.embed(['a', 'a'])
    first!.fill(0)
    expect(second![0]).not.toBe(0)
  })
})
