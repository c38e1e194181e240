import { defineSystem } from '../../model/index.js'
import { numberOption, withDefaults } from '../options.js'
import { askerOf, embedAll, idCounter, isSilent, Journal, promptsOf } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { memoryosRehearsal } from './rehearsal.js'
import { recall } from './retrieve.js'
import { copyOf, dumpOf, emptyState, pagesOf, type State } from './state.js'
import { addPage, type MemoryosParts } from './store.js'

const OPTIONS = {
  short: { default: '10', about: 'exchanges in short-term memory' },
  sessions: { default: '2000', about: 'sessions in mid-term memory; the least found is evicted; 0: no limit' },
  join: { default: '0.6', about: 'likeness (cosine and shared keywords) from which an exchange joins a session' },
  heat: { default: '5', about: 'heat from which a session is analysed for long-term memory' },
  knowledge: { default: '100', about: 'entries of each list of knowledge; the oldest go first' },
  looked: { default: '5', about: 'sessions looked into for a question' },
  pages: { default: '7', about: 'exchanges found in them' },
  found: { default: '20', about: 'entries found in each list of knowledge' },
  temperature: { default: '0.7', about: 'of the steps that write themes, profile and knowledge' },
} as const

/** MemoryOS: exchanges move from short-term to mid-term memory by age, and from there to long-term memory by heat. */
export const memoryos = defineSystem({
  name: 'memoryos',
  version: '1',
  class: 'processed',
  about: 'MemoryOS: exchanges age into themed sessions; hot sessions feed a profile and lists of knowledge.',
  depth: 'fixed',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '0 for the first 10 exchanges, then 3 an exchange, 2 more when a session is hot', retrieve: '0' },
  papers: ['Kang et al. 2025, Memory OS of AI Agent, arXiv:2506.06326'],
  prompts: PROMPTS,
  rehearsal: memoryosRehearsal,
  options: OPTIONS,
  create: (context, given) => {
    const options = withDefaults(OPTIONS, given)
    const count = (key: keyof typeof OPTIONS, min = 1) => numberOption(options, key, { min, whole: true })
    const journal = new Journal()
    const nextPage = idCounter('p', journal)
    const parts: MemoryosParts = {
      context,
      model: askerOf(context, 'memoryos'),
      prompts: promptsOf(PROMPTS, context),
      state: emptyState(),
      nextId: {
        session: idCounter('s', journal),
        user: idCounter('u', journal),
        assistant: idCounter('a', journal),
        chain: idCounter('c', journal),
      },
      settings: {
        short: count('short'),
        sessions: count('sessions', 0),
        join: numberOption(options, 'join', { min: 0, max: 2 }),
        heat: numberOption(options, 'heat', { min: 0 }),
        knowledge: count('knowledge'),
        temperature: numberOption(options, 'temperature', { min: 0, max: 2 }),
      },
    }
    const found = { looked: count('looked'), pages: count('pages'), found: count('found') }
    return {
      store: (conversation) =>
        journal.atomically(async () => {
          if (isSilent(conversation)) return
          journal.keep(parts, 'state')
          parts.state = copyOf(parts.state)
          for (const page of pagesOf(conversation, nextPage)) await addPage(page, parts)
        }),
      retrieve: (query) => recall(query, parts.state, context, found),
      dump: async () => dumpOf(parts.state),
      insert: async (memories) => {
        const texts = memories.map(({ text }) => text)
        const vectors = await embedAll(context, texts)
        const rows = memories.map(({ id, text, time = '', sources = [] }, i) => ({
          id,
          text,
          time,
          sources,
          vector: vectors[i]!,
        }))
        parts.state.user = [...parts.state.user, ...rows]
      },
      snapshot: async () => copyOf(parts.state),
      restore: async (snapshot) => {
        // Only what `snapshot` gave comes back.
        parts.state = copyOf(snapshot as State)
      },
    }
  },
})
