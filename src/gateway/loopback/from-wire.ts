import { z } from 'zod'
import type { LlmMessage, LlmReply, LlmRequest } from '../../model/index.js'
import { isJson } from '../json.js'
import { BadRequest } from '../openai/request.js'
import type { WireMessage, WireReply, WireRequest } from '../wire.js'

const AnyObject = z.record(z.string(), z.unknown())

/**
 * A request of a client as models take it. JSON is checked: by the client's schema, or by `replies` when it names none.
 *
 * @param replies what objects of no given shape must be
 */
export function fromWire(request: WireRequest, replies: z.ZodType | undefined): LlmRequest<unknown> {
  const { messages, format, tools, toolChoice, temperature, maxTokens, reasoning, topP, seed, stop } = request
  return {
    messages: messages.map(messageOf),
    ...(format && { schema: format.schema ? schemaOf(format.schema) : objectOf(replies) }),
    ...(tools && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(reasoning && { reasoning }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stop }),
  }
}

/** A model's reply for a client. One that was to be JSON is nothing else, whatever the model wrote around it. */
export function wireReplyOf({ text, object, toolCalls, finish, usage }: LlmReply<unknown>): WireReply {
  return {
    text: object === undefined || isJson(text) ? text : JSON.stringify(object),
    toolCalls: toolCalls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) })),
    finish,
    usage: { ...usage },
  }
}

/** Any object to a provider, and only what fits to us. */
function objectOf(replies: z.ZodType | undefined): z.ZodType {
  if (!replies) return AnyObject
  return AnyObject.superRefine(async (object, context) => {
    const { error } = await replies.safeParseAsync(object)
    for (const { message, path } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', message, path })
    }
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
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new BadRequest('The arguments of a tool call are not JSON.')
  }
}
