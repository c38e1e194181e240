import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, withDefaults } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, memoryOf, promptsOf, VectorTable } from '../parts/index.js'
import type { Preference } from './preferences.js'
import { PROMPTS } from './prompts.js'
import { memosRehearsal } from './rehearsal.js'
import { search } from './search.js'
import { type MemosParts, type Node, storeConversation } from './store.js'

const OPTIONS = {
  preferences: {
    default: 'off',
    about: 'on: preferences are kept beside memories, and half of what is found are such',
  },
  reorganise: { default: 'off', about: 'on: memories that contradict or repeat each other become one' },
  near: { default: '0.8', about: 'cosine from which the reorganiser compares memories' },
  neighbours: { default: '5', about: 'memories it compares with a new one' },
  search: { default: 'fast', about: 'fast, or fine: the model names keys and tags to look for, one call a question' },
  conversation: { default: 'own', about: 'own, or date: sessions of one day are read as one conversation' },
  window: { default: '1024', about: 'tokens of a piece in which a conversation is read' },
  overlap: { default: '200', about: 'tokens of it that are read again with the next' },
  long: { default: '1500', about: 'memories of the type LongTermMemory; the oldest go first' },
  user: { default: '480', about: 'memories of the type UserMemory; the oldest go first' },
  temperature: { default: '0.6', about: 'of the model' },
} as const

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
  options: OPTIONS,
  variants: {
    'as-in-memora': {
      about: 'memories and preferences, half of k each (25 and 25 at k 50); sessions of one day are one conversation',
      options: { preferences: 'on', conversation: 'date' },
    },
    reorganised: { about: 'memories that contradict or repeat each other become one', options: { reorganise: 'on' } },
  },
  create: (context, given) => {
    const options = withDefaults(OPTIONS, given)
    const on = (key: 'preferences' | 'reorganise') => choiceOption(options, key, ['on', 'off']) === 'on'
    const count = (key: keyof typeof OPTIONS, min = 1) => numberOption(options, key, { min, whole: true })
    const fine = choiceOption(options, 'search', ['fast', 'fine']) === 'fine'
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
        byDay: choiceOption(options, 'conversation', ['own', 'date']) === 'date',
        preferences: on('preferences'),
        reorganise: on('reorganise'),
        near: numberOption(options, 'near', { min: 0, max: 1 }),
        neighbours: count('neighbours'),
        window: count('window'),
        overlap: count('overlap', 0),
        most: { LongTermMemory: count('long'), UserMemory: count('user') },
        temperature: numberOption(options, 'temperature', { min: 0, max: 2 }),
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
