/**
 * A memory for agents, as a system of Memscope (the default export) and for products.
 *
 * @example
 * import { createMosaic } from '@memscope/mosaic'
 * const memory = await createMosaic({ folder: 'memories/ada' })
 * await memory.store({ id: 'monday', time: '2026-05-04T09:00:00Z', turns: [{ role: 'user', text: 'I moved to Leeds.' }] })
 * const found = await memory.retrieve({ text: 'Where do I live?' }, 10)
 * await memory.close()
 *
 * @module
 */
import { defineSystem, type SystemOptions, UserError } from 'memscope'
import { createEmbedder } from 'memscope/retrieval'
import { Mosaic, type MosaicOptions } from './mosaic.js'

export type { Conversation, Depth, Embedder, Memory, Turn } from 'memscope'
export type { ExtractedNote, Extractor } from './extractor.js'
export type { Mosaic, MosaicOptions } from './mosaic.js'
export type { NoteClaim, RestsOn } from './note.js'

/** What can be switched off. */
const PARTS = {
  links: 'yes or no: follow what a statement hangs on to what became of it',
  chains: 'yes or no: follow facts to facts by what they share',
  sets: 'yes or no: find things of a kind by what kinds the things are of that notes speak of',
  weights: 'yes or no: hold back greetings, questions and replies',
} as const

/**
 * Opens a memory. Without an embedder of the caller's, the local one is used.
 *
 * @param options `cacheDir` is where that one keeps vectors; `.memscope/cache` when absent
 */
export async function createMosaic(options: Partial<MosaicOptions> & { cacheDir?: string } = {}): Promise<Mosaic> {
  const { cacheDir = '.memscope/cache', ...rest } = options
  return new Mosaic({ ...rest, embed: rest.embed ?? (await createEmbedder({ model: 'minilm', cacheDir })) })
}

export default defineSystem({
  name: 'mosaic',
  version: '16',
  class: 'raw',
  about: 'Keeps every turn, and finds it with what it hangs on, what leads on from it, and things of a kind.',
  atomic: true,
  needs: { embed: true },
  options: Object.fromEntries(Object.entries(PARTS).map(([part, about]) => [part, { about, default: 'yes' }])),
  create({ embed, signal, workdir: folder, log }, options) {
    return new Mosaic({ embed, signal, folder, warn: log, ...partsOf(options) })
  },
})

function partsOf(options: SystemOptions): Partial<MosaicOptions> {
  const read = Object.keys(PARTS).map((part) => {
    const typed = options[part] ?? 'yes'
    if (typed !== 'yes' && typed !== 'no') throw new UserError(`Expected "${part}" to be yes or no, got "${typed}".`)
    return [part, typed === 'yes']
  })
  return Object.fromEntries(read)
}
