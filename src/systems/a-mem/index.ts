import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, promptsOf, VectorTable } from '../parts/index.js'
import { BLANK, type Note, noteMemory, opening } from './notes.js'
import { PROMPTS } from './prompts.js'
import { aMemRehearsal } from './rehearsal.js'
import { findNotes } from './retrieve.js'
import { type AMemParts, storeConversation } from './store.js'

const OPTIONS = z.object({
  note: choiceOption(
    ['exchange', 'session'],
    'exchange',
    'what becomes one note: exchange (what the user says and the reply) or session',
  ),
  analyse: switchOption('on', 'on: the model writes keywords, context and tags of every note; off'),
  evolve: switchOption('on', 'on: the model links a new note and describes its neighbours anew; off'),
  reach: choiceOption(['all', 'own'], 'all', "what evolution reaches: all, or own: the new note's tags alone"),
  index: choiceOption(
    ['note', 'content'],
    'note',
    'what notes are found by: note (with all that is said of it) or content',
  ),
  window: numberOption('0', 'words that are read of what a note is found by; 0: all', { min: 0, whole: true }),
  shows: choiceOption(
    ['note', 'line', 'content'],
    'note',
    'how notes are written out: note, line (without keywords and time) or content',
  ),
  neighbours: numberOption('5', 'notes shown beside a new one', { min: 1, whole: true }),
  rebuild: numberOption('100', 'evolutions after which notes are found by what is said of them by then', {
    min: 1,
    whole: true,
  }),
  outdated: choiceOption(
    ['keep', 'drop'],
    'keep',
    'drop: evolution may mark a note as outdated, and it is found no more',
  ),
  temperature: numberOption('0.7', 'of the model', { min: 0, max: 2 }),
})

const RELEASED = { reach: 'own', index: 'content', window: '256' } as const

/** A-MEM: every exchange is kept word for word as a note that the model describes, links and, with later notes, describes anew. */
export const aMem = defineSystem({
  name: 'a-mem',
  version: '1',
  class: 'processed',
  about: 'A-MEM: keeps all that is said as notes, described and linked by the model, found by meaning and links.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '2 an exchange (as-in-memfail: 1, as-in-memora: 2 a conversation)', retrieve: '0' },
  papers: ['Xu et al. 2025, A-MEM, arXiv:2502.12110'],
  prompts: PROMPTS,
  rehearsal: aMemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    canonical: { about: 'analysed notes, links and evolution, as in the paper; the default', options: {} },
    'as-in-memfail': {
      about: 'verbatim notes of one exchange without analysis; links and changed neighbours have no effect',
      options: { ...RELEASED, analyse: 'off', shows: 'line' },
    },
    'as-in-memora': {
      about: 'one note a session, found by its first 256 words; links and changed neighbours have no effect',
      options: { ...RELEASED, note: 'session', shows: 'content' },
    },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const journal = new Journal()
    const table = new VectorTable<Note>(context.embed.dimensions, journal)
    const { window } = options
    const parts: AMemParts = {
      context,
      model: askerOf(context, 'a-mem'),
      prompts: promptsOf(PROMPTS, context),
      table,
      nextId: idCounter('n', journal),
      settings: {
        ...options,
        dropOutdated: options.outdated === 'drop',
      },
      state: { sessions: 0, evolutions: 0, changed: new Set() },
    }
    return {
      store: (conversation) =>
        journal.atomically(() => {
          journal.keep(parts, 'state')
          parts.state = { ...parts.state, changed: new Set(parts.state.changed) }
          return storeConversation(conversation, parts)
        }),
      retrieve: (query, k) => findNotes(query.text, k, table, context),
      dump: async () => table.rows().map((note) => noteMemory(note)),
      insert: async (memories) => {
        const vectors = await embedAll(
          context,
          memories.map(({ text }) => opening(text, window)),
        )
        for (const [i, { id, text, time = '', sources = [] }] of memories.entries()) {
          table.set({ ...BLANK, id, text, content: text, time, sources }, vectors[i]!)
        }
      },
    }
  },
})
