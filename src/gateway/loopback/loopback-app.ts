import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { UserError } from '../../base/errors.js'
import { type Embedder, LlmError, type LlmErrorCode } from '../../model/index.js'
import { BadRequest, parseChat, parseEmbedding } from '../openai/openai-request.js'
import { completionBody, completionEvents, embeddingsBody, errorBody } from '../openai/response.js'
import { countTokens } from '../price/prompt-tokens.js'
import type { WireReply, WireRequest } from '../wire.js'

/** Statuses that clients do not try again by themselves: all that can be tried has been. */
const STATUS: Record<LlmErrorCode, ContentfulStatusCode> = {
  rate_limited: 429,
  timeout: 504,
  aborted: 503,
  provider: 502,
  unparsable: 502,
  budget: 402,
  not_recorded: 424,
  auth: 502,
  unavailable: 502,
}

/** What answers a client, under whatever names it asks for. */
export interface Served {
  complete(request: WireRequest, signal: AbortSignal): Promise<WireReply>
  embedder: Embedder
  signal: AbortSignal
  /** Largest body that is read. */
  maxBodyBytes?: number
}

/** The endpoint itself, without a socket. Refuses all but who has the token, on this machine, from outside of browsers. */
export function loopbackApp(served: Served, token: string): Hono {
  const { complete, embedder, maxBodyBytes = 32 * 1024 * 1024 } = served
  const app = new Hono()
  const expected = digest(token)
  let answered = 0
  app.use(async (c, next) => {
    // A page in a browser that was lured to this port shows its own host or its origin.
    if (!isLoopback(c.req.header('host'))) return refuse(c, 403, 'Only requests to the loopback address are served.')
    if (c.req.header('origin') !== undefined) return refuse(c, 403, 'Requests from web pages are not served.')
    const given = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(given), expected)) return refuse(c, 401, 'The token is missing or not valid.')
    await next()
  })
  app.use(
    bodyLimit({ maxSize: maxBodyBytes, onError: (c) => refuse(c, 413, `Bodies may have ${maxBodyBytes} bytes.`) }),
  )
  app.get('/v1/models', (c) =>
    c.json({ object: 'list', data: [{ id: embedder.id, object: 'model', created: 0, owned_by: 'memscope' }] }),
  )
  app.post('/v1/chat/completions', async (c) => {
    const chat = parseChat(await jsonOf(c))
    const reply = await complete(chat.request, AbortSignal.any([served.signal, c.req.raw.signal]))
    const envelope = { id: `chatcmpl-memscope-${++answered}`, created: 0, model: chat.model }
    if (!chat.stream) return c.json(completionBody(reply, envelope))
    const events = completionEvents(reply, envelope, chat.includeUsage)
    return c.body(events.map((event) => `data: ${event}\n\n`).join(''), 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })
  app.post('/v1/embeddings', async (c) => {
    const { model, texts, encoding, dimensions } = parseEmbedding(await jsonOf(c))
    if (dimensions !== null && dimensions !== embedder.dimensions) {
      throw new BadRequest(`Vectors have ${embedder.dimensions} dimensions here, not ${dimensions}.`)
    }
    const vectors = await embedder.embed(texts)
    const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0)
    return c.json(embeddingsBody(vectors, model, encoding, tokens))
  })
  app.notFound((c) => refuse(c, 404, `There is no ${c.req.method} ${c.req.path} here.`))
  app.onError((error, c) => {
    c.header('x-should-retry', 'false')
    if (error instanceof BadRequest) return refuse(c, 400, error.message)
    if (error instanceof LlmError) {
      const passed =
        error.code === 'provider' && error.status !== undefined && error.status >= 400 && error.status < 500
      return c.json(
        errorBody(`${error.message} ${error.hint}`, 'memscope_error', error.code),
        passed ? (error.status as ContentfulStatusCode) : STATUS[error.code],
      )
    }
    if (error instanceof UserError) return refuse(c, 400, `${error.message} ${error.hint ?? ''}`.trim())
    return refuse(c, 500, 'Something went wrong inside Memscope.')
  })
  return app
}

function refuse(c: Context, status: ContentfulStatusCode, message: string): Response {
  return c.json(errorBody(message, 'invalid_request_error'), status)
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)
}

/** Of equal length whatever the token, so that comparing takes the same time for all. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

async function jsonOf(c: Context): Promise<unknown> {
  try {
    return await c.req.json()
  } catch {
    throw new BadRequest('The body is not JSON.')
  }
}
