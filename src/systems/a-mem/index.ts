import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedAll, rowOfMemory } from '../parts/index.js'
import { BLANK, noteMemory, opening } from './notes.js'
import { PROMPTS } from './prompts.js'
import { aMemRehearsal } from './rehearsal.js'
import { findNotes, mostNotes, OPTIONS, partsOf, storeConversation } from './store.js'

const RELEASED = { reach: 'own', index: 'content', window: '256' } as const

/** A-MEM: every exchange is kept word for word as a note that the model describes, links and, with later notes, describes anew. */
export const aMem = defineSystem({
  name: 'a-mem',
  version: '2',
  class: 'processed',
  about: 'A-MEM: keeps all that is said as notes, described and linked by the model, found by meaning and links.',
  atomic: true,
  mostFound: mostNotes,
  needs: { embed: true, llm: true },
  cost: { store: '2 an exchange (as-in-memfail: 1, as-in-memora: 2 a conversation)', retrieve: '0' },
  papers: ['Xu et al. 2025, A-MEM, arXiv:2502.12110'],
  paperK: { memfail: 5, memora: 50 },
  prompts: PROMPTS,
  rehearsal: aMemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    canonical: { about: 'analysed notes, links and evolution, as in the paper; the default', options: {} },
    'as-in-memfail': {
      about: 'verbatim notes of one exchange without analysis; links and changed neighbours have no effect',
      options: { ...RELEASED, analyse: 'off', shows: 'line' },
    },
    'as-in-memora': {
      about: 'one note a session, found by its first 256 words; links and changed neighbours have no effect',
      options: { ...RELEASED, note: 'session', shows: 'content' },
    },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { table, journal, settings } = parts
    return {
      store: (conversation) =>
        journal.atomically(() => {
          journal.keep(parts, 'state')
          parts.state = { ...parts.state, changed: new Set(parts.state.changed) }
          return storeConversation(conversation, parts)
        }),
      retrieve: (query, k) => findNotes(query.text, k, parts),
      dump: async () => table.rows().map((note) => noteMemory(note)),
      insert: async (memories) => {
        const openings = memories.map(({ text }) => opening(text, settings.window))
        for (const [i, vector] of (await embedAll(context, openings)).entries()) {
          const row = rowOfMemory(memories[i]!)
          table.set({ ...BLANK, ...row, content: row.text }, vector)
        }
      },
    }
  },
})
