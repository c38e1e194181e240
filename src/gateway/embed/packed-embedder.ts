import type { Embedder } from '../../model/index.js'
import { readPack } from './vector-pack.js'
import { vectorKey } from './vector-store.js'
import { writePack } from './write-pack.js'

/** Texts embedded together. */
const BATCH = 256

/**
 * An embedder that looks texts up in vector packs before it computes anything. Packs of another embedder are passed over.
 *
 * @param files packs that `writeVectorPack` wrote
 * @example const embed = withVectorPacks(context.embed, [fileURLToPath(new URL('../data/kinds.bin', import.meta.url))])
 */
export function withVectorPacks(embedder: Embedder, files: readonly string[]): Embedder {
  const packs = files.map(readPack).filter((pack) => pack.embedder === embedder.id)
  if (packs.length === 0) return embedder
  const packedOf = (texts: readonly string[]): Map<string, Float32Array> => {
    const vectors = new Map<string, Float32Array>()
    for (const pack of packs) {
      const open = [...new Set(texts)].filter((text) => !vectors.has(text))
      const found = pack.get(open.map((text) => vectorKey(embedder.id, text)))
      for (const [i, vector] of found.entries()) if (vector) vectors.set(open[i]!, vector)
    }
    return vectors
  }
  const { id, dimensions } = embedder
  return {
    id,
    dimensions,
    embed: async (texts, as) => {
      const vectors = packedOf(texts)
      const open = [...new Set(texts)].filter((text) => !vectors.has(text))
      const computed = open.length > 0 ? await embedder.embed(open, as) : []
      for (const [i, text] of open.entries()) vectors.set(text, computed[i]!)
      return texts.map((text) => Float32Array.from(vectors.get(text)!))
    },
    ...(embedder.missing && {
      missing: (texts) => {
        const packed = packedOf(texts)
        return embedder.missing!(texts.filter((text) => !packed.has(text)))
      },
    }),
    ...(embedder.computed && { computed: () => embedder.computed!() }),
  }
}

/**
 * Embeds texts and writes their vectors into a pack, for a package that ships texts of its own.
 *
 * @param isCoarse numbers as bytes: a quarter of the size, and cosines that are off by a thousandth
 * @returns how many vectors the pack holds
 */
export async function writeVectorPack(
  file: string,
  embedder: Embedder,
  texts: readonly string[],
  { isCoarse = false }: { isCoarse?: boolean } = {},
): Promise<number> {
  const distinct = [...new Set(texts)]
  const vectors: Float32Array[] = []
  for (let at = 0; at < distinct.length; at += BATCH)
    vectors.push(...(await embedder.embed(distinct.slice(at, at + BATCH))))
  const entries = distinct.map((text, i) => ({ key: vectorKey(embedder.id, text), vector: vectors[i]! }))
  const { id, dimensions } = embedder
  writePack(file, { embedder: id, dimensions, entries, isCoarse })
  return entries.length
}
