import { z } from 'zod'
import { shortened } from '../../base/text.js'
import type { JsonSchema, Memory, MemorySystem } from '../../model/index.js'
import {
  isSilent,
  keepWithTools,
  lookUpWithTools,
  showData,
  type Tool,
  ToolError,
  type ToolLoop,
} from '../parts/index.js'
import type { McpTool } from './client.js'
import { listed } from './mapped.js'
import type { Mapping } from './mapping.js'
import { memoriesIn } from './results.js'
import { type McpServer, RefusedError, type ToolResult } from './server.js'

/** Characters of a result that a model is shown. */
const MOST_SHOWN = 50_000

/** A memory whose tools a model calls by itself: all of them to store, and to look things up those that only read. */
export function drivenMemory(server: McpServer, mapping: Mapping, namespace: string, loop: ToolLoop): MemorySystem {
  const stored = new Set<string>()
  const shapesOf = (tool: string) =>
    [mapping.find, mapping.list].find((reading) => reading?.tool === tool)?.memories ?? mapping.memories
  return {
    store: async (conversation) => {
      if (isSilent(conversation)) return
      stored.add(conversation.id)
      await keepWithTools(conversation, toolsOf(server, server.tools), loop)
    },
    retrieve: async (query, k) => {
      const found = new Map<string, Memory>()
      const tools = toolsOf(server, readingTools(server.tools, mapping), (tool, result) => {
        for (const memory of memoriesIn(result, shapesOf(tool), stored)) {
          // Scores of different searches cannot be compared: what was seen first comes first.
          const { score: _score, ...seen } = memory
          if (!found.has(memory.id)) found.set(memory.id, seen)
        }
      })
      await lookUpWithTools(query, tools, loop)
      return [...found.values()].slice(0, k)
    },
    ...(mapping.list && { dump: () => listed(server, mapping, namespace, stored) }),
    close: () => server.close(),
  }
}

/** Tools that change nothing: those that say so, and those that the mapping reads with. */
export function readingTools(tools: readonly McpTool[], { find, list, reads }: Mapping): McpTool[] {
  const named = [...reads, find?.tool, list?.tool]
  return tools.filter(({ name, annotations }) => annotations?.readOnlyHint === true || named.includes(name))
}

function toolsOf(
  server: McpServer,
  tools: readonly McpTool[],
  seen: (tool: string, result: ToolResult) => void = () => {},
): Tool[] {
  return tools.map(({ name, description = '', inputSchema }) => ({
    // Providers take no other letters.
    name: name.replace(/[^\w-]/g, '_').slice(0, 64),
    description,
    parameters: parametersOf(inputSchema),
    run: async (input) => {
      const result = await server.call(name, z.record(z.string(), z.unknown()).parse(input)).catch((error: unknown) => {
        throw error instanceof RefusedError ? new ToolError(error.message) : error
      })
      seen(name, result)
      return showData({ result: shortened(result.texts.join('\n') || JSON.stringify(result.data), MOST_SHOWN) })
    },
  }))
}

/** The parameters as the server tells them. Where a schema is beyond what can be checked here, the server checks. */
function parametersOf(schema: JsonSchema): z.ZodType {
  let parameters: z.ZodType
  try {
    parameters = z.fromJSONSchema(schema)
  } catch {
    parameters = z.record(z.string(), z.unknown())
  }
  // It is worked on by whoever asks.
  parameters._zod.toJSONSchema = () => structuredClone(schema)
  return parameters
}
