import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { realClock } from '../src/gateway/limits/clock.js'
import { listenHere } from '../src/gateway/loopback/listen.js'
import { BadRequest, type ChatRequest, parseChat, parseEmbedding } from '../src/gateway/openai/openai-request.js'
import { completionBody, completionEvents, embeddingsBody, errorBody } from '../src/gateway/openai/response.js'
import { NoRule, type ScriptedModel, type ScriptedTurn } from '../src/gateway/scripted/model.js'
import { type Fault, spoiltReply } from '../src/gateway/scripted/scripted-faults.js'

export interface ScriptedServer {
  /** Base URL, such as `http://127.0.0.1:41234/v1`. */
  url: string
  close(): Promise<void>
}

/**
 * Serves a scripted model over HTTP in the protocol of OpenAI, on a free port of this machine: chat with streams and tools, embeddings,
 * models. Faults are real ones: sockets are reset, bodies end early, headers come late.
 *
 * @param apiKey when given, requests without it are refused with 401
 * @example const server = await startScriptedServer(new ScriptedModel({ rules: [], otherwise: 'Hello.' }))
 */
export async function startScriptedServer(model: ScriptedModel, apiKey?: string): Promise<ScriptedServer> {
  const connections = new WeakMap<Socket, number>()
  let connected = 0
  const server = createServer((request, response) => {
    serve(model, apiKey, request, response, connections.get(request.socket)!).catch((error: unknown) => {
      if (response.destroyed) return
      const status = error instanceof BadRequest || error instanceof NoRule ? 400 : 500
      send(response, status, errorBody(error instanceof Error ? error.message : String(error), 'invalid_request_error'))
    })
  })
  server.on('connection', (socket) => connections.set(socket, connected++))
  server.keepAliveTimeout = 60_000
  return listenHere(server)
}

async function serve(
  model: ScriptedModel,
  apiKey: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  connection: number,
) {
  if (apiKey !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${apiKey}`)) {
    const shown = request.headers.authorization ?? 'no key'
    send(response, 401, errorBody(`Incorrect API key provided: ${shown}.`, 'invalid_request_error', 'invalid_api_key'))
    return
  }
  const path = request.url?.replace(/\?.*$/, '')
  if (request.method === 'GET' && path === '/v1/models') {
    send(response, 200, {
      object: 'list',
      data: [{ id: 'scripted', object: 'model', created: 0, owned_by: 'memscope' }],
    })
    return
  }
  if (request.method !== 'POST' || (path !== '/v1/chat/completions' && path !== '/v1/embeddings')) {
    send(response, 404, errorBody(`There is no ${request.method} ${path}.`, 'invalid_request_error'))
    return
  }
  const body: unknown = JSON.parse(await bodyOf(request))
  if (path === '/v1/embeddings') {
    const { texts, model: name, encoding } = parseEmbedding(body)
    const turn = model.begin('embedding', { texts }, connection)
    await inTurn(model, turn, response, async () => {
      const { vectors, tokens } = model.embed(texts)
      const text = JSON.stringify(embeddingsBody(vectors, name, encoding, tokens))
      return { text: broken(turn.fault, text), type: 'application/json' }
    })
    return
  }
  const chat = parseChat(body)
  const turn = model.begin('chat', chat.request, connection)
  await inTurn(model, turn, response, () => chatBody(model, turn, chat))
}

async function chatBody(model: ScriptedModel, turn: ScriptedTurn, chat: ChatRequest) {
  const right = await model.reply(chat.request, turn.number)
  const reply = (turn.fault && spoiltReply(turn.fault, right, chat.request)) ?? right
  const envelope = { id: `chatcmpl-${turn.number}`, created: 0, model: chat.model }
  const events = () => completionEvents(reply, envelope, chat.includeUsage).map((event) => `data: ${event}\n\n`)
  const text = chat.stream ? events().join('') : JSON.stringify(completionBody(reply, envelope))
  const type = chat.stream ? 'text/event-stream' : 'application/json'
  return { text: reply === right ? broken(turn.fault, text) : text, type }
}

/** An answer spoilt on the outside: what cannot be seen in its words is broken around them. */
function broken(fault: Fault | null, text: string): string {
  if (fault === 'malformed-json') return text.replaceAll('"', "'")
  if (fault === 'truncated-json') return text.slice(0, text.length / 2)
  if (fault === 'wrong-schema') return text.startsWith('data:') ? 'data: {"unexpected":1}\n\n' : '{"unexpected":1}'
  return text
}

/** Answers one call with its latency and its fault. */
async function inTurn(
  model: ScriptedModel,
  turn: ScriptedTurn,
  response: ServerResponse,
  write: () => Promise<{ text: string; type: string }>,
): Promise<void> {
  response.once('close', turn.end)
  const { fault } = turn
  if (fault === 'rate-limit') {
    response.setHeader('retry-after', model.faults.retryAfter)
    send(response, 429, errorBody('Slow down.', 'requests', 'rate_limit_exceeded'))
    return
  }
  if (fault === 'server-error') {
    send(response, 500, errorBody('Something broke.', 'server_error'))
    return
  }
  if (fault === 'slow-first-byte') await realClock.sleep(model.faults.slowMs)
  await realClock.sleep(model.options.latencyMs ?? 0)
  const { text, type } = await write()
  if (fault === 'hang') return
  if (fault === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const bytes = Buffer.from(text)
  if (type === 'application/json') response.setHeader('content-length', bytes.length)
  response.writeHead(200, { 'content-type': type })
  if (fault !== 'truncated-stream') {
    response.end(bytes)
    return
  }
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
