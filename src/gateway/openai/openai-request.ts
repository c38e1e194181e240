import { z } from 'zod'
import type { WireMessage, WireRequest } from '../wire.js'

/** A request that does not keep to the protocol, or asks for what is not offered. Answered with status 400. */
export class BadRequest extends Error {}

const Text = z.union([
  z.string(),
  z.array(z.object({ type: z.string(), text: z.string().optional() })).transform((parts, context) => {
    if (parts.some(({ type }) => type !== 'text')) context.addIssue('only text parts are supported')
    return parts.map(({ text = '' }) => text).join('')
  }),
])

const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: Text }),
  z.object({ role: z.literal('user'), content: Text }),
  z.object({
    role: z.literal('assistant'),
    content: Text.nullish(),
    tool_calls: z
      .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
      .nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: Text }),
])

type ChatMessage = z.infer<typeof Message>

const JsonSchema = z.record(z.string(), z.unknown())

const ResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().optional(),
      schema: JsonSchema.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
])

const Tool = z.object({
  name: z.string(),
  description: z.string().nullish(),
  parameters: JsonSchema.nullish(),
  strict: z.boolean().nullish(),
})
const NamedTool = z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) })

const ChatBody = z.object({
  model: z.string(),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: ResponseFormat.nullish(),
  tools: z.array(z.object({ type: z.literal('function'), function: Tool })).nullish(),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), NamedTool]).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  seed: z.number().int().nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  reasoning_effort: z.string().nullish(),
  n: z.literal(1).nullish(),
  logprobs: z.literal(false).nullish(),
})

export type ChatRequest = ReturnType<typeof parseChat>

/** Reads the body of `/v1/chat/completions`. Settings that change nothing here (`user`, `metadata`, …) are passed over. */
export function parseChat(body: unknown) {
  const chat = readBody(ChatBody, body)
  const request: WireRequest = { messages: messagesOf(chat.messages) }
  if (chat.response_format?.type === 'json_object') request.format = {}
  if (chat.response_format?.type === 'json_schema') {
    const { name, schema, strict } = chat.response_format.json_schema
    request.format = {
      ...(name !== undefined && { name }),
      ...(schema && { schema }),
      ...(typeof strict === 'boolean' && { strict }),
    }
  }
  if (chat.tools && chat.tools.length > 0) {
    request.tools = chat.tools.map(({ function: { name, description, parameters, strict } }) => ({
      name,
      ...(description && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
      ...(typeof strict === 'boolean' && { strict }),
    }))
  }
  if (chat.tool_choice && chat.tool_choice !== 'auto') {
    request.toolChoice =
      typeof chat.tool_choice === 'string' ? chat.tool_choice : { name: chat.tool_choice.function.name }
  }
  const maxTokens = chat.max_completion_tokens ?? chat.max_tokens
  if (typeof maxTokens === 'number') request.maxTokens = maxTokens
  if (typeof chat.temperature === 'number') request.temperature = chat.temperature
  if (typeof chat.top_p === 'number') request.topP = chat.top_p
  if (typeof chat.seed === 'number') request.seed = chat.seed
  if (chat.stop) request.stop = typeof chat.stop === 'string' ? [chat.stop] : chat.stop
  if (chat.reasoning_effort === 'none' || chat.reasoning_effort === 'minimal') request.reasoning = 'off'
  const includeUsage = chat.stream_options?.include_usage ?? false
  return { model: chat.model, stream: chat.stream ?? false, includeUsage, request }
}

const EmbeddingBody = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().positive().nullish(),
})

/** Reads the body of `/v1/embeddings`. Texts only: tokens of another tokenizer cannot be turned back. */
export function parseEmbedding(body: unknown) {
  const { model, input, encoding_format, dimensions = null } = readBody(EmbeddingBody, body)
  const texts = typeof input === 'string' ? [input] : input
  return { model, texts, encoding: encoding_format ?? 'float', dimensions }
}

function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (!read.success) throw new BadRequest(z.prettifyError(read.error).replace(/\s*\n\s*/g, ' '))
  return read.data
}

/** Names of tools are not repeated in results, so they are looked up by the calls they answer. */
function messagesOf(messages: readonly ChatMessage[]): WireMessage[] {
  const names = new Map<string, string>()
  return messages.map((message) => messageOf(message, names))
}

function messageOf(message: ChatMessage, names: Map<string, string>): WireMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: message.content }
    case 'tool': {
      const name = names.get(message.tool_call_id)
      if (name === undefined) throw new BadRequest(`No tool call has the id "${message.tool_call_id}".`)
      return { role: 'tool', callId: message.tool_call_id, name, content: message.content }
    }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map((call) => ({ id: call.id, ...call.function }))
      for (const call of calls) names.set(call.id, call.name)
      return { role: 'assistant', content: message.content ?? '', ...(calls.length > 0 && { toolCalls: calls }) }
    }
  }
}
