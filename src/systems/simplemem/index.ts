import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, memoryOf, promptsOf } from '../parts/index.js'
import { Entries } from './entries.js'
import { PROMPTS } from './prompts.js'
import { simpleMemRehearsal } from './rehearsal.js'
import { findEntries } from './retrieve.js'
import { type SimpleMemParts, storeConversation } from './store.js'

const OPTIONS = z
  .object({
    window: numberOption('40', 'turns that are restated together; what is left of a conversation is a window too', {
      min: 1,
      whole: true,
    }),
    overlap: numberOption('2', 'turns of a window that the next one begins with', { min: 0, whole: true }),
    restate: switchOption('on', 'on: entries restate what was said; off: they keep its words'),
    plan: switchOption('on', 'on: several queries, words and fields; off: the question alone, by meaning'),
    reflect: numberOption('2', 'most rounds of looking again for what is missing', { min: 0, whole: true }),
    merge: choiceOption(
      ['append', 'fuse'],
      'append',
      'how searches are joined: append, one after the other, or fuse, by rank',
    ),
  })
  .superRefine(({ window, overlap }, context) => {
    if (overlap < window) return
    context.addIssue({ code: 'custom', path: ['overlap'], message: `a whole number from 0 to ${window - 1}` })
  })

/** SimpleMem: dialogue restated as self-contained entries, searched with planned queries by meaning, words and fields. */
export const simpleMem = defineSystem({
  name: 'simplemem',
  version: '1',
  class: 'processed',
  about: 'SimpleMem: restates windows of dialogue as self-contained entries; plans its searches and looks again.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '1 a window of 40 turns', retrieve: '4 a question, up to 7' },
  papers: ['Liu et al. 2026, SimpleMem, arXiv:2601.02553'],
  prompts: PROMPTS,
  rehearsal: simpleMemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    plain: {
      about: 'searches for the question alone, by meaning, without a call',
      options: { plan: 'off', reflect: '0' },
    },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const journal = new Journal()
    const entries = new Entries(context.embed.dimensions, journal)
    const parts: SimpleMemParts = {
      context,
      model: askerOf(context, 'simplemem'),
      prompts: promptsOf(PROMPTS, context),
      entries,
      nextId: idCounter('e', journal),
      settings: options,
      previous: [],
    }
    return {
      store: (conversation) =>
        journal.atomically(() => {
          journal.keep(parts, 'previous')
          return storeConversation(conversation, parts)
        }),
      retrieve: (query, k) => findEntries(query, k, parts),
      dump: async () => entries.rows.rows().map((entry) => memoryOf(entry)),
      insert: async (memories) => {
        const vectors = await embedAll(
          context,
          memories.map(({ text }) => text),
        )
        const blank = { keywords: [], timestamp: null, location: null, persons: [], entities: [], topic: '' }
        for (const [i, { id, text, time = '', sources = [] }] of memories.entries()) {
          entries.add({ ...blank, id, text, time, sources }, vectors[i]!)
        }
      },
    }
  },
})
