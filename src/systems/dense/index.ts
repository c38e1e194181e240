import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { memoriesOfHits } from '../bm25/index.js'
import { choiceOption, optionTable, readOptions } from '../options.js'
import { UNIT_OPTION, UnitLog } from '../units.js'
import { EmbeddedLog } from './embedded-log.js'

const OPTIONS = z.object({
  unit: UNIT_OPTION,
  format: choiceOption(['plain', 'session'], 'plain, or session: a time header and a name before every line'),
})

/** Keeps what was said and finds it again by its meaning. */
export const dense = defineSystem({
  name: 'dense',
  version: '2',
  class: 'raw',
  about: 'Keeps every turn as said; finds by meaning (cosine of local embeddings).',
  atomic: true,
  needs: { embed: true },
  variants: {
    meme: {
      about: "MEME's chunks: 4,096 tokens with a session header",
      options: { unit: 'chunk=4096', format: 'session' },
    },
  },
  paperK: { meme: 5 },
  options: optionTable(OPTIONS),
  create: (context, given) => {
    const { unit, format } = readOptions(OPTIONS, given)
    const log = new UnitLog(unit, format)
    const vectors = new EmbeddedLog(context)
    return {
      store: async (conversation) => {
        for (const memory of log.add(conversation)) vectors.add(memory.text)
      },
      settle: () => vectors.settle(),
      retrieve: async (query, k) => {
        const vector = await vectors.embedQuery(query.text)
        return memoriesOfHits(vectors.index.search(vector, k), log.memories)
      },
      dump: async () => log.memories.slice(),
    }
  },
})
