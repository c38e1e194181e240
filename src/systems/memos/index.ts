import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { memosRehearsal } from './rehearsal.js'
import { search } from './search.js'
import { OPTIONS, partsOf, storeConversation } from './store.js'

/** MemOS: typed memories with keys and tags in a graph, preferences beside them, and a reorganiser that is off unless switched on. */
export const memos = defineSystem({
  name: 'memos',
  version: '2',
  class: 'processed',
  about: 'MemOS: typed memories with keys and tags, read piece by piece; preferences and reorganiser by option.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: {
    store:
      '1 a piece of 1,024 tokens or 10 turns (as-in-memora: 2 more a conversation, 1 more for a preference like another)',
    retrieve: '0 (search=fine: 1)',
  },
  papers: ['Li et al. 2025, MemOS, arXiv:2507.03724'],
  paperK: { memora: 50 },
  prompts: PROMPTS,
  rehearsal: memosRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    'as-in-memora': {
      about: 'memories and preferences, half of k each (25 and 25 at k 50); sessions of one day are one conversation',
      options: { preferences: 'on', conversation: 'date' },
    },
    reorganised: { about: 'memories that contradict or repeat each other become one', options: { reorganise: 'on' } },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { nodes, preferences, journal } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: (query, k) => search(query, k, parts),
      dump: async () => [
        ...nodes
          .rows()
          .map((node) => ({ ...memoryOf(node), ...(node.archived && { status: 'invalidated' as const }) })),
        ...preferences.rows().map((row) => memoryOf(row)),
      ],
      insert: (memories) =>
        setAll(context, memories.map(rowOfMemory), (row, vector) =>
          nodes.set({ ...row, kind: 'LongTermMemory', key: '', tags: [], archived: false }, vector),
        ),
    }
  },
})
