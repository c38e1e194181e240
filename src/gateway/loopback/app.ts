import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { UserError } from '../../base/errors.js'
import { LlmError, type LlmErrorCode, NO_USAGE } from '../../model/index.js'
import type { Completed, Gateway } from '../gateway.js'
import { BadRequest, type ChatRequest, parseChat, parseEmbedding } from '../openai/request.js'
import { completion, completionEvents, embeddings, errorBody } from '../openai/response.js'
import { countTokens } from '../price/tokens.js'
import { charge, type Lodger, type Tenants } from './tenants.js'

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

type Env = { Variables: { lodger: Lodger } }

/** The endpoint itself, without a socket. Refuses all but the tenants, on this machine, from outside of browsers. */
export function loopbackApp(gateway: Gateway | null, tenants: Tenants, maxBodyBytes: number): Hono<Env> {
  const app = new Hono<Env>()
  let served = 0

  app.use(async (c, next) => {
    // A page in a browser that was lured to this port shows its own host or its origin.
    if (!isLoopback(c.req.header('host'))) return refuse(c, 403, 'Only requests to the loopback address are served.')
    if (c.req.header('origin') !== undefined) return refuse(c, 403, 'Requests from web pages are not served.')
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const lodger = token === undefined ? null : tenants.find(token)
    if (!lodger) return refuse(c, 401, 'The token is missing or not valid.')
    c.set('lodger', lodger)
    await next()
  })
  app.use(
    bodyLimit({ maxSize: maxBodyBytes, onError: (c) => refuse(c, 413, `Bodies may have ${maxBodyBytes} bytes.`) }),
  )

  app.get('/v1/models', (c) => {
    const { model, models = {}, embedder } = c.get('lodger')
    const names = new Set([...Object.keys(models), ...(model ? [model] : []), ...(embedder ? [embedder.id] : [])])
    const data = [...names].map((id) => ({ id, object: 'model', created: 0, owned_by: 'memscope' }))
    return c.json({ object: 'list', data })
  })

  app.post('/v1/chat/completions', async (c) => {
    const lodger = c.get('lodger')
    const chat = parseChat(await jsonOf(c))
    const signal = lodger.signal ? AbortSignal.any([lodger.signal, c.req.raw.signal]) : c.req.raw.signal
    const answered = await answer(gateway, lodger, chat, signal)
    if (!answered) return refuse(c, 404, `There is no model "${chat.model}" here.`)
    const { reply, cost } = answered
    charge(lodger, reply.usage, cost)
    const envelope = { id: `chatcmpl-memscope-${++served}`, created: 0, model: chat.model }
    if (!chat.stream) return c.json(completion(reply, envelope))
    const events = completionEvents(reply, envelope, chat.includeUsage)
    return c.body(events.map((event) => `data: ${event}\n\n`).join(''), 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })

  app.post('/v1/embeddings', async (c) => {
    const lodger = c.get('lodger')
    const { model, texts, encoding, dimensions } = parseEmbedding(await jsonOf(c))
    const { embedder } = lodger
    if (!embedder) return refuse(c, 404, 'There is no embedding model here.')
    if (dimensions !== null && dimensions !== embedder.dimensions) {
      throw new BadRequest(`Vectors have ${embedder.dimensions} dimensions here, not ${dimensions}.`)
    }
    const vectors = await embedder.embed(texts)
    const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0)
    const usage = { ...NO_USAGE, input: tokens }
    charge(lodger, usage, gateway?.prices.cost(embedder.id.replace(/\/d\d+$/, ''), usage) ?? null)
    return c.json(embeddings(vectors, model, encoding, tokens))
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

/** What a tenant's model says; null when it has none of that name. */
async function answer(
  gateway: Gateway | null,
  { name, role, trial, model, models, complete }: Lodger,
  chat: ChatRequest,
  signal: AbortSignal,
): Promise<Pick<Completed, 'reply' | 'cost'> | null> {
  if (complete) return { reply: await complete(chat.request, signal), cost: null }
  const spec = models?.[chat.model] ?? model
  return spec && gateway ? gateway.complete(spec, chat.request, { role, trial, label: name, signal }) : null
}

function refuse(c: Context, status: ContentfulStatusCode, message: string): Response {
  return c.json(errorBody(message, 'invalid_request_error'), status)
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)
}

async function jsonOf(c: Context): Promise<unknown> {
  try {
    return await c.req.json()
  } catch {
    throw new BadRequest('The body is not JSON.')
  }
}
