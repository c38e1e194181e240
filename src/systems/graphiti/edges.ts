import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { bulleted, numbered } from '../parts/index.js'
import type { Edge, GraphNode } from './graph.js'
import { nameKey } from './names.js'
import { conversationPromptData, type GraphitiParts } from './parts.js'
import { timeIn } from './validity.js'

const Edges = z.object({
  edges: z.array(
    z.object({
      source: z.string(),
      target: z.string(),
      relation: z.string(),
      fact: z.string(),
      valid_at: z.string().nullable(),
      invalid_at: z.string().nullable(),
    }),
  ),
})

const Comparison = z.object({ duplicates: z.array(z.number().int()), contradicted: z.array(z.number().int()) })

/** A fact that a conversation states, before the graph has it. */
export type Stated = Omit<Edge, 'id' | 'expiredAt'>

/** What a stated fact is to those that are known. */
export interface Compared {
  duplicate: Edge | null
  contradicted: Edge[]
}

/** The facts of a conversation. Those between entities that were not listed, and of one with itself, are passed over. */
export async function factsOf(
  conversation: Conversation,
  entities: ReadonlyMap<string, GraphNode>,
  parts: GraphitiParts,
): Promise<Stated[]> {
  const { model, settings, context } = parts
  const wording = model.prompt(settings.wording === 'exact' ? 'wording-exact' : 'wording-paraphrase')
  const names = [...entities.values()].map(({ name }) => name)
  const { edges } = await model.ask('edges', Edges, {
    values: { time: conversation.time, wording },
    data: { ...conversationPromptData(conversation, parts), entities: bulleted(names) },
  })
  const stated = new Map<string, Stated>()
  for (const edge of edges) {
    const [source, target] = [nodeNamed(edge.source, entities), nodeNamed(edge.target, entities)]
    const text = edge.fact.trim()
    if (!source || !target || source.id === target.id || text === '') {
      context.log(`graphiti: a fact between "${edge.source}" and "${edge.target}" is passed over`)
      continue
    }
    const fact: Stated = {
      text,
      time: conversation.time,
      sources: [conversation.id],
      source: source.id,
      target: target.id,
      relation: edge.relation,
      validAt: timeIn(edge.valid_at),
      invalidAt: timeIn(edge.invalid_at),
    }
    stated.set(JSON.stringify([source.id, target.id, nameKey(text)]), fact)
  }
  return [...stated.values()]
}

/** Compares a fact with what was known before its conversation. */
export async function compare(fact: Stated, vector: Float32Array, parts: GraphitiParts): Promise<Compared> {
  const { graph, model, settings } = parts
  const same = graph.edgesBetween(fact.source, fact.target, vector, settings.candidates)
  const verbatim = same.find(({ text }) => nameKey(text) === nameKey(fact.text))
  if (verbatim) return { duplicate: verbatim, contradicted: [] }
  const others = graph
    .edgesLike(fact.text, vector, settings.candidates)
    .map(({ row }) => row)
    .filter(({ id }) => !same.some((edge) => edge.id === id))
  const shown = [...same, ...others]
  if (shown.length === 0) return { duplicate: null, contradicted: [] }
  const { duplicates, contradicted } = await model.ask('compare', Comparison, {
    data: { same: numbered(same), others: numbered(others, same.length), fact: item('-', fact.text) },
  })
  // Numbers that were not shown are passed over, and so are duplicates among the others, as Graphiti does.
  return {
    duplicate: duplicates.flatMap((number) => same[number] ?? [])[0] ?? null,
    contradicted: [...new Set(contradicted)].flatMap((number) => shown[number] ?? []),
  }
}

function nodeNamed(name: string, entities: ReadonlyMap<string, GraphNode>): GraphNode | undefined {
  return entities.get(nameKey(name)) ?? [...entities.values()].find((node) => nameKey(node.name) === nameKey(name))
}
