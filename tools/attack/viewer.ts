import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { startMemscope, until, type Working } from '../../test/outside.js'
import type { Ground, Group, Served } from './attack.js'
import { expectOrder, expectThat, play } from './play.js'

const SMALL = ['--suite', 'memfail/long-hop', '--size', '6', '--system', 'bm25', '--quiet']
/** More runs than the viewer keeps open for nobody. */
const RUNS = 6
const PATHS = [
  '/',
  '/index.html',
  '/app.js',
  '/app.css',
  '/api/runs',
  '/api/queues?run=last',
  '/api/run?run=last',
  '/nothing',
]

interface Viewer {
  url: URL
  cookie: string
  cwd: string
  ids: string[]
}

let working: Working | null = null

/** The viewer of somebody who looks, while others of this machine and pages of elsewhere ask it, too. */
export const viewer: Group = {
  name: 'viewer',
  async attacks(ground) {
    const opened = await open(ground)
    return [
      {
        kind: 'without its token',
        name: 'every address, in every way',
        strike: (served) => withoutToken(opened, served),
      },
      { kind: 'labels at once', name: 'of many cases', strike: (served) => labels(opened, served) },
      { kind: 'many runs at once', name: 'more than stay open', strike: (served) => manyRuns(opened, served) },
      { kind: 'odd bodies', name: 'of every action', strike: (served) => bodies(opened, served) },
    ]
  },
  async close() {
    working?.child.kill('SIGINT')
    const ended = await working?.ended
    working = null
    if (ended && ended.code !== 0) throw new Error(`the viewer ended with ${ended.signal ?? ended.code}`)
  },
}

async function open(ground: Ground): Promise<Viewer> {
  const cwd = ground.folder()
  for (let n = 1; n <= RUNS; n++) expectOrder(await play(['run', ...SMALL, '--k', String(n)], { cwd }), [0])
  working = startMemscope(['view', '--port', '0'], cwd, {})
  const { out } = working
  await until(() => out().endsWith('\n'), 'an address of the viewer', 60_000)
  const url = new URL(out().trim())
  const { headers } = await ask({ url, path: `/${url.search}` })
  const viewer = { url, cwd, cookie: String(headers['set-cookie']).split(';')[0]!, ids: [] as string[] }
  const runs = JSON.parse((await ask({ ...viewer, path: '/api/runs' })).text) as { run: string }[]
  viewer.ids.push(...runs.map(({ run }) => run))
  expectThat(viewer.ids.length === RUNS, () => `the viewer lists ${viewer.ids.length} runs`)
  return viewer
}

async function withoutToken({ url, cookie }: Viewer, served: Served): Promise<void> {
  const [name, token = ''] = cookie.split('=')
  const cookies = [
    '',
    `${name}=`,
    `${name}=x`,
    `${name}=${token.slice(1)}`,
    `${name}=${token}x`,
    `memscope-1=${token}`,
    token,
  ]
  const queries = ['', 'token=', 'token=x', `token=${token.toUpperCase()}x`, 'token=&token=x', `Token=${token}`]
  for (const path of PATHS)
    for (const given of [...cookies.map((one) => ({ cookie: one })), ...queries.map((query) => ({ query }))]) {
      served('without its token')
      const whole = 'query' in given ? `${path}${path.includes('?') ? '&' : '?'}${given.query}` : path
      const { status, text } = await ask({ url, path: whole, cookie: 'cookie' in given ? given.cookie : '' })
      expectThat(status === 401 && !text.includes('memfail'), () => `${whole} with ${JSON.stringify(given)}: ${status}`)
    }
  for (const action of ['draw', 'label', 'lint', 'decide']) {
    served('without its token')
    const { status } = await ask({ url, path: `/api/${action}`, cookie: '', body: { run: 'last', kind: 'facts' } })
    expectThat(status === 401, () => `${action} without a token: ${status}`)
  }
}

async function labels(viewer: Viewer, served: Served): Promise<void> {
  const [run] = viewer.ids
  // Two draw at once; both see the same cases.
  const draw = () => ask({ ...viewer, path: '/api/draw', body: { run, kind: 'facts', n: 12 } })
  const [drawn] = await Promise.all([draw(), draw()])
  const { cases } = JSON.parse(drawn!.text) as { cases: { id: string }[] }
  expectThat(cases.length > 3, () => `only ${cases.length} cases were drawn`)
  const replies = await Promise.all(
    cases.map(({ id }) => {
      served('labels at once')
      return ask({ ...viewer, path: '/api/label', body: { run, kind: 'facts', id, label: 'correct' } })
    }),
  )
  expectThat(
    replies.every(({ status }) => status === 200),
    () => `labels: ${replies.map(({ status }) => status)}`,
  )
  const file = join(viewer.cwd, '.memscope/labels', `${run}-facts.jsonl`)
  const kept = readFileSync(file, 'utf8').trim().split('\n').length
  expectThat(kept === cases.length, () => `${kept} of ${cases.length} labels were kept`)
}

async function manyRuns(viewer: Viewer, served: Served): Promise<void> {
  for (let time = 0; time < 4; time++) {
    const asked = viewer.ids.flatMap((id) => ['run', 'rows', 'facts', 'graphs'].map((what) => `/api/${what}?run=${id}`))
    for (const _ of asked) served('many runs at once')
    const replies = await Promise.all(asked.map((path) => ask({ ...viewer, path })))
    const lost = replies.find(({ status }) => status !== 200)
    expectThat(lost === undefined, () => `${lost!.status}: ${lost!.text}`)
  }
}

async function bodies(viewer: Viewer, served: Served): Promise<void> {
  const odd: unknown[] = [
    { toString: 1 },
    { valueOf: null },
    [],
    null,
    1e308,
    '__proto__',
    'constructor',
    'a\0b',
    '../../x',
    { length: -1 },
  ]
  const fields = ['run', 'kind', 'n', 'id', 'label', 'support', 'suite', 'verdict', 'note']
  const good = { run: viewer.ids[0], kind: 'facts', n: 3, id: 'case-001', label: 'correct', suite: 'memfail' }
  for (const action of ['draw', 'label', 'lint', 'decide'])
    for (const field of fields)
      for (const value of odd) {
        served('odd bodies')
        const { status, text } = await ask({ ...viewer, path: `/api/${action}`, body: { ...good, [field]: value } })
        expectThat(
          status === 200 || status === 400,
          () => `${action} with ${field} ${JSON.stringify(value)}: ${status} ${text}`,
        )
      }
}

interface Asked {
  url: URL
  path: string
  cookie?: string
  body?: object
}

/** Never longer than some seconds: a request that hangs is lost. */
const LIMIT_MS = 60_000

function ask({
  url,
  path,
  cookie = '',
  body,
}: Asked): Promise<{ status: number; text: string; headers: object & Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) }
    const options = {
      host: '127.0.0.1',
      port: url.port,
      path,
      method: body ? 'POST' : 'GET',
      headers,
      timeout: LIMIT_MS,
    }
    const sent = request(options, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${path} within ${LIMIT_MS / 1000} s`)))
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
