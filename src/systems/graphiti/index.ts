import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedOne, memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { edgeMemory } from './graph.js'
import { OPTIONS, partsOf } from './parts.js'
import { PROMPTS } from './prompts.js'
import { graphitiRehearsal } from './rehearsal.js'
import { storeConversation } from './store.js'

/** Graphiti: a graph of entities and dated facts, in which a fact that is contradicted ends and stays. */
export const graphiti = defineSystem({
  name: 'graphiti',
  version: '2',
  class: 'processed',
  about: 'Graphiti: entities and facts between them with times of validity; contradicted facts end but stay.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '2 to 4 a conversation, and 1 a fact', retrieve: '0' },
  papers: ['Rasmussen et al. 2025, Zep, arXiv:2501.13956'],
  paperK: { meme: 10 },
  prompts: PROMPTS,
  rehearsal: graphitiRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    exact: {
      about: 'facts carry every detail that was given: as from version 0.29 on',
      options: { wording: 'exact' },
    },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { graph, journal } = parts
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (graph.edges.size === 0) return []
        const found = graph.edgesLike(query.text, await embedOne(context, query.text), k)
        return found.map(({ row, score }) => edgeMemory(row, score))
      },
      dump: async () => {
        const known = graph.nodes.rows().filter(({ summary }) => summary !== '')
        return [...graph.edges.rows().map((edge) => edgeMemory(edge)), ...known.map((node) => memoryOf(node))]
      },
      insert: (memories) =>
        setAll(context, memories.map(rowOfMemory), (row, vector) => {
          const open = { source: '', target: '', relation: '', validAt: null, invalidAt: null, expiredAt: null }
          graph.setEdge({ ...row, ...open }, vector)
        }),
    }
  },
})
