import type { Conversation } from '../../model/index.js'
import { isSilent, withSource } from '../parts/index.js'
import { type Compared, compareAll, factsOf, type Stated, vectorsOf } from './edges.js'
import { entitiesOf } from './entities.js'
import type { Edge } from './graph.js'
import type { GraphitiParts } from './parts.js'
import { summarise } from './summaries.js'
import { invalidate } from './validity.js'

/** Entities, then facts between them, each compared with what is known; then what is known of the entities. */
export async function storeConversation(conversation: Conversation, parts: GraphitiParts): Promise<void> {
  if (isSilent(conversation)) return
  const entities = await entitiesOf(conversation, parts)
  const facts = entities.size > 1 ? await factsOf(conversation, entities, parts) : []
  const vectors = await vectorsOf(facts, parts)
  const compared = await compareAll(facts, vectors, parts)
  const kept = facts.map((fact, i) => keep(fact, vectors[i]!, compared[i]!, conversation, parts))
  if (parts.settings.summaries) await summarise(kept, conversation, parts)
  parts.episodes.push(conversation)
  if (parts.episodes.length > parts.settings.earlier) parts.episodes.shift()
}

function keep(
  fact: Stated,
  vector: Float32Array,
  { duplicate, contradicted }: Compared,
  { id, time }: Conversation,
  { graph, nextEdge, settings }: GraphitiParts,
): Edge {
  const known = duplicate && graph.edges.get(duplicate.id)!
  const stated: Edge = known
    ? { ...known, sources: withSource(known.sources, id) }
    : { ...fact, id: nextEdge(), expiredAt: null }
  // Facts of one conversation are compared before any is kept: an edge may have ended by now.
  const current = contradicted.filter((edge) => edge.id !== stated.id).map((edge) => graph.edges.get(edge.id)!)
  const { edge, ended } = invalidate(stated, settings.invalidate ? current : [], time)
  for (const old of ended) graph.setEdge(old)
  if (known) graph.setEdge(edge)
  else graph.setEdge(edge, vector)
  return edge
}
