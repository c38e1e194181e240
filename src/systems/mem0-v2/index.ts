import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, memoryOf, promptsOf } from '../parts/index.js'
import { HybridMemory } from './memory.js'
import { PROMPTS } from './prompts.js'
import { mem0V2Rehearsal } from './rehearsal.js'
import { type Mem0V2Parts, storeConversation } from './store.js'

const OPTIONS = z.object({
  links: choiceOption(
    ['ignore', 'replace'],
    'ignore',
    'what happens to memories that a new one takes further: ignore, or replace',
  ),
  scoring: choiceOption(['hybrid', 'meaning'], 'hybrid', 'hybrid (meaning, words and names) or meaning alone'),
  threshold: numberOption('0.1', 'least likeness in meaning of what is retrieved', { min: -1, max: 1 }),
  neighbours: numberOption('10', 'existing memories shown to the model', { min: 0, whole: true }),
  recent: numberOption('10', 'earlier messages shown to the model', { min: 0, whole: true }),
  temperature: numberOption('0.1', 'of the model', { min: 0, max: 2 }),
})

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
  options: optionTable(OPTIONS),
  variants: {
    semantic: { about: 'meaning alone, as without the optional language packages', options: { scoring: 'meaning' } },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const { threshold } = options
    const journal = new Journal()
    const hybrid = options.scoring === 'hybrid'
    const memory = new HybridMemory(context, hybrid, journal)
    const parts: Mem0V2Parts = {
      context,
      model: askerOf(context, 'mem0-v2'),
      prompts: promptsOf(PROMPTS, context),
      memory,
      history: [],
      nextId: idCounter('m', journal),
      settings: options,
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
