import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as library from '../../src/library.js'
import { installedBrowser, needsBrowser, openBrowser, openPage } from '../../tools/screenshots/browser.js'
import { memscopeHere, root, temporaryFolder } from '../cli.js'

const folder = temporaryFolder()
const home = join(folder, 'home')
const fixture = (name: string) => join(root, 'test/fixtures', name)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The library as it is built, which has the page. */
const builtLibrary = (): Promise<typeof library> => import(pathToFileURL(join(root, 'dist/library.js')).href)

let viewer: { url: string; close(): Promise<void> }
let [run, hostile] = ['', '']
let base = ''

async function made(...args: string[]): Promise<string> {
  const { code, err } = await memscopeHere(['run', ...args, '--home', home, '--quiet'], { cwd: folder })
  if (code !== 0) throw new Error(err)
  const [newest] = await (await builtLibrary()).listRuns({ home })
  return newest!.run
}

beforeAll(async () => {
  hostile = await made(
    '--suite',
    'memfail/long-hop',
    '--system',
    fixture('hostile-memory.mjs'),
    '--size',
    '4',
    '--k',
    '3',
  )
  run = await made(
    '--suite',
    'memfail/long-hop,meme/cascade',
    '--system',
    'bm25,bm25-hops',
    '--size',
    '4',
    '--filler',
    'none',
    '--k',
    '1,5',
  )
  viewer = await (await builtLibrary()).view({ home, port: 0 })
  base = new URL(viewer.url).origin
})

afterAll(() => viewer?.close())

/** What the server says to a request that may lie about where it comes from. */
function reply(
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(base)
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: body ? 'POST' : 'GET',
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

describe('the viewer’s server', () => {
  it('gives its page with a policy that lets nothing in from elsewhere, and an app that weighs little', async () => {
    const { status, headers } = await reply('/')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    const files = await Promise.all(['/app.js', '/app.css'].map((path) => reply(path)))
    const weight = files.reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(weight).toBeGreaterThan(10_000)
    expect(weight).toBeLessThan(150_000)
  })

  it.each([
    ['another host', '/api/runs', { host: 'evil.example' }],
    ['another host that leads here', '/', { host: 'evil.example:80' }],
    ['another port', '/', { host: '127.0.0.1:1' }],
    ['another origin', '/api/runs', { origin: 'http://evil.example' }],
    ['an origin without a name', '/api/runs', { origin: 'null' }],
    ['a script of another page', '/api/runs', { 'sec-fetch-site': 'cross-site' }],
    ['another page that asks for the app', '/app.js', { 'sec-fetch-site': 'same-site' }],
  ])('refuses %s', async (_, path, headers) => {
    expect((await reply(path, headers)).status).toBe(403)
    expect((await reply('/api/label', headers, { run })).status).toBe(403)
  })

  it('serves a page of its own origin', async () => {
    expect((await reply('/api/runs', { origin: base, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/app.js/../../library.js',
    '/api/../../etc/passwd',
    '/api/constructor',
    '/api/__proto__',
    '/.git/config',
  ])('has nothing at %s', async (path) => {
    const { status, text } = await reply(path)
    expect(status).toBe(404)
    expect(text).not.toContain('memscope')
  })

  it('tells mistakes in words and reads no file that a run names', async () => {
    expect((await reply('/api/run?run=../../x')).text).toContain('There is no run')
    expect((await reply(`/api/rows?run=${run}&most=100000`)).status).toBe(400)
    expect((await reply('/api/label', {}, { run, kind: '../facts', id: 'x', label: 'correct' })).status).toBe(400)
  })

  it('counts facts as the report does', async () => {
    const { summary } = await (await builtLibrary()).report({ run, home })
    const cell = summary.cells.find((one) => one.task === 'long-hop' && one.system === 'bm25' && one.k === 5)!
    const ends = JSON.parse((await reply(`/api/ends?run=${run}&task=memfail%2Flong-hop&system=bm25&depth=5`)).text)
    const all = Object.values<number>(ends).reduce((sum, n) => sum + n, 0)
    expect({
      n: all,
      stored: all - ends.not_stored,
      faithful: all - ends.not_stored - ends.damaged,
      retrieved: ends.retrieved,
    }).toEqual({
      ...{ n: cell.facts.n, stored: cell.facts.stored, faithful: cell.facts.faithful, retrieved: cell.facts.retrieved },
    })
    const counts = JSON.parse((await reply(`/api/counts?run=${run}&task=memfail%2Flong-hop&system=bm25&depth=5`)).text)
    expect(counts.answerable ?? 0).toBe(cell.evidence!.complete)
  })
})

const without = installedBrowser === undefined && !needsBrowser
if (without) it.skip('the viewer in a browser: Chromium is not installed here', () => {})

describe.skipIf(without)('the viewer in a browser', () => {
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    browser = await openBrowser()
    ;({ page, faults } = await openPage(browser))
  })
  afterAll(() => browser?.close())

  const go = (hash: string) => page.goto(`${base}/${hash}`)
  const seen = (selector: string, words?: string | RegExp) =>
    page
      .locator(selector, words ? { hasText: words } : {})
      .first()
      .waitFor()

  it('leads from the matrix to a failed question and the sentence in which its fact was said', async () => {
    await go(`#/run?run=${run}`)
    await page.locator('a.cell', { hasText: 'long-hop, bm25:' }).click()
    await seen('.row .tag', 'not retrieved')
    expect(page.url()).toContain('outcome=failed')
    await page.locator('.row').first().click()
    await seen('.way .bad', /retrieved/)
    const said = await page.locator('.fact q').first().textContent()
    expect(said!.length).toBeGreaterThan(10)
    await seen('.turns mark')
    expect(await page.locator('.turns mark').allTextContents()).toContain(said)
    await page.reload()
    expect(await page.locator('.fact q').first().textContent()).toBe(said)
  })

  it('is walked through by keys alone', async () => {
    await go(`#/run?run=${run}`)
    await seen('.matrix')
    await page.keyboard.press('3')
    await seen('.list .row')
    await page.keyboard.press('/')
    await page.keyboard.type('zzz-nothing')
    await seen('.list', 'Nothing fits.')
    await page.keyboard.press('Escape')
    await page.locator('[type=search]').fill('')
    await seen('.list .row')
    await page.locator('.list').focus()
    for (const key of ['ArrowDown', 'End', 'Home', 'j']) await page.keyboard.press(key)
    await seen('[aria-posinset="2"] .row:focus')
    await page.keyboard.press('Enter')
    await seen('.around', '2 of')
    const first = await page.locator('h1.ask').textContent()
    await page.keyboard.press(']')
    await seen('.around', '3 of')
    await page.keyboard.press('[')
    await seen('h1.ask', first!)
    await page.keyboard.press('u')
    await seen('.list .row')
    await page.keyboard.press('?')
    await seen('dialog[open]')
    await page.keyboard.press('Escape')
  })

  it('compares two systems and opens the questions that changed', async () => {
    await go(`#/compare?run=${run}&a=bm25&b=bm25-hops`)
    await seen('.compare', 'memfail/long-hop')
    const flip = page.locator('.flips li', { hasText: 'not retrieved' }).last()
    await flip.locator('a', { hasText: 'not retrieved' }).click()
    await seen('h1.ask')
    await seen('.depths [aria-pressed=true]', 'not retrieved')
  })

  it('has people label blind, in the form that judge eval reads', async () => {
    await go(`#/review?run=${run}&kind=facts`)
    await page.locator('.tabs button', { hasText: 'facts' }).click()
    await seen('.case')
    expect(await page.locator('.case').textContent()).not.toMatch(/bm25|certain/)
    for (const [n, key] of ['a', 's', 'd'].entries()) {
      await page.keyboard.press(key)
      await seen('.case .around', `${n + 1} labelled`)
    }
    const file = /--gold (\S+)/.exec((await page.locator('.case').textContent())!)![1]!
    const { code, out } = await memscopeHere(['judge', 'eval', '--gold', file, '--json', '-'], { cwd: folder })
    expect(code).toBe(0)
    expect(JSON.parse(out).n).toBe(3)
  })

  it('shows a run while it goes on', async () => {
    const args = [
      'run',
      '--suite',
      'memfail/long-hop',
      '--system',
      `slow=${fixture('slow-memory.mjs')}`,
      '--system',
      'bm25',
      '--size',
      '6',
      '--k',
      '1',
      '--home',
      home,
      '--quiet',
    ]
    const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { cwd: folder, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('close', resolve))
    await go('#/runs')
    await page.locator('tr', { hasText: 'not complete' }).locator('a').click()
    await seen('progress')
    await seen('.status.partial')
    expect(await ended).toBe(0)
    await seen('.status.valid')
    await seen('.matrix th', 'slow')
    await seen('a.cell', 'long-hop, slow:')
  })

  it('shows hostile texts harmlessly', async () => {
    await go(`#/questions?run=${hostile}`)
    await page.locator('.row').first().click()
    await seen('.memories.ranked', 'onerror')
    await seen('.diff', 'one line of xxx')
    expect(await page.evaluate("'harmed' in window")).toBe(false)
    expect(await page.locator('#app script, #app img').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  const scenario = 'meme/pl_001'
  it.each([
    ['runs', '#/runs', '.runs'],
    ['matrix', '#/run?run=', '.matrix'],
    ['facts', '#/facts?run=', '.list .row'],
    ['questions', '#/questions?outcome=failed&run=', '.list .row'],
    ['question', `#/question?scenario=${encodeURIComponent(scenario)}&by=bm25&id=`, '.fact'],
    ['charts', '#/charts?run=', 'figure'],
    ['graphs', `#/graphs?scenario=${encodeURIComponent(scenario)}&run=`, '.graph .changed'],
    ['compare', '#/compare?run=', '.compare'],
    ['data', `#/data?scenario=${encodeURIComponent(scenario)}&run=`, '.events'],
    ['review', '#/review?kind=facts&run=', '.case'],
  ])('has a page %s that axe finds nothing serious in', async (name, hash, there) => {
    if (name === 'question') {
      const { items } = JSON.parse(
        (await reply(`/api/rows?run=${run}&task=meme&system=bm25&search=pl_001&outcome=failed`)).text,
      )
      await go(`${hash}${encodeURIComponent(items[0].id)}&run=${run}`)
    } else await go(name === 'runs' ? hash : `${hash}${run}`)
    await seen(there)
    await page.evaluate(axe)
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  })

  it('lies as a bundle on a disk, with the run inside and nothing fetched', async () => {
    const bundle = join(folder, 'bundle')
    const { code } = await memscopeHere(['report', run, '--home', home, '--bundle', bundle, '--quiet'], { cwd: folder })
    expect(code).toBe(0)
    const { page: own, faults: wrong } = await openPage(browser)
    await own.goto(pathToFileURL(join(bundle, 'index.html')).href)
    await own.locator('a.cell', { hasText: 'long-hop, bm25:' }).click()
    await own.locator('.row').first().click()
    await own.locator('.turns mark').first().waitFor()
    await own.goto(`${pathToFileURL(join(bundle, 'index.html')).href}#/compare`)
    await own.locator('.flips').first().waitFor()
    await own.goto(`${pathToFileURL(join(bundle, 'index.html')).href}#/graphs`)
    await own.locator('.graph .changed').waitFor()
    expect(wrong).toEqual([])
    await own.close()
  })

  it('told of no error and asked nobody else', () => {
    expect(faults).toEqual([])
  })
})
