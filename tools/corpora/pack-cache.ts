import { VectorCache } from '../../src/gateway/embed/vector-cache.js'
import { type PackContents, writePack } from '../../src/gateway/embed/write-pack.js'

/**
 * Writes everything that a cache holds to a pack, so that a run that filled it need not compute anything the next time.
 *
 * @returns how many vectors the pack holds
 */
export function packCache(
  folder: string,
  { embedder, dimensions }: Pick<PackContents, 'embedder' | 'dimensions'>,
  file: string,
): number {
  const cache = new VectorCache(folder, embedder, dimensions)
  const keys = cache.keys()
  const vectors = cache.get(keys)
  cache.close()
  const entries = keys.flatMap((key, i) => (vectors[i] ? [{ key, vector: vectors[i] }] : []))
  writePack(file, { embedder, dimensions, entries })
  return entries.length
}
