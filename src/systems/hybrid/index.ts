import { defineSystem } from '../../model/index.js'
import { BM25_OPTIONS, createBm25Store, memoriesOf } from '../bm25/index.js'
import { EmbeddedLog } from '../dense/embedded-log.js'
import { choiceOption, numberOption, withDefaults } from '../options.js'
import { fuseByOverlap, fuseByRank, fuseBySum } from './fuse.js'

const OPTIONS = {
  ...BM25_OPTIONS,
  fusion: { default: 'overlap', about: 'overlap (words count by how much is shared), sum (one weight) or rrf (ranks)' },
  weight: { default: '2', about: 'of words against meaning, for overlap and sum' },
} as const

/** Keeps what was said and finds it by words and by meaning together. */
export const hybrid = defineSystem({
  name: 'hybrid',
  version: '2',
  class: 'raw',
  about: 'Keeps every turn as said; finds by words and meaning together.',
  atomic: true,
  needs: { embed: true },
  variants: {
    rrf: { about: 'reciprocal rank fusion, 1/(60+rank)', options: { fusion: 'rrf' } },
    sum: { about: 'equal weight for words and meaning', options: { fusion: 'sum', weight: '1' } },
  },
  options: OPTIONS,
  create: (context, given) => {
    const options = withDefaults(OPTIONS, given)
    const fusion = choiceOption(options, 'fusion', ['overlap', 'sum', 'rrf'])
    const weight = numberOption(options, 'weight', { min: 0 })
    const { log, index, store, weigh } = createBm25Store(options)
    const vectors = new EmbeddedLog(context)
    return {
      store: async (conversation) => {
        for (const memory of store(conversation)) vectors.add(memory.text)
      },
      settle: () => vectors.settle(),
      retrieve: async (query, k) => {
        const similarities = vectors.index.similarities(await vectors.embedQuery(query.text))
        const evidence = { index, query: weigh(query.text), similarities }
        if (fusion === 'rrf') return memoriesOf(fuseByRank(evidence, k), log.memories)
        const fuse = fusion === 'sum' ? fuseBySum : fuseByOverlap
        return memoriesOf(fuse(evidence, weight, k), log.memories)
      },
      dump: async () => log.memories.slice(),
    }
  },
})
