import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedAll, isSilent, rowOfMemory } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { memoryosRehearsal } from './rehearsal.js'
import { recall } from './retrieve.js'
import { copyState, dumpOf, pagesOf, type State } from './state.js'
import { addPage, OPTIONS, partsOf } from './store.js'

/** MemoryOS: exchanges move from short-term to mid-term memory by age, and from there to long-term memory by heat. */
export const memoryos = defineSystem({
  name: 'memoryos',
  version: '2',
  class: 'processed',
  about: 'MemoryOS: exchanges age into themed sessions; hot sessions feed a profile and lists of knowledge.',
  depth: 'fixed',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '0 for the first 10 exchanges, then 3 an exchange, 2 more when a session is hot', retrieve: '0' },
  papers: ['Kang et al. 2025, Memory OS of AI Agent, arXiv:2506.06326'],
  prompts: PROMPTS,
  rehearsal: memoryosRehearsal,
  options: optionTable(OPTIONS),
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { journal } = parts
    return {
      store: (conversation) =>
        journal.atomically(async () => {
          if (isSilent(conversation)) return
          journal.keep(parts, 'state')
          parts.state = copyState(parts.state)
          for (const page of pagesOf(conversation, parts.nextId.page)) await addPage(page, parts)
        }),
      retrieve: (query) => recall(query, parts),
      dump: async () => dumpOf(parts.state),
      insert: async (memories) => {
        const vectors = await embedAll(context, memories)
        const rows = memories.map((memory, i) => ({ ...rowOfMemory(memory), vector: vectors[i]! }))
        parts.state.user = [...parts.state.user, ...rows]
      },
      snapshot: async () => copyState(parts.state),
      restore: async (snapshot) => {
        // Only what `snapshot` gave comes back.
        parts.state = copyState(snapshot as State)
      },
    }
  },
})
