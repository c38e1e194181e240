import type { Conversation } from '../../model/index.js'
import { embedAll, isSilent, withSource } from '../parts/index.js'
import { type Compared, compare, factsOf, type Stated } from './edges.js'
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
  const vectors = await embedAll(parts.context, facts)
  // All are compared before any is kept, so that they do not see each other.
  const compared = await Promise.all(facts.map((fact, i) => compare(fact, vectors[i]!, parts)))
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
  // An edge may have ended since facts were compared.
  const current = contradicted.filter((edge) => edge.id !== stated.id).map((edge) => graph.edges.get(edge.id)!)
  const { edge, ended } = invalidate(stated, settings.invalidate ? current : [], time)
  for (const old of ended) graph.setEdge(old)
  graph.setEdge(edge, known ? undefined : vector)
  return edge
}
