import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Embedder } from '../../model/index.js'
import { VectorCache } from './vector-cache.js'
import { writePack } from './vector-pack.js'
import { vectorKey } from './vector-store.js'

/**
 * Writes everything that a cache holds to a pack, so that a run that filled it need not compute anything the next time.
 *
 * @returns how many vectors the pack holds
 */
export function packCache(folder: string, embedder: Embedder, file: string): number {
  const cache = new VectorCache(folder, embedder.id, embedder.dimensions)
  const keys = cache.keys()
  const vectors = cache.get(keys)
  cache.close()
  const entries = keys.flatMap((key, i) => (vectors[i] ? [{ key, vector: vectors[i] }] : []))
  mkdirSync(dirname(file), { recursive: true })
  writePack(file, { embedder: embedder.id, dimensions: embedder.dimensions, entries })
  return entries.length
}

/**
 * Embeds texts and writes their vectors to a pack, to be shipped so that a first run need not compute them.
 *
 * @returns how many vectors the pack holds; the same text counts once
 * @example await packVectors(texts, embedder, 'src/corpora/vectors/memfail.bin')
 */
export async function packVectors(texts: readonly string[], embedder: Embedder, file: string): Promise<number> {
  const distinct = [...new Set(texts)]
  const vectors = await embedder.embed(distinct)
  const entries = distinct.map((text, i) => ({ key: vectorKey(embedder.id, text), vector: vectors[i]! }))
  mkdirSync(dirname(file), { recursive: true })
  writePack(file, { embedder: embedder.id, dimensions: embedder.dimensions, entries })
  return entries.length
}
