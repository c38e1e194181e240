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
import { Events } from './events.js'
import { PROMPTS } from './prompts.js'
import { structMemRehearsal } from './rehearsal.js'
import { type StructMemParts, storeConversation } from './store.js'

const OPTIONS = z.object({
  perspectives: choiceOption(['both', 'facts'], 'both', 'what is recorded: both facts and relations, or facts alone'),
  summarise: switchOption('on', 'on: every conversation is summarised together with related events; off'),
  summaries: switchOption('off', 'on: summaries can be found, beside events'),
  update: switchOption('on', 'on: events are changed or deleted in the light of newer ones like them; off'),
  threshold: numberOption('0.9', 'least likeness of events that are compared', { min: -1, max: 1 }),
  seeds: numberOption('15', 'related events looked up for a summary', { min: 0, whole: true }),
  sensory: numberOption('512', 'tokens after which what is said is cut into topics', { min: 0, whole: true }),
  'short-term': numberOption('2000', 'tokens of topics after which events are recorded', { min: 0, whole: true }),
  temperature: numberOption('0.1', 'of the model', { min: 0, max: 2 }),
})

/** StructMem: what the user says is recorded as facts and as relations, summarised, and compared where it is alike. */
export const structMem = defineSystem({
  name: 'structmem',
  version: '1',
  class: 'processed',
  about: 'StructMem: records facts and relations, summarises them by conversation, updates those that are alike.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '3 a conversation, 1 more for each event that newer ones are like', retrieve: '0' },
  papers: ['Xu et al. 2026, StructMem, arXiv:2604.21748'],
  prompts: PROMPTS,
  rehearsal: structMemRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    'with-summaries': { about: 'summaries are found beside events', options: { summaries: 'on' } },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const { threshold } = options
    const journal = new Journal()
    const events = new Events(context.embed.dimensions, threshold, journal)
    const summaries = new VectorTable<Kept>(context.embed.dimensions, journal)
    const findSummaries = options.summaries
    const parts: StructMemParts = {
      context,
      model: askerOf(context, 'structmem'),
      prompts: promptsOf(PROMPTS, context),
      events,
      summaries,
      nextEvent: idCounter('e', journal),
      nextSummary: idCounter('s', journal),
      asked: new Map(),
      journal,
      settings: {
        ...options,
        buffers: { sensory: options.sensory, shortTerm: options['short-term'] },
        relations: options.perspectives === 'both',
      },
    }
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (events.rows.size === 0) return []
        const vector = await embedOne(context, query.text)
        const told = findSummaries ? summaries.nearest(vector, k) : []
        return [...events.rows.nearest(vector, k), ...told]
          .sort((a, b) => b.score - a.score)
          .slice(0, k)
          .map(({ row, score }) => memoryOf(row, score))
      },
      dump: async () => [...events.rows.rows(), ...summaries.rows()].map((row) => memoryOf(row)),
      insert: async (memories) => {
        const vectors = await embedAll(
          context,
          memories.map(({ text }) => text),
        )
        for (const [i, { id, text, time = '', sources = [] }] of memories.entries()) {
          events.add({ id, text, memory: text, moment: Date.parse(time) || 0, time, sources }, vectors[i]!)
        }
      },
    }
  },
})
