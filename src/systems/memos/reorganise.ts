import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import { cosineOfScore, embedOne, minuteOf } from '../parts/index.js'
import type { MemosParts, Node } from './store.js'

const Relation = z.object({ relation: z.enum(['contradictory', 'redundant', 'independent']) })
const Fused = z.object({ statement: z.string().nullable() })

/** Compares a new memory with those very like it, one call each. Two that clash become one; when that cannot be settled, the older is deleted. */
export async function reorganise(node: Node, parts: MemosParts): Promise<void> {
  const { model, nodes, settings } = parts
  const vector = nodes.vectorOf(node.id)
  if (!vector) return
  const near = nodes
    .nearest(vector, settings.neighbours + 1, ({ archived }) => !archived)
    .filter(({ row, score }) => row.id !== node.id && score >= cosineOfScore(settings.near))
    .slice(0, settings.neighbours)
  const clashes: { other: Node; relation: string }[] = []
  for (const { row } of near) {
    const { relation } = await model.ask('relate', Relation, { data: { statements: shown(row, node) } })
    if (relation !== 'independent') clashes.push({ other: row, relation })
  }
  for (const { other, relation } of clashes) {
    const [mine, theirs] = [nodes.get(node.id), nodes.get(other.id)]
    if (mine && theirs && !mine.archived && !theirs.archived) await settle(theirs, mine, relation, parts)
  }
}

async function settle(earlier: Node, later: Node, relation: string, parts: MemosParts): Promise<void> {
  const { context, model, nodes, nextId } = parts
  const { statement } = await model.ask('fuse', Fused, {
    data: { statements: shown(earlier, later), relation: item('-', relation) },
  })
  const text = statement?.trim() ?? ''
  if (text === '') {
    nodes.delete(earlier.id)
    return
  }
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
