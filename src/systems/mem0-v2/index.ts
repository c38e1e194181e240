import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedAll, memoryOf, rowOfMemory } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { mem0V2Rehearsal } from './rehearsal.js'
import { OPTIONS, partsOf, storeConversation } from './store.js'

/** Mem0 as of version 2: memories are only ever added, and found by meaning, words and names together. */
export const mem0V2 = defineSystem({
  name: 'mem0-v2',
  version: '2',
  class: 'processed',
  about: 'Mem0 2.x: adds self-contained memories, never changes one; finds by meaning, words and names.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a conversation', retrieve: '0' },
  papers: ['Chhikara et al. 2025, Mem0, arXiv:2504.19413', 'mem0ai 2.0'],
  paperK: { meme: 20 },
  prompts: PROMPTS,
  rehearsal: mem0V2Rehearsal,
  options: optionTable(OPTIONS),
  variants: {
    semantic: { about: 'meaning alone, as without the optional language packages', options: { scoring: 'meaning' } },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { memory, journal, settings } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) =>
        (await memory.search(query.text, k, settings.threshold)).map(({ row, score }) => memoryOf(row, score)),
      dump: async () => memory.rows.rows().map((row) => memoryOf(row)),
      insert: async (memories) => memory.add(memories.map(rowOfMemory), await embedAll(context, memories)),
    }
  },
})
