import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedOne, memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { structMemRehearsal } from './rehearsal.js'
import { OPTIONS, partsOf, storeConversation } from './store.js'

/** StructMem: what the user says is recorded as facts and as relations, summarised, and compared where it is alike. */
export const structMem = defineSystem({
  name: 'structmem',
  version: '2',
  class: 'processed',
  about: 'StructMem: records facts and relations, summarises them by conversation, updates those that are alike.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '3 a conversation, 1 more for each event that newer ones are like', retrieve: '0' },
  papers: ['Xu et al. 2026, StructMem, arXiv:2604.21748'],
  paperK: { memfail: 5 },
  prompts: PROMPTS,
  rehearsal: structMemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    'with-summaries': { about: 'summaries are found beside events', options: { summaries: 'on' } },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { events, summaries, journal, settings } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (events.rows.size === 0) return []
        const vector = await embedOne(context, query.text)
        const told = settings.summaries ? summaries.nearest(vector, k) : []
        return [...events.rows.nearest(vector, k), ...told]
          .sort((a, b) => b.score - a.score)
          .slice(0, k)
          .map(({ row, score }) => memoryOf(row, score))
      },
      dump: async () => [...events.rows.rows(), ...summaries.rows()].map((row) => memoryOf(row)),
      insert: (memories) =>
        setAll(context, memories.map(rowOfMemory), (row, vector) =>
          events.add({ ...row, memory: row.text, moment: Date.parse(row.time) || 0 }, vector),
        ),
    }
  },
})
