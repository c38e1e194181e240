import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { BM25_OPTIONS, createBm25Store, memoriesOfHits } from '../bm25/index.js'
import { EmbeddedLog } from '../dense/embedded-log.js'
import { choiceOption, numberOption, optionTable, readOptions } from '../options.js'
import { fuseByOverlap, fuseByRank, fuseBySum } from './fuse.js'

const OPTIONS = z.object({
  ...BM25_OPTIONS.shape,
  fusion: choiceOption(
    ['overlap', 'sum', 'rrf'],
    'overlap (words count by how much is shared), sum (one weight) or rrf (ranks)',
  ),
  weight: numberOption('2', 'of words against meaning, for overlap and sum', { min: 0 }),
})

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
  options: optionTable(OPTIONS),
  create: (context, given) => {
    const { fusion, weight } = readOptions(OPTIONS, given)
    const { log, index, store, weigh } = createBm25Store(given)
    const vectors = new EmbeddedLog(context)
    return {
      store: async (conversation) => {
        for (const memory of store(conversation)) vectors.add(memory.text)
      },
      settle: () => vectors.settle(),
      retrieve: async (query, k) => {
        const similarities = vectors.index.similarities(await vectors.embedQuery(query.text))
        const evidence = { index, query: weigh(query.text), similarities }
        if (fusion === 'rrf') return memoriesOfHits(fuseByRank(evidence, k), log.memories)
        const fuse = fusion === 'sum' ? fuseBySum : fuseByOverlap
        return memoriesOfHits(fuse(evidence, weight, k), log.memories)
      },
      dump: async () => log.memories.slice(),
    }
  },
})
