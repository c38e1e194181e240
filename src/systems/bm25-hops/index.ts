import { defineSystem } from '../../model/index.js'
import { BM25_OPTIONS, createBm25Store, memoriesOf } from '../bm25/index.js'
import { numberOption, withDefaults } from '../options.js'
import { searchChains } from './chain.js'

const OPTIONS = {
  ...BM25_OPTIONS,
  hops: { default: '4', about: 'most memories of one chain, its first included' },
  link: { default: '0.35', about: 'how much of what is new in one memory the next must take up, 0 to 1' },
} as const

/** Keeps what was said, finds it by its words, and follows what it found to what that leads to. */
export const bm25Hops = defineSystem({
  name: 'bm25-hops',
  version: '2',
  class: 'raw',
  about: 'Keeps every turn as said; finds by words and follows facts to facts.',
  atomic: true,
  options: OPTIONS,
  create: (_context, given) => {
    const options = withDefaults(OPTIONS, given)
    const settings = {
      hops: numberOption(options, 'hops', { min: 1, whole: true }),
      link: numberOption(options, 'link', { min: 0, max: 1 }),
    }
    const { log, index, store, weigh } = createBm25Store(options)
    return {
      store: async (conversation) => void store(conversation),
      retrieve: async (query, k) => memoriesOf(searchChains(index, weigh(query.text), k, settings), log.memories),
      dump: async () => log.memories.slice(),
    }
  },
})
