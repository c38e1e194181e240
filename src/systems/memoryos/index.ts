import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { numberOption, optionTable, readOptions } from '../options.js'
import { askerOf, embedAll, idCounter, isSilent, Journal, promptsOf } from '../parts/index.js'
import { PROMPTS } from './prompts.js'
import { memoryosRehearsal } from './rehearsal.js'
import { recall } from './retrieve.js'
import { copyOf, dumpOf, emptyState, pagesOf, type State } from './state.js'
import { addPage, type MemoryosParts } from './store.js'

const OPTIONS = z.object({
  short: numberOption('10', 'exchanges in short-term memory', { min: 1, whole: true }),
  sessions: numberOption('2000', 'sessions in mid-term memory; the least found is evicted; 0: no limit', {
    min: 0,
    whole: true,
  }),
  join: numberOption('0.6', 'likeness (cosine and shared keywords) from which an exchange joins a session', {
    min: 0,
    max: 2,
  }),
  heat: numberOption('5', 'heat from which a session is analysed for long-term memory', { min: 0 }),
  knowledge: numberOption('100', 'entries of each list of knowledge; the oldest go first', { min: 1, whole: true }),
  looked: numberOption('5', 'sessions looked into for a question', { min: 1, whole: true }),
  pages: numberOption('7', 'exchanges found in them', { min: 1, whole: true }),
  found: numberOption('20', 'entries found in each list of knowledge', { min: 1, whole: true }),
  temperature: numberOption('0.7', 'of the steps that write themes, profile and knowledge', { min: 0, max: 2 }),
})

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
  options: optionTable(OPTIONS),
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
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
      settings: options,
    }
    const found = { looked: options.looked, pages: options.pages, found: options.found }
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
