import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, withDefaults } from '../options.js'
import { askerOf, embedAll, idCounter, Journal, type Kept, memoryOf, promptsOf, VectorTable } from '../parts/index.js'
import { Profile } from './profile.js'
import { PROMPTS } from './prompts.js'
import { memobaseRehearsal } from './rehearsal.js'
import { contextFor } from './retrieve.js'
import { type MemobaseParts, storeConversation } from './store.js'

const OPTIONS = {
  events: { default: 'on', about: 'on: diary entries are kept and found beside the profile; off' },
  topics: { default: 'open', about: 'open, or strict: only slots of the guide' },
  window: { default: '16384', about: 'tokens of a conversation that are read, the newest' },
  resummary: { default: 'on', about: 'on: memos that have grown too long are written anew and cut; off' },
  slot: { default: '128', about: 'tokens of a memo above which it is written anew' },
  summary: { default: '64', about: 'tokens of a memo that was written anew, at most' },
  subtopics: { default: '15', about: 'subtopics of a topic above which it is put in order anew' },
  tokens: { default: '1000', about: 'tokens of what is found' },
  ratio: { default: '0.6', about: 'share of the profile in them; the rest is for events' },
  pick: { default: 'off', about: 'on: the model picks the slots that bear on a question, one call each' },
  threshold: { default: '0.2', about: 'least cosine of an event' },
  days: { default: '180', about: 'greatest age of an event' },
  temperature: { default: '0.2', about: 'of the model' },
} as const

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
  options: OPTIONS,
  variants: {
    'as-in-memora': {
      about: 'the model picks slots for every question, and twice the tokens are found',
      options: { pick: 'on', tokens: '2000' },
    },
  },
  create: (context, given) => {
    const options = withDefaults(OPTIONS, given)
    const on = (key: 'events' | 'resummary' | 'pick') => choiceOption(options, key, ['on', 'off']) === 'on'
    const count = (key: keyof typeof OPTIONS) => numberOption(options, key, { min: 1, whole: true })
    const temperature = numberOption(options, 'temperature', { min: 0, max: 2 })
    const journal = new Journal()
    const parts: MemobaseParts = {
      context,
      model: askerOf(context, 'memobase'),
      prompts: promptsOf(PROMPTS, context),
      profile: new Profile(idCounter('p', journal), journal),
      gists: new VectorTable<Kept>(context.embed.dimensions, journal),
      nextGist: idCounter('e', journal),
      settings: {
        events: on('events'),
        newSlots: choiceOption(options, 'topics', ['open', 'strict']) === 'open',
        window: count('window'),
        resummary: on('resummary'),
        slot: count('slot'),
        summary: count('summary'),
        subtopics: count('subtopics'),
        temperature,
      },
    }
    const found = {
      tokens: count('tokens'),
      ratio: numberOption(options, 'ratio', { min: 0, max: 1 }),
      pick: on('pick'),
      threshold: numberOption(options, 'threshold', { min: 0, max: 1 }),
      events: MOST_EVENTS,
      days: count('days'),
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
