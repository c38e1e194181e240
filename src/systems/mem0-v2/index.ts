import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, withDefaults } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, memoryOf, promptsOf } from '../parts/index.js'
import { HybridMemory } from './memory.js'
import { PROMPTS } from './prompts.js'
import { mem0V2Rehearsal } from './rehearsal.js'
import { type Mem0V2Parts, storeConversation } from './store.js'

const OPTIONS = {
  links: { default: 'ignore', about: 'what happens to memories that a new one takes further: ignore, or replace' },
  scoring: { default: 'hybrid', about: 'hybrid (meaning, words and names) or meaning alone' },
  threshold: { default: '0.1', about: 'least likeness in meaning of what is retrieved' },
  neighbours: { default: '10', about: 'existing memories shown to the model' },
  recent: { default: '10', about: 'earlier messages shown to the model' },
  temperature: { default: '0.1', about: 'of the model' },
} as const

/** Mem0 as of version 2: memories are only ever added, and found by meaning, words and names together. */
export const mem0V2 = defineSystem({
  name: 'mem0-v2',
  version: '1',
  class: 'processed',
  about: 'Mem0 2.x: adds self-contained memories, never changes one; finds by meaning, words and names.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a conversation', retrieve: '0' },
  papers: ['Chhikara et al. 2025, Mem0, arXiv:2504.19413', 'mem0ai 2.0'],
  prompts: PROMPTS,
  rehearsal: mem0V2Rehearsal,
  options: OPTIONS,
  variants: {
    semantic: { about: 'meaning alone, as without the optional language packages', options: { scoring: 'meaning' } },
  },
  create: (context, given) => {
    const options = withDefaults(OPTIONS, given)
    const threshold = numberOption(options, 'threshold', { min: -1, max: 1 })
    const journal = new Journal()
    const hybrid = choiceOption(options, 'scoring', ['hybrid', 'meaning']) === 'hybrid'
    const memory = new HybridMemory(context, hybrid, journal)
    const parts: Mem0V2Parts = {
      context,
      model: askerOf(context, 'mem0-v2'),
      prompts: promptsOf(PROMPTS, context),
      memory,
      history: [],
      nextId: idCounter('m', journal),
      settings: {
        neighbours: numberOption(options, 'neighbours', { min: 0, whole: true }),
        recent: numberOption(options, 'recent', { min: 0, whole: true }),
        temperature: numberOption(options, 'temperature', { min: 0, max: 2 }),
        links: choiceOption(options, 'links', ['ignore', 'replace']),
      },
    }
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) =>
        (await memory.search(query.text, k, threshold)).map(({ row, score }) => memoryOf(row, score)),
      dump: async () => memory.rows.rows().map((row) => memoryOf(row)),
      insert: async (memories) => {
        const rows = memories.map(({ id, text, time = '', sources = [] }) => ({ id, text, time, sources }))
        const texts = rows.map(({ text }) => text)
        await memory.add(rows, await embedAll(context, texts))
      },
    }
  },
})
