import { z } from 'zod'
import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import { askerOf, embedAll, embedOne, idCounter, Journal, memoryOf, promptsOf } from '../parts/index.js'
import { edgeMemory, MemoryGraph } from './graph.js'
import type { GraphitiParts } from './parts.js'
import { PROMPTS } from './prompts.js'
import { graphitiRehearsal } from './rehearsal.js'
import { storeConversation } from './store.js'

const OPTIONS = z.object({
  wording: choiceOption(
    ['exact', 'paraphrase'],
    'exact',
    'exact: facts carry every detail; paraphrase: in other words, without quotes',
  ),
  invalidate: switchOption('on', 'on: facts end when a new one contradicts them; off: nothing ever ends'),
  summaries: switchOption('on', 'on: what is known of an entity is gathered beside the facts; off'),
  summary: numberOption('500', 'characters of what is written of an entity; twice as many are gathered before', {
    min: 50,
    whole: true,
  }),
  threshold: numberOption('0.6', 'least cosine of what is found by meaning', { min: -1, max: 1 }),
  candidates: numberOption('10', 'entities or facts that a new one is compared with, of each kind', {
    min: 1,
    whole: true,
  }),
  earlier: numberOption('10', 'earlier conversations shown when one is read', { min: 0, whole: true }),
  temperature: numberOption('0', 'of the model', { min: 0, max: 2 }),
})

/** Graphiti: a graph of entities and dated facts, in which a fact that is contradicted ends and stays. */
export const graphiti = defineSystem({
  name: 'graphiti',
  version: '1',
  class: 'processed',
  about: 'Graphiti: entities and facts between them with times of validity; contradicted facts end but stay.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '2 to 4 a conversation, and 1 a fact', retrieve: '0' },
  papers: ['Rasmussen et al. 2025, Zep, arXiv:2501.13956'],
  prompts: PROMPTS,
  rehearsal: graphitiRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    paraphrase: {
      about: 'facts in other words, never quoted: as up to version 0.28.2, and in MEME',
      options: { wording: 'paraphrase' },
    },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const journal = new Journal()
    const { threshold } = options
    const graph = new MemoryGraph(context.embed.dimensions, threshold, journal)
    const parts: GraphitiParts = {
      context,
      model: askerOf(context, 'graphiti'),
      prompts: promptsOf(PROMPTS, context),
      graph,
      episodes: [],
      nextNode: idCounter('n', journal),
      nextEdge: idCounter('e', journal),
      settings: options,
    }
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (graph.edges.size === 0) return []
        const found = graph.edgesLike(query.text, await embedOne(context, query.text), k)
        return found.map(({ edge, score }) => edgeMemory(edge, score))
      },
      dump: async () => [
        ...graph.edges.rows().map((edge) => edgeMemory(edge)),
        ...graph.nodes
          .rows()
          .filter(({ summary }) => summary !== '')
          .map((node) => memoryOf(node)),
      ],
      insert: async (memories) => {
        const vectors = await embedAll(
          context,
          memories.map(({ text }) => text),
        )
        for (const [i, { id, text, time = '', sources = [] }] of memories.entries()) {
          const open = { source: '', target: '', relation: '', validAt: null, invalidAt: null, expiredAt: null }
          graph.setEdge({ id, text, time, sources, ...open }, vectors[i]!)
        }
      },
    }
  },
})
