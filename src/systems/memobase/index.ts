import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, type Kept, memoryOf, promptsOf, VectorTable } from '../parts/index.js'
import { Profile } from './profile.js'
import { PROMPTS } from './prompts.js'
import { memobaseRehearsal } from './rehearsal.js'
import { contextFor } from './retrieve.js'
import { type MemobaseParts, storeConversation } from './store.js'

const OPTIONS = z.object({
  events: switchOption('on', 'on: diary entries are kept and found beside the profile; off'),
  topics: choiceOption(['open', 'strict'], 'open', 'open, or strict: only slots of the guide'),
  window: numberOption('16384', 'tokens of a conversation that are read, the newest', { min: 1, whole: true }),
  resummary: switchOption('on', 'on: memos that have grown too long are written anew and cut; off'),
  slot: numberOption('128', 'tokens of a memo above which it is written anew', { min: 1, whole: true }),
  summary: numberOption('64', 'tokens of a memo that was written anew, at most', { min: 1, whole: true }),
  subtopics: numberOption('15', 'subtopics of a topic above which it is put in order anew', { min: 1, whole: true }),
  tokens: numberOption('1000', 'tokens of what is found', { min: 1, whole: true }),
  ratio: numberOption('0.6', 'share of the profile in them; the rest is for events', { min: 0, max: 1 }),
  pick: switchOption('off', 'on: the model picks the slots that bear on a question, one call each'),
  threshold: numberOption('0.2', 'least cosine of an event', { min: 0, max: 1 }),
  days: numberOption('180', 'greatest age of an event', { min: 1, whole: true }),
  temperature: numberOption('0.2', 'of the model', { min: 0, max: 2 }),
})

/** Events found for a question at most. */
const MOST_EVENTS = 60

/** MemoBase: a profile of slots that a model fills and merges, beside a diary of dated events. */
export const memobase = defineSystem({
  name: 'memobase',
  version: '1',
  class: 'processed',
  about: 'MemoBase: a profile in slots that are merged and shortened, and a diary of events; found by token budget.',
  depth: 'fixed',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: {
    store: '3 a conversation that says something new, 1 more for a slot or topic that has grown too large',
    retrieve: '0 (pick=on: 1)',
  },
  papers: ['MemoBase, github.com/memodb-io/memobase'],
  prompts: PROMPTS,
  rehearsal: memobaseRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    'as-in-memora': {
      about: 'the model picks slots for every question, and twice the tokens are found',
      options: { pick: 'on', tokens: '2000' },
    },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const { temperature } = options
    const journal = new Journal()
    const parts: MemobaseParts = {
      context,
      model: askerOf(context, 'memobase'),
      prompts: promptsOf(PROMPTS, context),
      profile: new Profile(idCounter('p', journal), journal),
      gists: new VectorTable<Kept>(context.embed.dimensions, journal),
      nextGist: idCounter('e', journal),
      settings: {
        ...options,
        newSlots: options.topics === 'open',
      },
    }
    const found = {
      tokens: options.tokens,
      ratio: options.ratio,
      pick: options.pick,
      threshold: options.threshold,
      events: MOST_EVENTS,
      days: options.days,
      temperature,
    }
    const { profile, gists, settings } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: (query) => contextFor(query, parts, found),
      dump: async () => [...profile.slots(), ...gists.rows()].map((row) => memoryOf(row)),
      insert: async (memories) => {
        const rows = memories.map(({ id, text, time = '', sources = [] }) => ({ id, text, time, sources }))
        if (!settings.events) {
          for (const row of rows) profile.insert(row)
          return
        }
        const texts = rows.map(({ text }) => text)
        for (const [i, vector] of (await embedAll(context, texts)).entries()) gists.set(rows[i]!, vector)
      },
    }
  },
})
