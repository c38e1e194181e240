import type { Engine } from './embedding-models.js'
import type { LocalEmbedder } from './local.js'
import { localEmbedder } from './local-embedder.js'
import { VectorCache } from './vector-cache.js'

/** Computes sooner what an embedder computes, with an error in the last digits. */
export interface FastEmbedder {
  embed(texts: readonly string[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** What the exact embedder has kept is not computed again; the rest is, and is kept apart from it. */
export function fastEmbedder(exact: LocalEmbedder, engine: Engine, cacheDir: string): FastEmbedder {
  const fast = localEmbedder(engine, [], new VectorCache(cacheDir, engine.id, engine.dimensions))
  return {
    embed: async (texts) => {
      const missing = new Set(exact.missing!([...new Set(texts)]))
      const [kept, computed] = await Promise.all([
        exact.embed(texts.filter((text) => !missing.has(text))),
        fast.embed(texts.filter((text) => missing.has(text))),
      ])
      const [fromKept, fromComputed] = [kept.values(), computed.values()]
      return texts.map((text) => (missing.has(text) ? fromComputed : fromKept).next().value!)
    },
    close: fast.close,
  }
}
