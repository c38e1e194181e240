import { entryOf } from '../../base/group-by.js'
import type { Embedder } from '../../model/index.js'
import type { SharedVectors } from '../shared.js'
import type { Engine } from './embedding-models.js'
import type { LocalEmbedder } from './local.js'
import { keepVectors, sharedVectors } from './shared-vectors.js'
import type { VectorCache } from './vector-cache.js'
import { type VectorSource, vectorKey } from './vector-store.js'
import { pooledVector, windowsOf } from './windows.js'

/** Vectors computed before they are written to the cache together; so many are lost when the process is killed. */
const BATCH = 16

/** Embeds what is found neither among the bundled vectors nor in the cache, each text once. Texts too long for the model come in windows. */
export function localEmbedder(
  engine: Engine,
  bundled: readonly VectorSource[],
  cache: VectorCache,
  shared?: SharedVectors,
): LocalEmbedder {
  const underway = new Map<string, Promise<Float32Array>>()
  let finished: { key: Buffer; vector: Float32Array }[] = []
  const spent = { texts: 0, ms: 0 }
  let busySince = 0

  const flush = async (): Promise<void> => {
    const batch = finished
    finished = []
    await keepVectors(batch, cache, shared)
  }

  const compute = async (text: string, key: Buffer): Promise<Float32Array> => {
    const { count } = engine.tokenizer()
    const windows = windowsOf(text, engine.limit, count)
    const vector = pooledVector(await Promise.all(windows.map((window) => engine.embed(window.text))), windows)
    finished.push({ key, vector })
    if (finished.length >= BATCH) await flush()
    return vector
  }

  const computeOnce = (text: string, key: Buffer): Promise<Float32Array> =>
    entryOf(underway, text, () => {
      if (underway.size === 0) busySince = performance.now()
      return compute(text, key).finally(() => {
        underway.delete(text)
        spent.texts++
        if (underway.size === 0) spent.ms += performance.now() - busySince
      })
    })

  /** Vectors that were computed before, by text. */
  const keptOf = (distinct: readonly string[]): Map<string, Float32Array> => {
    const vectors = new Map<string, Float32Array>()
    for (const source of [...bundled, cache]) {
      const missing = distinct.filter((text) => !vectors.has(text))
      if (missing.length === 0) break
      const found = source.get(missing.map((text) => vectorKey(engine.id, text)))
      for (const [i, vector] of found.entries()) if (vector) vectors.set(missing[i]!, vector)
    }
    return vectors
  }

  return {
    id: engine.id,
    dimensions: engine.dimensions,
    missing: (texts) => {
      const kept = keptOf(texts)
      return texts.filter((text) => !kept.has(text))
    },
    embed: async (texts) => {
      const distinct = [...new Set(texts)]
      const vectors = keptOf(distinct)
      const keyOf = (text: string) => vectorKey(engine.id, text)
      const open = distinct.filter((text) => !vectors.has(text))
      for (const [text, vector] of await sharedVectors(open, keyOf, cache, shared)) vectors.set(text, vector)
      const missing = open.filter((text) => !vectors.has(text))
      const computing = missing.map((text) => computeOnce(text, vectorKey(engine.id, text)))
      const computed = await Promise.all(computing).finally(flush)
      for (const [i, vector] of computed.entries()) vectors.set(missing[i]!, vector)
      return texts.map((text) => Float32Array.from(vectors.get(text)!))
    },
    computed: () => {
      const running = underway.size === 0 ? 0 : performance.now() - busySince
      return { texts: spent.texts, ms: spent.ms + running }
    },
    ...(engine.faster !== undefined && { faster: engine.faster }),
    close: async () => {
      await engine.close()
      cache.close()
    },
  }
}
