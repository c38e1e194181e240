import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, memoryOf, promptsOf, VectorTable } from '../parts/index.js'
import type { Preference } from './preferences.js'
import { PROMPTS } from './prompts.js'
import { memosRehearsal } from './rehearsal.js'
import { search } from './search.js'
import { type MemosParts, type Node, storeConversation } from './store.js'

const OPTIONS = z.object({
  preferences: switchOption('off', 'on: preferences are kept beside memories, and half of what is found are such'),
  reorganise: switchOption('off', 'on: memories that contradict or repeat each other become one'),
  near: numberOption('0.8', 'cosine from which the reorganiser compares memories', { min: 0, max: 1 }),
  neighbours: numberOption('5', 'memories it compares with a new one', { min: 1, whole: true }),
  search: choiceOption(
    ['fast', 'fine'],
    'fast',
    'fast, or fine: the model names keys and tags to look for, one call a question',
  ),
  conversation: choiceOption(['own', 'date'], 'own', 'own, or date: sessions of one day are read as one conversation'),
  window: numberOption('1024', 'tokens of a piece in which a conversation is read', { min: 1, whole: true }),
  overlap: numberOption('200', 'tokens of it that are read again with the next', { min: 0, whole: true }),
  long: numberOption('1500', 'memories of the type LongTermMemory; the oldest go first', { min: 1, whole: true }),
  user: numberOption('480', 'memories of the type UserMemory; the oldest go first', { min: 1, whole: true }),
  temperature: numberOption('0.6', 'of the model', { min: 0, max: 2 }),
})

/** MemOS: typed memories with keys and tags in a graph, preferences beside them, and a reorganiser that is off unless switched on. */
export const memos = defineSystem({
  name: 'memos',
  version: '1',
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
    const options = readOptions(OPTIONS, given)
    const fine = options.search === 'fine'
    const journal = new Journal()
    const parts: MemosParts = {
      context,
      model: askerOf(context, 'memos'),
      prompts: promptsOf(PROMPTS, context),
      nodes: new VectorTable<Node>(context.embed.dimensions, journal),
      preferences: new VectorTable<Preference>(context.embed.dimensions, journal),
      day: { date: '', turns: [] },
      nextId: { node: idCounter('m', journal), preference: idCounter('f', journal) },
      settings: {
        ...options,
        byDay: options.conversation === 'date',
        most: { LongTermMemory: options.long, UserMemory: options.user },
      },
    }
    const { nodes, preferences } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: (query, k) => search(query, k, fine, parts),
      dump: async () => [
        ...nodes
          .rows()
          .map((node) => ({ ...memoryOf(node), ...(node.archived && { status: 'invalidated' as const }) })),
        ...preferences.rows().map((row) => memoryOf(row)),
      ],
      insert: async (memories) => {
        const texts = memories.map(({ text }) => text)
        for (const [i, vector] of (await embedAll(context, texts)).entries()) {
          const { id, text, time = '', sources = [] } = memories[i]!
          nodes.set({ id, text, time, sources, kind: 'LongTermMemory', key: '', tags: [], archived: false }, vector)
        }
      },
    }
  },
})
