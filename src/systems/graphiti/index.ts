import { defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, withDefaults } from '../options.js'
import { askerOf, embedAll, embedOne, idCounter, Journal, memoryOf, promptsOf } from '../parts/index.js'
import { edgeMemory, Graph } from './graph.js'
import type { GraphitiParts } from './parts.js'
import { PROMPTS } from './prompts.js'
import { graphitiRehearsal } from './rehearsal.js'
import { storeConversation } from './store.js'

const OPTIONS = {
  wording: { default: 'exact', about: 'exact: facts carry every detail; paraphrase: in other words, without quotes' },
  invalidate: { default: 'on', about: 'on: facts end when a new one contradicts them; off: nothing ever ends' },
  summaries: { default: 'on', about: 'on: what is known of an entity is gathered beside the facts; off' },
  summary: { default: '500', about: 'characters of what is written of an entity; twice as many are gathered before' },
  threshold: { default: '0.6', about: 'least cosine of what is found by meaning' },
  candidates: { default: '10', about: 'entities or facts that a new one is compared with, of each kind' },
  earlier: { default: '10', about: 'earlier conversations shown when one is read' },
  temperature: { default: '0', about: 'of the model' },
} as const

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
  options: OPTIONS,
  variants: {
    paraphrase: {
      about: 'facts in other words, never quoted: as up to version 0.28.2, and in MEME',
      options: { wording: 'paraphrase' },
    },
  },
  create: (context, given) => {
    const options = withDefaults(OPTIONS, given)
    const on = (key: 'invalidate' | 'summaries') => choiceOption(options, key, ['on', 'off']) === 'on'
    const journal = new Journal()
    const threshold = numberOption(options, 'threshold', { min: -1, max: 1 })
    const graph = new Graph(context.embed.dimensions, threshold, journal)
    const parts: GraphitiParts = {
      context,
      model: askerOf(context, 'graphiti'),
      prompts: promptsOf(PROMPTS, context),
      graph,
      episodes: [],
      nextNode: idCounter('n', journal),
      nextEdge: idCounter('e', journal),
      settings: {
        wording: choiceOption(options, 'wording', ['exact', 'paraphrase']),
        invalidate: on('invalidate'),
        summaries: on('summaries'),
        summary: numberOption(options, 'summary', { min: 50, whole: true }),
        candidates: numberOption(options, 'candidates', { min: 1, whole: true }),
        earlier: numberOption(options, 'earlier', { min: 0, whole: true }),
        temperature: numberOption(options, 'temperature', { min: 0, max: 2 }),
      },
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
