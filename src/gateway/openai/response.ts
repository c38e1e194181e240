import { bytesOf } from '../embed/vector-store.js'
import type { WireReply } from '../wire.js'

/** What an answer says of itself beside the reply. */
export interface Envelope {
  id: string
  /** Seconds. */
  created: number
  model: string
}

const FINISH = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  other: 'stop',
} as const

/** Body of an answer of `/v1/chat/completions`. */
export function completionBody(reply: WireReply, { id, created, model }: Envelope): object {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text === '' && reply.toolCalls.length > 0 ? null : reply.text,
          refusal: null,
          ...(reply.toolCalls.length > 0 && { tool_calls: reply.toolCalls.map(toolCall) }),
        },
        logprobs: null,
        finish_reason: FINISH[reply.finish],
      },
    ],
    usage: usageOf(reply),
  }
}

/** The same answer as a stream: bodies of events, in order, `[DONE]` at the end. */
export function completionEvents(reply: WireReply, envelope: Envelope, includeUsage: boolean): string[] {
  const { id, created, model } = envelope
  const event = (choices: object[], usage: object | null = null) =>
    JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices, ...(includeUsage && { usage }) })
  const delta = (part: object, finish: string | null = null) =>
    event([{ index: 0, delta: part, logprobs: null, finish_reason: finish }])
  return [
    delta({ role: 'assistant', content: reply.text === '' && reply.toolCalls.length > 0 ? null : '' }),
    ...pieces(reply.text).map((content) => delta({ content })),
    ...reply.toolCalls.flatMap((call, index) => [
      delta({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }),
      ...pieces(call.arguments).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    delta({}, FINISH[reply.finish]),
    ...(includeUsage ? [event([], usageOf(reply))] : []),
    '[DONE]',
  ]
}

/** Body of an answer of `/v1/embeddings`. */
export function embeddingsBody(
  vectors: readonly Float32Array[],
  model: string,
  encoding: 'float' | 'base64',
  tokens: number,
): object {
  return {
    object: 'list',
    model,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? bytesOf(vector).toString('base64') : [...vector],
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** Body of an answer that tells an error, as OpenAI writes it. */
export function errorBody(message: string, type: string, code: string | null = null): object {
  return { error: { message, type, param: null, code } }
}

function toolCall(call: WireReply['toolCalls'][number]): object {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

function usageOf({ usage }: WireReply): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

/** A text in pieces of some characters, so that clients see a real stream. Pairs of surrogates stay together. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,64}(?![\uDC00-\uDFFF])/gu) ?? []
}
