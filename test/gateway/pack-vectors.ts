import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { vectorKey } from '../../src/gateway/embed/vector-store.js'
import { writePack } from '../../src/gateway/embed/write-pack.js'
import type { Embedder } from '../../src/model/index.js'

/**
 * Embeds texts and writes their vectors to a pack.
 *
 * @returns how many vectors the pack holds; the same text counts once
 * @example await packVectors(texts, embedder, 'vectors.bin')
 */
export async function packVectors(texts: readonly string[], embedder: Embedder, file: string): Promise<number> {
  const distinct = [...new Set(texts)]
  const vectors = await embedder.embed(distinct)
  const entries = distinct.map((text, i) => ({ key: vectorKey(embedder.id, text), vector: vectors[i]! }))
  mkdirSync(dirname(file), { recursive: true })
  writePack(file, { embedder: embedder.id, dimensions: embedder.dimensions, entries })
  return entries.length
}
