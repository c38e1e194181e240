import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { BM25_OPTIONS, createBm25Store, memoriesOfHits } from '../bm25/index.js'
import { numberOption, optionTable, readOptions } from '../options.js'
import { searchChains } from './chain.js'

const OPTIONS = z.object({
  ...BM25_OPTIONS.shape,
  hops: numberOption('4', 'most memories of one chain, its first included', { min: 1, whole: true }),
  link: numberOption('0.35', 'how much of what is new in one memory the next must take up, 0 to 1', { min: 0, max: 1 }),
})

/** Keeps what was said, finds it by its words, and follows what it found to what that leads to. */
export const bm25Hops = defineSystem({
  name: 'bm25-hops',
  version: '2',
  class: 'raw',
  about: 'Keeps every turn as said; finds by words and follows facts to facts.',
  atomic: true,
  options: optionTable(OPTIONS),
  create: (_context, given) => {
    const { hops, link } = readOptions(OPTIONS, given)
    const settings = { hops, link }
    const { log, index, store, weigh } = createBm25Store(given)
    return {
      store: async (conversation) => void store(conversation),
      retrieve: async (query, k) => memoriesOfHits(searchChains(index, weigh(query.text), k, settings), log.memories),
      dump: async () => log.memories.slice(),
    }
  },
})
