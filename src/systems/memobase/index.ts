import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { OPTIONS, partsOf } from './parts.js'
import { PROMPTS } from './prompts.js'
import { memobaseRehearsal } from './rehearsal.js'
import { contextFor } from './retrieve.js'
import { storeConversation } from './store.js'

/** MemoBase: a profile of slots that a model fills and merges, beside a diary of dated events. */
export const memobase = defineSystem({
  name: 'memobase',
  version: '2',
  class: 'processed',
  about: 'MemoBase: a profile in slots that are merged and shortened, and a diary of events; found by token budget.',
  depth: 'fixed',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: {
    store: '3 a conversation that says something new, 1 more for a slot or topic that has grown too large',
    retrieve: '0 (pick=on: 1)',
  },
  papers: ['MemoBase, github.com/memodb-io/memobase'],
  prompts: PROMPTS,
  rehearsal: memobaseRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    'as-in-memora': {
      about: 'the model picks slots for every question, and twice the tokens are found',
      options: { pick: 'on', tokens: '2000' },
    },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { profile, gists, journal, settings } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: (query) => contextFor(query, parts),
      dump: async () => [...profile.slots(), ...gists.rows()].map((row) => memoryOf(row)),
      insert: async (memories) => {
        const rows = memories.map(rowOfMemory)
        if (settings.events) await setAll(context, rows, (row, vector) => gists.set(row, vector))
        else for (const row of rows) profile.insert(row)
      },
    }
  },
})
