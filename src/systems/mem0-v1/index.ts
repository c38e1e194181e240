import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedOne, memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { mem0V1Rehearsal } from './rehearsal.js'
import { OPTIONS, partsOf, storeConversation } from './store.js'

/** Mem0 as of version 1: facts about the user, which a second call adds to, merges with or takes out of what is known. */
export const mem0V1 = defineSystem({
  name: 'mem0-v1',
  version: '2',
  class: 'processed',
  about: 'Mem0 1.x: extracts facts about the user, then adds, updates or deletes memories.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a conversation, 1 more when it has facts', retrieve: '0' },
  papers: ['Chhikara et al. 2025, Mem0, arXiv:2504.19413'],
  paperK: { memfail: 5 },
  prompts: PROMPTS,
  rehearsal: mem0V1Rehearsal,
  options: optionTable(OPTIONS),
  variants: { additive: { about: 'every fact is added, nothing is merged or deleted', options: { decide: 'off' } } },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { table, journal } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (table.size === 0) return []
        return table.nearest(await embedOne(context, query.text), k).map(({ row, score }) => memoryOf(row, score))
      },
      dump: async () => table.rows().map((row) => memoryOf(row)),
      insert: (memories) => setAll(context, memories.map(rowOfMemory), (row, vector) => table.set(row, vector)),
    }
  },
})
