import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import { embedOne, minuteOf } from '../parts/index.js'
import type { MemosParts, Node } from './store.js'

const Relation = z.object({ relation: z.enum(['contradictory', 'redundant', 'independent']) })
const Fused = z.object({ statement: z.string().nullable() })

type Clash = 'contradictory' | 'redundant'

/**
 * Compares a new memory with those very like it, one call each. Two that clash become one, which takes their place; when that cannot
 * be settled, the older is deleted.
 */
export async function reorganise(node: Node, parts: MemosParts): Promise<void> {
  const { nodes, settings } = parts
  const vector = nodes.vectorOf(node.id)
  if (!vector) return
  const near = nodes
    .nearest(vector, settings.neighbours + 1, ({ archived }) => !archived)
    .filter(({ row, score }) => row.id !== node.id && score >= settings.near)
    .slice(0, settings.neighbours)
  const clashes: { other: Node; relation: Clash }[] = []
  for (const { row } of near) {
    const relation = await relate(row, node, parts)
    if (relation !== 'independent') clashes.push({ other: row, relation })
  }
  for (const { other, relation } of clashes) {
    const [mine, theirs] = [nodes.get(node.id), nodes.get(other.id)]
    if (mine && theirs && !mine.archived && !theirs.archived) await settle(theirs, mine, relation, parts)
  }
}

async function relate(earlier: Node, later: Node, { model, prompts, settings }: MemosParts) {
  const { relation } = await model.ask({
    step: 'relate',
    role: 'ingest',
    system: prompts.text('relate'),
    data: { statements: shown(earlier, later) },
    schema: Relation,
    temperature: settings.temperature,
  })
  return relation
}

async function settle(earlier: Node, later: Node, relation: Clash, parts: MemosParts): Promise<void> {
  const { context, model, prompts, nodes, nextId, settings } = parts
  const { statement } = await model.ask({
    step: 'fuse',
    role: 'ingest',
    system: prompts.text('fuse'),
    data: { statements: shown(earlier, later), relation: item('-', relation) },
    schema: Fused,
    temperature: settings.temperature,
  })
  if (statement === null || statement.trim() === '') {
    nodes.delete(earlier.id)
    return
  }
  const text = statement.trim()
  const sources = [...new Set([...earlier.sources, ...later.sources])]
  const tags = [...new Set([...later.tags, ...earlier.tags])]
  nodes.set({ ...later, id: nextId.node(), text, sources, tags }, await embedOne(context, text))
  for (const node of [earlier, later]) nodes.set({ ...node, archived: true })
}

function shown(...statements: Node[]): string {
  return statements
    .map(({ text, time }, i) => [item(`[${i}]`, text), field('time', minuteOf(time))].join('\n'))
    .join('\n')
}
