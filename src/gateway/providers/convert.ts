import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3ToolChoice,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { JsonSchema } from '../../model/index.js'
import { parseJson } from '../json.js'
import type { WireMessage, WireReply, WireRequest } from '../wire.js'
import type { ProviderKind, Structured } from './provider-config.js'

/** A request in the words of the AI SDK's language models. */
export function callOptions(
  request: WireRequest,
  structured: Structured,
  signal: AbortSignal,
  kind: ProviderKind,
): LanguageModelV3CallOptions {
  const { format, tools, toolChoice, stop, shared } = request
  const prompted = format && structured !== 'schema'
  const messages = prompted ? withInstruction(request.messages, format.schema) : request.messages
  const added = messages.length - request.messages.length
  return {
    prompt: marked(messages.map(promptMessage), shared && { ...shared, message: shared.message + added }, kind),
    abortSignal: signal,
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { topP: request.topP }),
    ...(request.seed !== undefined && { seed: request.seed }),
    ...(stop && { stopSequences: stop }),
    ...(format && structured !== 'prompt' && { responseFormat: responseFormat(format, structured) }),
    ...(tools && { tools: tools.map((tool) => ({ type: 'function', ...toolOf(tool) }) as const) }),
    ...(toolChoice && { toolChoice: choiceOf(toolChoice) }),
  }
}

/** What a language model of the AI SDK gave back, as plain JSON. Usage is null when the provider does not tell, or says that nothing was used. */
export function replyOf(
  result: LanguageModelV3GenerateResult,
): Omit<WireReply, 'usage'> & { usage: WireReply['usage'] | null } {
  const { inputTokens, outputTokens } = result.usage
  const { unified } = result.finishReason
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const isTold = Boolean(inputTokens.total) && (outputTokens.total !== 0 || text === '')
  return {
    text,
    toolCalls: result.content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }] : [],
    ),
    finish: unified === 'error' ? 'other' : unified,
    usage:
      !isTold || inputTokens.total === undefined || outputTokens.total === undefined
        ? null
        : {
            input: inputTokens.total,
            cachedInput: inputTokens.cacheRead ?? 0,
            ...(inputTokens.cacheWrite && { cacheWrite: inputTokens.cacheWrite }),
            output: outputTokens.total,
            reasoning: outputTokens.reasoning ?? 0,
          },
  }
}

/** Whether a schema keeps to what strict modes take: objects closed, properties required. Others are sent without strictness, and checked here. */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (schema === null || typeof schema !== 'object') return true
  if ('type' in schema && schema.type === 'object') {
    const { properties = {}, required = [], additionalProperties } = schema as JsonSchema
    const listed = new Set(Array.isArray(required) ? required : [])
    const names = Object.keys(properties as object)
    if (additionalProperties !== false || names.some((name) => !listed.has(name))) return false
  }
  return Object.values(schema).every(isStrict)
}

function responseFormat(format: NonNullable<WireRequest['format']>, structured: Structured) {
  const { schema, name } = format
  return {
    type: 'json' as const,
    ...(schema && structured === 'schema' && { schema }),
    ...(name !== undefined && { name }),
  }
}

function toolOf({ name, description, parameters, strict }: NonNullable<WireRequest['tools']>[number]) {
  return {
    name,
    inputSchema: parameters,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  }
}

function choiceOf(choice: NonNullable<WireRequest['toolChoice']>): LanguageModelV3ToolChoice {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

/** For servers that take no schema: the wish for JSON goes to the end of the system message. */
function withInstruction(messages: readonly WireMessage[], schema: JsonSchema | undefined): WireMessage[] {
  const instruction = schema
    ? `Reply with JSON only, no other text. It must match this JSON Schema:\n${JSON.stringify(schema)}`
    : 'Reply with JSON only, no other text.'
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest]
  return [{ role: 'system', content: instruction }, ...messages]
}

/** How kinds of providers that keep prompts only when told to are told where to. */
const CACHE_MARKS: Readonly<Partial<Record<ProviderKind, SharedV3ProviderOptions>>> = {
  anthropic: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  bedrock: { bedrock: { cachePoint: { type: 'default' } } },
}

/** The same messages with a mark behind the beginning that other requests have, too. */
function marked(
  messages: LanguageModelV3Message[],
  shared: WireRequest['shared'],
  kind: ProviderKind,
): LanguageModelV3Message[] {
  const providerOptions = CACHE_MARKS[kind]
  const message = shared && messages[shared.message]
  if (!providerOptions || !message || message.role !== 'user') return messages
  const [part] = message.content
  if (part?.type !== 'text') return messages
  const [before, after] = [part.text.slice(0, shared.characters), part.text.slice(shared.characters)]
  const rest = after === '' ? [] : [{ type: 'text' as const, text: after }]
  const content = [{ type: 'text' as const, text: before, providerOptions }, ...rest]
  return messages.with(shared.message, { role: 'user', content })
}

function promptMessage(message: WireMessage): LanguageModelV3Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.content }] }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.content === '' && message.toolCalls ? [] : [{ type: 'text' as const, text: message.content }]),
          ...(message.toolCalls ?? []).map((call) => ({
            type: 'tool-call' as const,
            toolCallId: call.id,
            toolName: call.name,
            input: parsedOrText(call.arguments),
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: 'text', value: message.content },
          },
        ],
      }
  }
}

/** Arguments that a model wrote badly go back to it as it wrote them. */
function parsedOrText(json: string): unknown {
  const value = parseJson(json)
  return value === undefined ? json : value
}
