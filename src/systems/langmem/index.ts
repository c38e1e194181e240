import { defineSystem } from '../../model/index.js'
import { optionTable, readOptions } from '../options.js'
import { askerOf, idCounter, isSilent, Journal, memoryOf, rowOfMemory } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { manage, OPTIONS } from './manage.js'
import { PROMPTS } from './prompts.js'
import { rawEntries } from './raw.js'
import { langmemRehearsal } from './rehearsal.js'
import { arrayStore, langGraphStore } from './stores.js'

/** LangMem: a manager sees a session beside the memories nearest to its last message, and inserts and rewrites memories by tool calls. */
export const langmem = defineSystem({
  name: 'langmem',
  version: '3',
  class: 'processed',
  about: 'LangMem: a manager inserts and rewrites memories by tool calls; deletes only when allowed.',
  atomic: true,
  needs: { embed: true, llm: true },
  withoutModel: ({ write }) => write === 'raw',
  cost: { store: '1 a conversation (as-in-memora: 0)', retrieve: '0' },
  papers: ['LangMem 0.0.30, github.com/langchain-ai/langmem'],
  paperK: { memora: 50 },
  prompts: PROMPTS,
  rehearsal: langmemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    'as-in-memora': {
      about: 'whole sessions, longer user messages and topic lines as they are; the manager is never called',
      options: { write: 'raw', most: '10000' },
    },
  },
  create: async (context, given) => {
    const settings = readOptions(OPTIONS, given)
    const { temperature } = settings
    const store = settings.store === 'langgraph' ? await langGraphStore(context) : arrayStore(context)
    const journal = new Journal()
    const nextId = idCounter('m', journal)
    const model =
      settings.write === 'raw'
        ? null
        : askerOf(context, 'langmem', PROMPTS, { temperature, maxTokens: FIXED.maxTokens })
    return {
      store: (conversation) =>
        journal.atomically(async () => {
          if (isSilent(conversation)) return
          if (model) return manage(conversation, { context, settings, model, store, nextId })
          const room = Math.max(0, (settings.most || Number.POSITIVE_INFINITY) - store.size)
          await store.change(rawEntries(conversation, nextId).slice(0, room))
        }),
      retrieve: async (query, k) => (await store.search(query.text, k)).map(({ row, score }) => memoryOf(row, score)),
      dump: async () => (await store.rows()).map((row) => memoryOf(row)),
      insert: (memories) => store.change(memories.map(rowOfMemory)),
    }
  },
})
