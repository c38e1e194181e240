import { z } from 'zod'
import { sha256, stableStringify } from '../base/hash.js'
import { isZodSchema, jsonSchemaOf } from '../base/zod-schema.js'
import type { JsonSchema, LlmMessage, LlmRequest, LlmToolCall, ReasoningEffort } from '../model/index.js'

/** A tool call as it travels: arguments are the text that the model wrote. */
const WireToolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() })
export type WireToolCall = z.infer<typeof WireToolCall>

export type WireMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: WireToolCall[] }
  | { role: 'tool'; callId: string; name: string; content: string }

export interface WireTool {
  name: string
  description?: string
  parameters: JsonSchema
  strict?: boolean
}

/** A request as plain JSON: what is hashed, recorded and sent. */
export interface WireRequest {
  messages: WireMessage[]
  format?: { name?: string; schema?: JsonSchema; strict?: boolean }
  tools?: WireTool[]
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  temperature?: number
  maxTokens?: number
  reasoning?: ReasoningEffort
  topP?: number
  seed?: number
  stop?: string[]
  /** Where a beginning ends that other requests have, too. No part of what is asked. */
  shared?: { message: number; characters: number }
}

const Usage = z.object({
  input: z.number(),
  cachedInput: z.number(),
  cacheWrite: z.number().optional(),
  output: z.number(),
  reasoning: z.number(),
})

/** A model's reply as plain JSON. */
export const WireReply = z.object({
  text: z.string(),
  toolCalls: z.array(WireToolCall),
  finish: z.enum(['stop', 'length', 'tool-calls', 'content-filter', 'other']),
  usage: Usage,
})
export type WireReply = z.infer<typeof WireReply>

/** What names a reply: the same identity always gives the same cache key. */
export interface CallIdentity {
  provider: string
  model: string
  trial: number
  /** Counts fresh asks for the same thing, after replies that could not be used. */
  ask: number
}

const KEY_VERSION = 1

/** Content hash of a request to a model in a trial. The base URL is no part of it: the same server may listen elsewhere tomorrow. */
export function requestKey(
  { provider, model, trial, ask }: CallIdentity,
  { shared: _, ...request }: WireRequest,
): string {
  const schema = request.format?.schema && sha256(stableStringify(request.format.schema))
  return sha256(stableStringify({ v: KEY_VERSION, provider, model, trial, ask, schema, request }))
}

/** A typed request as plain JSON. Zod schemas become JSON Schema; what equals a default is left out, so that keys are stable. */
export function toWire(request: LlmRequest<unknown>): WireRequest {
  const wire: WireRequest = { messages: request.messages.map(wireMessage) }
  if (request.schema) {
    const schema = jsonSchemaOf(request.schema)
    // What allows any object tells a provider nothing, and strict ones refuse it: they are asked for JSON, and replies are checked here.
    wire.format = isAnyObject(schema) ? {} : { schema }
  }
  if (request.tools && request.tools.length > 0) {
    wire.tools = request.tools.map(({ name, description, parameters }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters: isZodSchema(parameters) ? jsonSchemaOf(parameters) : parameters,
    }))
  }
  if (request.toolChoice !== undefined && request.toolChoice !== 'auto') wire.toolChoice = request.toolChoice
  for (const name of ['temperature', 'maxTokens', 'topP', 'seed'] as const) {
    if (request[name] !== undefined) wire[name] = request[name]
  }
  if (request.reasoning !== undefined && request.reasoning !== 'default') wire.reasoning = request.reasoning
  if (request.stop && request.stop.length > 0) wire.stop = [...request.stop]
  const message = request.messages.findLastIndex((one) => 'shared' in one && one.shared !== undefined)
  const marked = request.messages[message]
  if (marked && 'shared' in marked) wire.shared = { message, characters: marked.shared! }
  return wire
}

function isAnyObject({ type, properties = {}, additionalProperties }: JsonSchema): boolean {
  const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return type === 'object' && isEmpty(properties) && (additionalProperties === true || isEmpty(additionalProperties))
}

/** Tool calls as they travel. */
export function wireToolCalls(calls: readonly LlmToolCall[]): WireToolCall[] {
  return calls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) }))
}

function wireMessage(message: LlmMessage): WireMessage {
  if (message.role === 'tool') return message
  if (message.role !== 'assistant') return { role: message.role, content: message.content }
  const { content, toolCalls = [] } = message
  if (toolCalls.length === 0) return { role: 'assistant', content }
  return { role: 'assistant', content, toolCalls: wireToolCalls(toolCalls) }
}
