import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { bulleted, embedAll, numbered } from '../parts/index.js'
import type { GraphNode } from './graph.js'
import { isNearlySame, nameKey } from './names.js'
import { conversationPromptData, type GraphitiParts } from './parts.js'

const Entities = z.object({ entities: z.array(z.object({ name: z.string() })) })

const Resolutions = z.object({ resolutions: z.array(z.object({ name: z.string(), same_as: z.number().int() })) })

/** A name that came up, with the entities it may mean. */
interface Mention {
  name: string
  vector: Float32Array
  candidates: GraphNode[]
}

/** The entities of a conversation under the key of the name they go by in it; known ones where a name means one. */
export async function entitiesOf(conversation: Conversation, parts: GraphitiParts): Promise<Map<string, GraphNode>> {
  const { context, graph, settings } = parts
  const names = await extract(conversation, parts)
  const vectors = await embedAll(context, names)
  const mentions = names.map((name, i): Mention => {
    const vector = vectors[i]!
    return { name, vector, candidates: graph.nodesLike(name, vector, settings.candidates) }
  })
  const open: Mention[] = []
  const found = new Map<string, GraphNode>()
  for (const mention of mentions) {
    const known = byLetters(mention)
    if (known === 'unclear') open.push(mention)
    else if (known) found.set(nameKey(mention.name), known)
  }
  for (const [key, node] of await resolve(open, parts)) found.set(key, node)
  return new Map(
    mentions.map((mention) => {
      const key = nameKey(mention.name)
      return [key, found.get(key) ?? added(mention, conversation, parts)]
    }),
  )
}

async function extract(conversation: Conversation, parts: GraphitiParts): Promise<string[]> {
  const { entities } = await parts.model.ask('entities', Entities, {
    data: conversationPromptData(conversation, parts),
  })
  const byKey = new Map<string, string>()
  for (const name of entities.map((entity) => entity.name.trim())) {
    if (name !== '' && !byKey.has(nameKey(name))) byKey.set(nameKey(name), name)
  }
  return [...byKey.values()]
}

/** What letters alone decide: a known entity, a new one (null), or that the model has to say. */
function byLetters({ name, candidates }: Mention): GraphNode | null | 'unclear' {
  if (candidates.length === 0) return null
  const equal = candidates.filter((node) => nameKey(node.name) === nameKey(name))
  if (equal.length === 1) return equal[0]!
  if (equal.length > 1) return 'unclear'
  return candidates.find((node) => isNearlySame(node.name, name)) ?? 'unclear'
}

/** Numbers and names that were not shown are passed over: such a name is a new entity, as it is in Graphiti. */
async function resolve(open: readonly Mention[], parts: GraphitiParts): Promise<Map<string, GraphNode>> {
  if (open.length === 0) return new Map()
  const shown = [...new Map(open.flatMap(({ candidates }) => candidates).map((node) => [node.id, node])).values()]
  const { resolutions } = await parts.model.ask('resolve', Resolutions, {
    data: { existing: numbered(shown.map(({ name }) => name)), names: bulleted(open.map(({ name }) => name)) },
  })
  const asked = new Set(open.map(({ name }) => nameKey(name)))
  return new Map(
    resolutions.flatMap(({ name, same_as }) => {
      const node = shown[same_as]
      return node && asked.has(nameKey(name)) ? [[nameKey(name), node] as const] : []
    }),
  )
}

function added({ name, vector }: Mention, { id, time }: Conversation, { graph, nextNode }: GraphitiParts): GraphNode {
  const node: GraphNode = { id: nextNode(), text: name, name, summary: '', time, sources: [id] }
  graph.setNode(node, vector)
  return node
}
