import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie } from 'hono/cookie'
import { UserError } from '../../base/errors.js'
import { withoutSecrets } from '../secrets.js'
import { ACTIONS, ANSWERS } from './answers.js'
import { pageFile } from './page.js'
import type { StartToken } from './start-token.js'
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

/** Addresses of the page itself. */
const PAGES = ['/', '/index.html']

/** What browsers say of requests by our own page, by nobody's, and by programs. */
const OWN_SITES: (string | undefined)[] = ['same-origin', 'none', undefined]

/**
 * The viewer without a socket: its page, and what the page asks for as JSON. Served to this machine alone: a page from elsewhere that was lured
 * here shows another host or origin, and is refused. Served to whoever has the token of its start alone: others of this machine have not.
 *
 * @param port on which it listens
 */
export function viewerApp(runs: ViewedRuns, port: () => number, token: StartToken): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    const refusal = foreign(c, port())
    if (refusal) return refuse(c, 403, refusal)
    const { token: typed, ...asked } = c.req.query()
    const known = typed ?? getCookie(c, token.cookieName(port()))
    if (!token.fits(known))
      return refuse(c, 401, 'This is for whoever started it.', 'Open the address that it printed.')
    // The address that was printed leads to one without the token, which may be shown and kept.
    if (typed !== undefined && isPage(c) && PAGES.includes(c.req.path)) {
      c.header('set-cookie', token.cookie(port()))
      const rest = new URLSearchParams(asked).toString()
      c.res = c.redirect(rest === '' ? '/' : `/?${rest}`)
    } else await next()
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
  })
  app.use(bodyLimit({ maxSize: MOST_BODY, onError: (c) => refuse(c, 413, 'That is too much.') }))
  app.get('/api/:what', async (c) => {
    const answer = Object.hasOwn(ANSWERS, c.req.param('what')) ? ANSWERS[c.req.param('what')]! : null
    return answer ? c.json(await runs.lend((lent) => answer(c.req.query(), lent))) : c.notFound()
  })
  app.post('/api/:what', async (c) => {
    const action = Object.hasOwn(ACTIONS, c.req.param('what')) ? ACTIONS[c.req.param('what')]! : null
    if (!action) return c.notFound()
    if (!/^application\/json\b/.test(c.req.header('content-type') ?? '')) return refuse(c, 415, 'Expected JSON.')
    const given: unknown = await c.req.json().catch(() => null)
    if (typeof given !== 'object' || given === null) return refuse(c, 400, 'Expected a JSON object.')
    return c.json(await runs.lend((lent) => action({ ...given }, lent)))
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
  const isOpened = isPage(c) && c.req.header('sec-fetch-mode') === 'navigate'
  return OWN_SITES.includes(site) || isOpened ? null : 'Requests from other pages are not served.'
}

/** Whether the page or a file of it is asked for, and no data. */
function isPage(c: Context): boolean {
  return c.req.method === 'GET' && !c.req.path.startsWith('/api/')
}

function refuse(c: Context, status: 400 | 401 | 403 | 404 | 413 | 415 | 500, error: string, hint?: string): Response {
  return c.json({ error, ...(hint && { hint }) }, status, HEADERS)
}
