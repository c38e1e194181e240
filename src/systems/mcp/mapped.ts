import { words } from '../../base/text.js'
import type { Conversation, Memory, MemorySystem, Query } from '../../model/index.js'
import { dayOf, isSilent } from '../parts/index.js'
import { fill, type Mapping } from './mapping.js'
import { memoriesIn } from './results.js'
import type { McpServer } from './server.js'

/** A memory whose tools are called as a mapping says, and in no other way. */
export function mappedMemory(server: McpServer, mapping: Mapping, namespace: string): MemorySystem {
  const { store, find, list } = mapping
  const stored = new Set<string>()
  if (!find) throw new Error('Expected a mapping with "find"')
  return {
    store: async (conversation) => {
      if (isSilent(conversation)) return
      stored.add(conversation.id)
      for (const { tool, arguments: given, each } of store) {
        for (const values of valuesOf(conversation, mapping, each))
          await server.call(tool, fill(given, { ...values, namespace }))
      }
    },
    retrieve: async (query, k) => {
      const found = new Map<string, { memory: Memory; times: number }>()
      for (const text of find.each === 'word' ? new Set(words(query.text)) : [query.text]) {
        const values = { query: text, k, ...timesOf(query), namespace }
        const result = await server.call(find.tool, fill(find.arguments, values))
        for (const memory of memoriesIn(result, find.memories ?? mapping.memories, stored)) {
          const times = (found.get(memory.id)?.times ?? 0) + 1
          found.set(memory.id, { memory: found.get(memory.id)?.memory ?? memory, times })
        }
      }
      const all = [...found.values()]
      // Asked word by word, what more words find comes first; scores of different searches cannot be compared.
      const best =
        find.each === 'word'
          ? all.sort((a, b) => b.times - a.times).map(({ memory, times }) => ({ ...memory, score: times }))
          : all.map(({ memory }) => memory)
      return best.slice(0, k)
    },
    ...(list && { dump: () => listed(server, mapping, namespace, stored) }),
    close: () => server.close(),
  }
}

/** Everything that a server lists. */
export async function listed(
  server: McpServer,
  { list, memories }: Mapping,
  namespace: string,
  stored: ReadonlySet<string>,
): Promise<Memory[]> {
  const result = await server.call(list!.tool, fill(list!.arguments, { namespace }))
  return memoriesIn(result, list!.memories ?? memories, stored)
}

function valuesOf(conversation: Conversation, { turn }: Mapping, each: 'turn' | undefined): Record<string, unknown>[] {
  const { id, turns } = conversation
  const said = turns.filter(({ text }) => text.trim() !== '')
  const shared = { conversation: id, ...timesOf(conversation) }
  const lines = said.map((one) => fill(turn, { ...one, ...shared }))
  if (each === 'turn') return said.map(({ role }, i) => ({ ...shared, role, text: lines[i], turns: [lines[i]] }))
  return [{ ...shared, text: lines.join('\n'), turns: lines }]
}

function timesOf({ time }: Pick<Conversation | Query, 'time'>): { time: string; day: string } {
  return { time, day: dayOf(time) }
}
