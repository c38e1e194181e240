import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { simpleMemRehearsal } from './rehearsal.js'
import { findEntries } from './retrieve.js'
import { OPTIONS, partsOf, storeConversation } from './store.js'

/** SimpleMem: dialogue restated as self-contained entries, searched with planned queries by meaning, words and fields. */
export const simpleMem = defineSystem({
  name: 'simplemem',
  version: '2',
  class: 'processed',
  about: 'SimpleMem: restates windows of dialogue as self-contained entries; plans its searches and looks again.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a window of 40 turns', retrieve: '4 a question, up to 7' },
  papers: ['Liu et al. 2026, SimpleMem, arXiv:2601.02553'],
  paperK: { memfail: 5 },
  prompts: PROMPTS,
  rehearsal: simpleMemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    plain: {
      about: 'searches for the question alone, by meaning, without a call',
      options: { plan: 'off', reflect: '0' },
    },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { entries, journal } = parts
    return {
      store: (conversation) =>
        journal.atomically(() => {
          journal.keep(parts, 'previous')
          return storeConversation(conversation, parts)
        }),
      retrieve: (query, k) => findEntries(query, k, parts),
      dump: async () => entries.rows().map((entry) => memoryOf(entry)),
      insert: (memories) =>
        setAll(context, memories.map(rowOfMemory), (row, vector) => {
          const blank = { keywords: [], timestamp: null, location: null, persons: [], entities: [], topic: '' }
          entries.set({ ...blank, ...row }, vector)
        }),
    }
  },
})
