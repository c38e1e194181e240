import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import {
  askerOf,
  embedAll,
  embedOne,
  idCounter,
  Journal,
  type Kept,
  memoryOf,
  promptsOf,
  VectorTable,
} from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { mem0V1Rehearsal } from './rehearsal.js'
import { type Mem0V1Parts, storeConversation } from './store.js'

const OPTIONS = z.object({
  decide: switchOption('on', 'on, or off: add every fact as it is, without the step that merges and deletes'),
  about: choiceOption(['user', 'all'], 'user', 'whom facts may be about: user, or all the user speaks of'),
  neighbours: numberOption('5', 'memories looked up for every new fact', { min: 1, whole: true }),
  temperature: numberOption('0.1', 'of the model', { min: 0, max: 2 }),
})

/** Mem0 as of version 1: facts about the user, which a second call adds to, merges with or takes out of what is known. */
export const mem0V1 = defineSystem({
  name: 'mem0-v1',
  version: '1',
  class: 'processed',
  about: 'Mem0 1.x: extracts facts about the user, then adds, updates or deletes memories.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a conversation, 1 more when it has facts', retrieve: '0' },
  papers: ['Chhikara et al. 2025, Mem0, arXiv:2504.19413'],
  prompts: PROMPTS,
  rehearsal: mem0V1Rehearsal,
  options: optionTable(OPTIONS),
  variants: { additive: { about: 'every fact is added, nothing is merged or deleted', options: { decide: 'off' } } },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const journal = new Journal()
    const parts: Mem0V1Parts = {
      context,
      model: askerOf(context, 'mem0-v1'),
      prompts: promptsOf(PROMPTS, context),
      table: new VectorTable<Kept>(context.embed.dimensions, journal),
      nextId: idCounter('m', journal),
      settings: options,
    }
    const { table } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (table.size === 0) return []
        return table.nearest(await embedOne(context, query.text), k).map(({ row, score }) => memoryOf(row, score))
      },
      dump: async () => table.rows().map((row) => memoryOf(row)),
      insert: async (memories) => {
        const vectors = await embedAll(
          context,
          memories.map(({ text }) => text),
        )
        for (const [i, { id, text, time = '', sources = [] }] of memories.entries()) {
          table.set({ id, text, time, sources }, vectors[i]!)
        }
      },
    }
  },
})
