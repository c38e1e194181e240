import { countO200kTokens as countTokens } from '../../base/tokens.js'
import type { LlmRequest } from '../../model/index.js'
import { toWire, type WireReply, type WireRequest } from '../wire.js'

export { countTokens }

/** What chat formats add around every message, and once around all. */
const PER_MESSAGE = 4
const PER_REQUEST = 3
/** What the format adds around every tool. */
const PER_TOOL = 12

/** Prompt tokens of a request before it is made: messages, tools and schema. `count` may make use of texts that repeat. */
export function promptTokens(request: LlmRequest<unknown>, count = countTokens): number {
  return countRequestTokens(toWire(request), count)
}

/** Prompt tokens of a request, as OpenAI's models count them; for others it is an estimate. */
export function countRequestTokens(request: WireRequest, count = countTokens): number {
  let tokens = PER_REQUEST
  for (const text of textsOf(request)) tokens += count(text)
  return tokens + overhead(request)
}

/** Prompt tokens that no byte-level tokenizer exceeds, without running one: each token covers at least one byte. */
export function boundRequestTokens(request: WireRequest): number {
  let bytes = PER_REQUEST
  for (const text of textsOf(request)) bytes += Buffer.byteLength(text)
  return bytes + overhead(request)
}

/** Tokens of a reply. */
export function countReplyTokens(reply: Pick<WireReply, 'text' | 'toolCalls'>): number {
  const calls = reply.toolCalls.map((call) => countTokens(call.name) + countTokens(call.arguments) + PER_MESSAGE)
  return countTokens(reply.text) + calls.reduce((sum, tokens) => sum + tokens, 0)
}

function overhead({ messages, tools = [] }: WireRequest): number {
  return messages.length * PER_MESSAGE + tools.length * PER_TOOL
}

function* textsOf(request: WireRequest): Generator<string> {
  for (const message of request.messages) {
    yield message.content
    if (message.role !== 'assistant') continue
    for (const call of message.toolCalls ?? []) {
      yield call.name
      yield call.arguments
    }
  }
  for (const tool of request.tools ?? []) yield JSON.stringify(tool)
  if (request.format?.schema) yield JSON.stringify(request.format.schema)
}
