import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listenHere } from '../../src/gateway/loopback/listen.js'

type Json = Record<string, unknown>

/** A request as a provider got it. */
export interface Got {
  url: string
  headers: IncomingHttpHeaders
  body: Json
}

/** What a server refuses, with which status and words; null lets a request pass. */
export type Refusal = (body: Json) => { status: number; body: unknown } | null

/** What the model says: an answer to a schema, a tool call, a thought before it. */
const ANSWER = '{"yes": true}'
const THOUGHT = 'THOUGHT {"yes": false}'

/** A server that speaks the documented protocol of every provider, by the path it is asked at. */
export class ProviderServer {
  readonly got: Got[] = []
  refuse: Refusal = () => null
  /** What the model says in place of the answer. */
  says = ANSWER
  url = ''
  close: () => Promise<void> = async () => {}

  static async start(): Promise<ProviderServer> {
    const own = new ProviderServer()
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const body = JSON.parse(text) as Json
      own.got.push({ url: request.url ?? '', headers: request.headers, body })
      const refused = own.refuse(body)
      response.writeHead(refused?.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refused?.body ?? own.#reply(request.url ?? '', body)))
    })
    const { url, close } = await listenHere(server)
    return Object.assign(own, { url: url.replace(/\/v1$/, ''), close })
  }

  #reply(url: string, body: Json): unknown {
    const path = url.replace(/\?.*$/, '')
    const calls = 'tools' in body || 'toolConfig' in body
    // Claude gives JSON by calling a tool of that name where it has no schema.
    const tool = /"name":"json"/.test(JSON.stringify(body))
      ? { name: 'json', input: JSON.parse(ANSWER) }
      : { name: 'look', input: INPUT }
    const said = calls ? '' : this.says
    if (path.endsWith('/embeddings')) {
      const size = typeof body.dimensions === 'number' ? body.dimensions : 3
      const data = (body.input as string[]).map((_, index) => ({
        index,
        embedding: Array.from({ length: size }, () => 1),
      }))
      return { data, usage: { prompt_tokens: 4, total_tokens: 4 } }
    }
    if (path.endsWith(':batchEmbedContents'))
      return { embeddings: (body.requests as object[]).map(() => ({ values: [1, 0, 0] })) }
    if (path.endsWith(':embedContent')) return { embedding: { values: [1, 0, 0] } }
    if (path.endsWith(':predict')) {
      const values = (body.instances as object[]).map(() => ({
        embeddings: { values: [1, 0, 0], statistics: { token_count: 2 } },
      }))
      return { predictions: values }
    }
    if (path.endsWith('/invoke')) return { embedding: [1, 0, 0], inputTextTokenCount: 2 }
    if (path.endsWith('/responses')) return responsesReply(said, calls)
    if (path.endsWith('/messages')) return messagesReply(said, calls && tool)
    if (path.endsWith(':generateContent')) return googleReply(said, calls)
    if (path.endsWith('/converse')) return bedrockReply(said, calls && tool)
    return chatReply(said, calls)
  }
}

const INPUT = { city: 'Oslo' }

function chatReply(said: string, calls: boolean): object {
  const call = { id: 'call00001', type: 'function', function: { name: 'look', arguments: JSON.stringify(INPUT) } }
  const message = { role: 'assistant', content: said, reasoning_content: THOUGHT, ...(calls && { tool_calls: [call] }) }
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 8,
    total_tokens: 18,
    completion_tokens_details: { reasoning_tokens: 3 },
  }
  return {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    usage,
    choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
  }
}

function responsesReply(said: string, calls: boolean): object {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: THOUGHT }] },
    calls
      ? {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call00001',
          name: 'look',
          arguments: JSON.stringify(INPUT),
          status: 'completed',
        }
      : {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: said, annotations: [] }],
        },
  ]
  const usage = { input_tokens: 10, output_tokens: 8, total_tokens: 18, output_tokens_details: { reasoning_tokens: 3 } }
  return { id: 'r', object: 'response', created_at: 0, model: 'm', status: 'completed', output, usage }
}

type Called = { name: string; input: object } | false

function messagesReply(said: string, calls: Called): object {
  const content = [
    { type: 'thinking', thinking: THOUGHT, signature: 's' },
    calls ? { type: 'tool_use', id: 'call00001', ...calls } : { type: 'text', text: said },
  ]
  return {
    type: 'message',
    id: 'm',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: calls ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 10, output_tokens: 8 },
  }
}

function googleReply(said: string, calls: boolean): object {
  const parts = [
    { text: THOUGHT, thought: true },
    calls ? { functionCall: { name: 'look', args: INPUT } } : { text: said },
  ]
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 3, totalTokenCount: 18 },
  }
}

function bedrockReply(said: string, calls: Called): object {
  const content = [
    { reasoningContent: { reasoningText: { text: THOUGHT, signature: 's' } } },
    calls ? { toolUse: { toolUseId: 'call00001', ...calls } } : { text: said },
  ]
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: calls ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 10, outputTokens: 8, totalTokens: 18 },
  }
}
