import { z } from 'zod'
import type { LlmMessage, LlmReply, LlmRequest } from '../../model/index.js'
import { parseJson } from '../json.js'
import { BadRequest } from '../openai/openai-request.js'
import { type WireMessage, type WireReply, type WireRequest, wireToolCalls } from '../wire.js'

const AnyObject = z.record(z.string(), z.unknown())

/** A request of a client as models take it. JSON is checked by its schema, or by `replies` when it names none. */
export function fromWire(request: WireRequest, replies: z.ZodType | undefined): LlmRequest<unknown> {
  const { messages, format, ...rest } = request
  const schema = format && (format.schema ? schemaOf(format.schema) : objectOf(replies))
  return { ...rest, messages: messages.map(messageOf), ...(schema && { schema }) }
}

/** A model's reply for a client. One that was to be JSON is nothing else, whatever the model wrote around it. */
export function wireReplyOf({ text, object, toolCalls, finish, usage }: LlmReply<unknown>): WireReply {
  return {
    text: object === undefined || parseJson(text) !== undefined ? text : JSON.stringify(object),
    toolCalls: wireToolCalls(toolCalls),
    finish,
    usage: { ...usage },
  }
}

/** Any object to a provider, and only what fits to us. */
function objectOf(replies: z.ZodType | undefined): z.ZodType {
  if (!replies) return AnyObject
  return AnyObject.superRefine(async (object, context) => {
    const { error } = await replies.safeParseAsync(object)
    for (const { message, path } of error?.issues ?? []) context.addIssue({ code: 'custom', message, path })
  })
}

function schemaOf(schema: Record<string, unknown>): z.ZodType {
  try {
    return z.fromJSONSchema(schema)
  } catch (error) {
    throw new BadRequest(`The JSON Schema cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

function messageOf(message: WireMessage): LlmMessage {
  if (message.role !== 'assistant') return message
  const { content, toolCalls = [] } = message
  return {
    role: 'assistant',
    content,
    toolCalls: toolCalls.map(({ id, name, arguments: input }) => ({ id, name, input: inputOf(input) })),
  }
}

function inputOf(text: string): unknown {
  const input = parseJson(text === '' ? '{}' : text)
  if (input === undefined) throw new BadRequest('The arguments of a tool call are not JSON.')
  return input
}
