/**
 * A memory to use in a product: it keeps what was said with what it hangs on, in a folder, without a model but a local embedder.
 *
 * @example
 * import { createMosaic } from 'memscope/mosaic'
 * const memory = await createMosaic({ folder: 'memories/ada' })
 * await memory.store({ id: 'monday', time: '2026-05-04T09:00:00Z', turns: [{ role: 'user', text: 'I moved to Leeds.' }] })
 * const found = await memory.retrieve({ text: 'Where do I live?' }, 10)
 *
 * @module
 */
import { fileURLToPath } from 'node:url'
import { createEmbedder, packsIn } from './gateway/embed/index.js'
import { Mosaic } from './systems/mosaic/mosaic.js'
import type { MosaicOptions } from './systems/mosaic/options.js'

export type { Conversation, Depth, Embedder, Llm, Memory, Turn } from './model/index.js'
export { byModel, type Extractor } from './systems/mosaic/extract.js'
export type { Mosaic } from './systems/mosaic/mosaic.js'
export type { MosaicOptions, OpenRequest } from './systems/mosaic/options.js'
export type { Attribute, HeldState } from './systems/mosaic/states.js'

/** Where vectors are kept between processes. */
const CACHE = process.env.MEMSCOPE_CACHE || '.memscope/cache'
/** Vectors that ship with the package. */
const PACKS = fileURLToPath(new URL('./corpora/vectors/', import.meta.url))

/** Opens a memory. Without an embedder of the caller's, the local one is used. */
export async function createMosaic(options: Partial<MosaicOptions> = {}): Promise<Mosaic> {
  const embed = options.embed ?? (await createEmbedder({ model: 'minilm', cacheDir: CACHE, bundled: packsIn(PACKS) }))
  return new Mosaic({ ...options, embed })
}
