import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { UserError } from '../../base/errors.js'
import { withoutSecrets } from '../secrets.js'
import { ACTIONS, ANSWERS } from './answers.js'
import { pageFile } from './page.js'
import type { ViewedRuns } from './viewed-runs.js'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const MOST_BODY = 64 * 1024

/** What browsers say of requests by our own page, by nobody's, and by programs. */
const OWN_SITES: (string | undefined)[] = ['same-origin', 'none', undefined]

/**
 * The viewer without a socket: its page, and what the page asks for as JSON. Served to this machine alone: a page from elsewhere that was lured
 * here shows another host or origin, and is refused.
 *
 * @param port on which it listens; null in tests that have no socket
 */
export function viewerApp(runs: ViewedRuns, port: () => number): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    const refusal = foreign(c, port())
    if (refusal) return refuse(c, 403, refusal)
    await next()
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
  })
  app.use(bodyLimit({ maxSize: MOST_BODY, onError: (c) => refuse(c, 413, 'That is too much.') }))
  app.get('/api/:what', async (c) => {
    const answer = Object.hasOwn(ANSWERS, c.req.param('what')) ? ANSWERS[c.req.param('what')]! : null
    return answer ? c.json(await answer(c.req.query(), runs)) : c.notFound()
  })
  app.post('/api/:what', async (c) => {
    const action = Object.hasOwn(ACTIONS, c.req.param('what')) ? ACTIONS[c.req.param('what')]! : null
    if (!action) return c.notFound()
    if (!/^application\/json\b/.test(c.req.header('content-type') ?? '')) return refuse(c, 415, 'Expected JSON.')
    const given: unknown = await c.req.json().catch(() => null)
    if (typeof given !== 'object' || given === null) return refuse(c, 400, 'Expected a JSON object.')
    return c.json(await action({ ...given }, runs))
  })
  app.get('*', (c) => {
    const file = pageFile(c.req.path)
    return file ? c.body(file.text, 200, { 'content-type': file.type }) : c.notFound()
  })
  app.notFound((c) => refuse(c, 404, 'There is nothing here.'))
  app.onError((error, c) => {
    if (error instanceof UserError) return refuse(c, 400, withoutSecrets(error.message), error.hint)
    return refuse(c, 500, withoutSecrets(`Something went wrong inside Memscope: ${error.message}`))
  })
  return app
}

/** Why a request is not from our own page on this machine; null when it is. */
function foreign(c: Context, port: number): string | null {
  const host = c.req.header('host')?.toLowerCase() ?? ''
  if (!['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`))
    return 'Only requests to this machine are served.'
  const origin = c.req.header('origin')
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return 'Requests from other pages are not served.'
  const site = c.req.header('sec-fetch-site')
  // Typed or clicked elsewhere, the page itself may be opened; nothing else may be asked for from there.
  const isPage =
    c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate' && !c.req.path.startsWith('/api/')
  return OWN_SITES.includes(site) || isPage ? null : 'Requests from other pages are not served.'
}

function refuse(c: Context, status: 400 | 403 | 404 | 413 | 415 | 500, error: string, hint?: string): Response {
  return c.json({ error, ...(hint && { hint }) }, status, HEADERS)
}
