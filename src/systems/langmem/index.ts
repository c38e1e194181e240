import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, idCounter, isSilent, Journal, memoryOf, promptsOf } from '../parts/index.js'
import { arrayStore } from './array-store.js'
import { langGraphStore } from './langgraph-store.js'
import { type ManagerParts, manage } from './manage.js'
import { PROMPTS } from './prompts.js'
import { rawEntries } from './raw.js'
import { langmemRehearsal } from './rehearsal.js'

const OPTIONS = z.object({
  write: choiceOption(
    ['manager', 'raw'],
    'manager',
    'manager: the model inserts and changes memories; raw: sessions as they are, no model',
  ),
  deletes: switchOption('off', 'on: the manager may also take memories out'),
  lookup: choiceOption(
    ['last', 'conversation'],
    'last',
    'what memories are looked up by before a change: last (message) or conversation',
  ),
  neighbours: numberOption('5', 'memories shown to the manager', { min: 1, whole: true }),
  rounds: numberOption('1', 'calls of the model for a conversation, at most', { min: 1, max: 10, whole: true }),
  most: numberOption('0', 'raw: entries kept, from the first on; what comes later is lost; 0: all', {
    min: 0,
    whole: true,
  }),
  store: choiceOption(
    ['array', 'langgraph'],
    'array',
    'array, or langgraph: the store of the optional package @langchain/langgraph',
  ),
  temperature: numberOption('0', 'of the model', { min: 0, max: 2 }),
})

/** LangMem: a manager sees a session beside the memories nearest to its last message, and inserts and rewrites memories by tool calls. */
export const langmem = defineSystem({
  name: 'langmem',
  version: '2',
  class: 'processed',
  about: 'LangMem: a manager inserts and rewrites memories by tool calls; deletes only when allowed.',
  atomic: true,
  needs: { embed: true, llm: true },
  withoutModel: ({ write }) => write === 'raw',
  cost: { store: '1 a conversation (as-in-memora: 0)', retrieve: '0' },
  papers: ['LangMem 0.0.30, github.com/langchain-ai/langmem'],
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
    const options = readOptions(OPTIONS, given)
    const raw = options.write === 'raw'
    const most = options.most || Number.POSITIVE_INFINITY
    const inGraph = options.store === 'langgraph'
    const store = inGraph ? await langGraphStore(context) : arrayStore(context)
    const journal = new Journal()
    const nextId = idCounter('m', journal)
    const manager: ManagerParts | null = raw
      ? null
      : {
          model: askerOf(context, 'langmem'),
          prompts: promptsOf(PROMPTS, context),
          store,
          nextId,
          settings: options,
          context,
        }
    return {
      store: (conversation) =>
        journal.atomically(async () => {
          if (isSilent(conversation)) return
          if (manager) return manage(conversation, manager)
          const room = Math.max(0, most - store.size)
          await store.change(rawEntries(conversation, nextId).slice(0, room))
        }),
      retrieve: async (query, k) => (await store.search(query.text, k)).map(({ row, score }) => memoryOf(row, score)),
      dump: async () => (await store.rows()).map((row) => memoryOf(row)),
      insert: async (memories) =>
        store.change(memories.map(({ id, text, time = '', sources = [] }) => ({ id, text, time, sources }))),
    }
  },
})
