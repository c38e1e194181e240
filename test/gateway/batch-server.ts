import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenHere } from '../../src/gateway/loopback/listen.js'
import { BadRequest, parseChat } from '../../src/gateway/openai/openai-request.js'
import { completionBody } from '../../src/gateway/openai/response.js'
import { NoRule, type ScriptedModel } from '../../src/gateway/scripted/model.js'
import type { WireRequest } from '../../src/gateway/wire.js'

type Json = Record<string, unknown>

interface Line {
  id: string
  body: Json
}

interface Batch {
  id: string
  lines: Line[]
  metadata: unknown
  created: number
  /** What came of each line; null while it is worked on. */
  done: Map<string, { status: number; body: unknown } | 'expired'> | null
}

/**
 * A scripted model behind the documented APIs of OpenAI (chat, files, batches) and Anthropic (messages, batches). Batches are worked on when
 * they are looked at, unless they are held back.
 */
export class BatchServer {
  readonly batches: Batch[] = []
  /** Lines that were worked on, over all batches: what is paid for. */
  billed = 0
  /** Batches stay under way. */
  held = false
  /** The next batch is made, and nobody hears of it: the connection ends, a gateway in front gives up, or half of the reply comes. */
  loseNext: 'reset' | 504 | 'half' | null = null
  /** The next batch is refused with this status, or by a gateway behind which nothing arrives. */
  refuseNext: number | null = null
  /** What is written at the end of the lines of a batch, or in place of them. */
  rewrite: (lines: string) => string = (lines) => lines
  /** The list of batches never ends. */
  endless = false
  /** How often batches were listed. */
  listed = 0
  /** What becomes of a line, where it is not a reply. */
  spoil: (line: Line) => 'expired' | number | null = () => null
  readonly #files = new Map<string, string>()
  url = ''
  close: () => Promise<void> = async () => {}

  private constructor(readonly model: ScriptedModel) {}

  static async start(model: ScriptedModel): Promise<BatchServer> {
    const own = new BatchServer(model)
    const server = createServer((request, response) => {
      own.#serve(request, response).catch((error: unknown) => {
        const status = error instanceof BadRequest || error instanceof NoRule ? 400 : 500
        send(response, status, { error: { message: String(error) } })
      })
    })
    const { url, close } = await listenHere(server)
    Object.assign(own, { url, close })
    return own
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const path = (request.url ?? '').replace(/\?.*$/, '').replace(/^\/v1/, '')
    const [, id = '', last = ''] = /^\/(?:messages\/)?batches\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
    const isAnthropic = path.startsWith('/messages')
    if (request.method === 'POST' && (path === '/chat/completions' || path === '/messages')) {
      send(response, 200, await this.#reply(JSON.parse(text), isAnthropic))
    } else if (request.method === 'POST' && path === '/files') {
      const file = `file-${this.#files.size}`
      this.#files.set(file, /\r\n\r\n(\{[\s\S]*?)\r\n--/.exec(text)![1]!)
      send(response, 200, { id: file, object: 'file', purpose: 'batch' })
    } else if (request.method === 'POST' && path.endsWith('/batches')) {
      if (this.refuseNext !== null) {
        send(response, this.refuseNext, { error: { message: 'Not now.' } })
        this.refuseNext = null
        return
      }
      const batch = this.#begin(JSON.parse(text), isAnthropic)
      const lost = this.loseNext
      this.loseNext = null
      if (lost === 'reset') response.socket?.resetAndDestroy()
      else if (lost === 504) send(response, 504, { error: { message: 'Gateway time-out' } })
      else if (lost === 'half') response.end(JSON.stringify(told(batch, isAnthropic)).slice(0, 20))
      else send(response, 200, told(batch, isAnthropic))
    } else if (path.endsWith('/batches')) {
      this.listed++
      const strangers = this.endless
        ? [
            {
              id: 'batch-of-others',
              created_at: isAnthropic ? new Date().toISOString() : Date.now() / 1000,
            },
          ]
        : []
      const own = this.endless ? [] : this.batches.map((batch) => told(batch, isAnthropic))
      send(response, 200, { data: [...own, ...strangers], has_more: this.endless })
    } else if (path.startsWith('/files/')) {
      const batch = this.batches.find((one) => path.includes(one.id))!
      const isError = path.includes('-error')
      response.end(
        this.rewrite(
          linesOf(batch, (_, result) => (result === 'expired' || result.status >= 400) === isError, openaiLine),
        ),
      )
    } else if (last === 'results') {
      response.end(this.rewrite(linesOf(this.batches.find((one) => one.id === id)!, () => true, anthropicLine)))
    } else {
      const batch = this.batches.find((one) => one.id === id)!
      if (!this.held && batch.done === null) await this.#work(batch, isAnthropic)
      send(response, 200, told(batch, isAnthropic))
    }
  }

  #begin(body: Json, isAnthropic: boolean): Batch {
    const lines = isAnthropic
      ? (body.requests as { custom_id: string; params: Json }[]).map(({ custom_id: id, params }) => ({
          id,
          body: params,
        }))
      : this.#files
          .get(String(body.input_file_id))!
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { custom_id: string; body: Json })
          .map((line) => ({ id: line.custom_id, body: line.body }))
    const batch: Batch = {
      id: `batch-${this.batches.length}`,
      lines,
      metadata: body.metadata,
      created: Date.now(),
      done: null,
    }
    this.batches.push(batch)
    return batch
  }

  async #work(batch: Batch, isAnthropic: boolean): Promise<void> {
    const done: NonNullable<Batch['done']> = new Map()
    batch.done = done
    for (const line of batch.lines) {
      const spoilt = this.spoil(line)
      if (spoilt === 'expired') done.set(line.id, spoilt)
      else if (spoilt !== null)
        done.set(line.id, { status: spoilt, body: { error: { type: 'api_error', message: 'broken' } } })
      else {
        this.billed++
        done.set(line.id, { status: 200, body: await this.#reply(line.body, isAnthropic) })
      }
    }
  }

  async #reply(body: Json, isAnthropic: boolean): Promise<object> {
    const turn = this.model.begin('chat', { messages: [] })
    try {
      if (!isAnthropic) {
        const chat = parseChat(body)
        const reply = await this.model.reply(chat.request, 1)
        return completionBody(reply, { id: 'chatcmpl-1', created: 0, model: chat.model })
      }
      const { text, usage } = await this.model.reply(fromAnthropic(body), 1)
      return {
        type: 'message',
        id: 'm',
        role: 'assistant',
        model: body.model,
        stop_reason: 'end_turn',
        content: [{ type: 'text', text }],
        usage: { input_tokens: usage.input, output_tokens: usage.output },
      }
    } finally {
      turn.end()
    }
  }
}

/** What is asked in the words of Anthropic, as far as the script looks at it. */
function fromAnthropic({ system, messages, output_config: config }: Json): WireRequest {
  const textOf = (content: unknown): string =>
    typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text = '' }) => text).join('')
  const format = (config as { format?: { schema?: Json } } | undefined)?.format
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: textOf(system) }]),
      ...(messages as { role: 'user' | 'assistant'; content: unknown }[]).map(({ role, content }) => ({
        role,
        content: textOf(content),
      })),
    ],
    ...(format?.schema && { format: { schema: format.schema } }),
  }
}

function told({ id, lines, metadata, created, done }: Batch, isAnthropic: boolean): object {
  if (isAnthropic) {
    return {
      id,
      processing_status: done ? 'ended' : 'in_progress',
      created_at: new Date(created).toISOString(),
      request_counts: { processing: done ? 0 : lines.length, succeeded: done ? lines.length : 0 },
    }
  }
  const files = done && { output_file_id: `${id}-output`, error_file_id: `${id}-error` }
  const isExpired = done && [...done.values()].includes('expired')
  return { id, status: done ? (isExpired ? 'expired' : 'completed') : 'in_progress', metadata, ...files }
}

type Result = { status: number; body: unknown } | 'expired'

function linesOf(
  { done }: Batch,
  isShown: (id: string, result: Result) => boolean,
  write: (id: string, result: Result) => object,
): string {
  const shown = [...done!].filter(([id, result]) => isShown(id, result))
  return shown.map(([id, result]) => `${JSON.stringify(write(id, result))}\n`).join('')
}

function openaiLine(id: string, result: Result): object {
  return result === 'expired'
    ? { custom_id: id, response: null, error: { code: 'batch_expired', message: 'no time' } }
    : { custom_id: id, response: { status_code: result.status, body: result.body }, error: null }
}

function anthropicLine(id: string, result: Result): object {
  if (result === 'expired') return { custom_id: id, result: { type: 'expired' } }
  if (result.status === 200) return { custom_id: id, result: { type: 'succeeded', message: result.body } }
  return { custom_id: id, result: { type: 'errored', error: { type: 'error', ...(result.body as object) } } }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
