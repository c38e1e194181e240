import { z } from 'zod'
import type { Memory, Query } from '../../model/index.js'
import { embedOne, memoryOf, type Near, numbered } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { fold, KINDS, type MemosParts, type Node } from './store.js'

const Parsed = z.object({ keys: z.array(z.string()), tags: z.array(z.string()) })

/** The memories nearest in meaning, and with `fine` those whose key or tags the model names. With preferences, half of the places are theirs. */
export async function search(query: Query, k: number, parts: MemosParts): Promise<Memory[]> {
  const { context, nodes, preferences, settings } = parts
  if (nodes.size + preferences.size === 0) return []
  const vector = await embedOne(context, query.text)
  const forMemories = settings.preferences ? Math.ceil(k / 2) : k
  const matched = settings.search === 'fine' ? await matches(query, parts) : []
  const found = new Map<string, Near<Node>>()
  for (const kind of KINDS) {
    const near = nodes.nearest(vector, FIXED.poolTimes * forMemories, (node) => node.kind === kind && !node.archived)
    for (const hit of near) found.set(hit.row.id, hit)
  }
  for (const row of matched) found.set(row.id, { row, score: nodes.similarity(vector, row.id)! })
  const memories = distinct([...found.values()].sort((a, b) => b.score - a.score)).slice(0, forMemories)
  const liked = settings.preferences ? preferences.nearest(vector, k - forMemories) : []
  return [...memories, ...liked].sort((a, b) => b.score - a.score).map(({ row, score }) => memoryOf(row, score))
}

async function matches(query: Query, { model, nodes }: MemosParts): Promise<Node[]> {
  const data = { question: numbered([query.text]) }
  const reply = await model.ask('parse', Parsed, { role: 'retrieve', data })
  const keys = new Set(reply.keys.map(fold))
  const tags = new Set(reply.tags.map(fold))
  return nodes
    .rows()
    .filter(({ archived }) => !archived)
    .filter((node) => keys.has(node.key) || node.tags.filter((tag) => tags.has(tag)).length >= FIXED.commonTags)
}

/** The first of those with the same text. */
function distinct<T extends { row: Node }>(hits: readonly T[]): T[] {
  const texts = new Set<string>()
  return hits.filter(({ row }) => !texts.has(row.text) && texts.add(row.text))
}
