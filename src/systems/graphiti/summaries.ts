import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { withSource } from '../parts/index.js'
import { FIXED } from './fixed.js'
import type { Edge, GraphNode } from './graph.js'
import type { GraphitiParts } from './parts.js'

const Summaries = z.object({ summaries: z.array(z.object({ number: z.number().int(), summary: z.string() })) })

/** Adds facts to what is known of their entities. Where that grows too long, the model writes it anew; one that it leaves out stays as it was. */
export async function summarise(
  edges: readonly Edge[],
  conversation: Conversation,
  parts: GraphitiParts,
): Promise<void> {
  const { graph, settings } = parts
  const gathered = new Map<string, string[]>()
  for (const { source, target, text } of edges) {
    for (const id of [source, target]) {
      const { summary } = graph.nodes.get(id)!
      const lines = gathered.get(id) ?? (summary === '' ? [] : summary.split('\n'))
      gathered.set(id, lines.includes(text) ? lines : [...lines, text])
    }
  }
  const long: { node: GraphNode; summary: string }[] = []
  for (const [id, lines] of gathered) {
    const node = graph.nodes.get(id)!
    const summary = lines.join('\n')
    if (summary.length > FIXED.summarySlack * settings.summary) long.push({ node, summary })
    else graph.setNode(knownAs(node, summary, conversation))
  }
  for (let from = 0; from < long.length; from += FIXED.summaryBatch)
    await rewrite(long.slice(from, from + FIXED.summaryBatch), conversation, parts)
}

async function rewrite(
  long: readonly { node: GraphNode; summary: string }[],
  conversation: Conversation,
  { graph, model, settings }: GraphitiParts,
): Promise<void> {
  const shown = long.map(({ node, summary }, i) => `${item(`[${i}]`, node.name)}\n${field('known', summary)}`)
  const { summaries } = await model.ask('summarise', Summaries, {
    values: { most: settings.summary },
    data: { entities: shown.join('\n') },
  })
  for (const { number, summary } of summaries) {
    const node = long[number]?.node
    if (node && summary.trim() !== '')
      graph.setNode(knownAs(node, summary.trim().slice(0, settings.summary), conversation))
  }
}

function knownAs(node: GraphNode, summary: string, { id, time }: Conversation): GraphNode {
  return { ...node, summary, text: `${node.name}: ${summary}`, time, sources: withSource(node.sources, id) }
}
