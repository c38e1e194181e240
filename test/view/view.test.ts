import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingModel, PRICES, SPEC } from '../../bench/llm-model.js'
import { honestReply } from '../../bench/reading-model.js'
import { type ScriptedServer, startScriptedServer } from '../../bench/scripted-server.js'
import { ScriptedModel } from '../../src/gateway/index.js'
import type * as library from '../../src/library.js'
import { escapeHtml } from '../../src/report/escape.js'
import type { WrittenSummary as Summary } from '../../src/report/summary-json.js'
import { installedBrowser, needsBrowser, openBrowser, openPage } from '../../tools/screenshots/browser.js'
import { memscopeHere, root, temporaryFolder } from '../cli.js'

const folder = temporaryFolder()
const home = join(folder, 'home')
const fixture = (name: string) => join(root, 'test/fixtures', name)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The library as it is built, which has the page. */
const builtLibrary = (): Promise<typeof library> => import(pathToFileURL(join(root, 'dist/library.js')).href)

let viewer: { url: string; close(): Promise<void> }
let [run, hostile, read, life] = ['', '', '', '']
let base = ''
let cookie = ''
let models: ScriptedServer[] = []

/** Makes a run. @returns its id, and its summary */
async function made(typed: string): Promise<{ id: string; summary: Summary }> {
  const [honest, contrary] = models.map(({ url }) => url)
  const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: honest!, MEMSCOPE_VLLM_BASE_URL: contrary! }
  const args = ['run', ...typed.split(/\s+/), '--home', home, '--quiet', '--json', '-']
  const { code, out, err } = await memscopeHere(args, { cwd: folder, env })
  // A judge that goes by words leaves some criteria undecided; a run that is invalid for that is shown all the same.
  if (code !== 0 && code !== 3) throw new Error(err)
  const summary: Summary = JSON.parse(out)
  return { id: summary.run.id, summary }
}

/** A judge that agrees with an honest one but for every third verdict. */
const contrary = new ScriptedModel({
  rules: [{ when: { schema: true }, reply: ({ request }) => ({ json: turned(request.messages.at(-1)!.content) }) }],
})
function turned(prompt: string): unknown {
  type Said = { id: number; answer?: string; right?: boolean }
  const { verdicts = [], grades = [] } = honestReply(prompt) as Record<string, Said[]>
  for (const one of verdicts) if (one.id % 3 === 0 && one.answer) one.answer = one.answer === 'yes' ? 'no' : 'yes'
  for (const one of grades) if (one.id % 3 === 0) one.right = !one.right
  return verdicts.length > 0 ? { verdicts } : { grades }
}

let answered: Summary
let lives: Summary

beforeAll(async () => {
  models = [await startScriptedServer(actingModel()), await startScriptedServer(contrary)]
  writeFileSync(join(folder, 'prices.json'), JSON.stringify(PRICES))
  const panel = `panel:${SPEC},vllm:second`
  const [notes, bad] = ['llm-notes.ts', 'hostile-memory.mjs'].map(fixture)
  hostile = (await made(`--suite memfail/long-hop --system ${bad} --size 4 --k 3`)).id
  const weeks = '--suite memora --days 7,28 --size 1 --system bm25,oracle --k 1,50'
  ;({ id: life, summary: lives } = await made(`${weeks} --reader ${SPEC} --answer-judge ${panel}`))
  const meme = `--suite memfail/conditional-easy,meme --filler none --size 3 --k 1,5 --token-budget 300,600`
  const models_ = `--model ${SPEC} --reader ${SPEC} --answer-judge ${panel} --prices prices.json`
  ;({ id: read, summary: answered } = await made(`${meme} --system bm25,${notes} ${models_} --oracles`))
  run = (await made('--suite memfail/long-hop,meme/cascade --system bm25,bm25-hops --size 4 --filler none --k 1,5')).id
  viewer = await (await builtLibrary()).view({ home, port: 0, load: [join(folder, 'own-suite.ts')] })
  base = new URL(viewer.url).origin
  cookie = (await fetch(viewer.url, { redirect: 'manual' })).headers.get('set-cookie')!.split(';')[0]!
})

afterAll(async () => {
  await viewer?.close()
  for (const server of models) await server.close()
})

/** What the server says to a request that may lie about where it comes from, or that comes without the cookie of the page. */
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
        headers: { cookie, ...(body && { 'content-type': 'application/json' }), ...headers },
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

  it('sends whoever opens the printed address to one without the token, which its page then needs no more', async () => {
    const { pathname, search } = new URL(viewer.url)
    const { status, headers } = await reply(`${pathname}${search}&x=1`, { cookie: '', 'sec-fetch-mode': 'navigate' })
    expect([status, headers.location]).toEqual([302, '/?x=1'])
    expect(String(headers['set-cookie'])).toMatch(/^memscope-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect((await reply('/', { cookie })).status).toBe(200)
    expect((await reply(`/api/runs${search}`, { cookie: '' })).status).toBe(200)
    expect((await reply(`//evil.example/${search}`, { cookie: '' })).headers.location).toBeUndefined()
  })

  it.each([
    ['nothing', () => ({ cookie: '' })],
    ['another token', () => ({ cookie: `${cookie}x` })],
    ['the cookie of another port', () => ({ cookie: cookie.replace(/\d+/, '1') })],
    ['an empty token', () => ({ cookie: `${cookie.split('=')[0]}=` })],
  ])('shows and does nothing for whoever brings %s', async (_, headers) => {
    for (const path of ['/', '/app.js', '/api/runs', `/api/queues?run=${run}`, '/api/runs?token=', '/api/runs?token=a'])
      expect((await reply(path, headers())).status, path).toBe(401)
    expect((await reply('/api/draw', headers(), { run, kind: 'facts' })).status).toBe(401)
  })

  it('keeps every one of many labels that come at once', async () => {
    const drawn = JSON.parse((await reply('/api/draw', {}, { run: read, kind: 'facts', n: 8 })).text)
    const ids = drawn.cases.map(({ id }: { id: string }) => id)
    const label = (id: string) => reply('/api/label', {}, { run: read, kind: 'facts', id, label: 'correct' })
    const replies = await Promise.all(ids.map(label))
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200))
    const [{ labelled }] = JSON.parse((await reply(`/api/queues?run=${read}`)).text)
    expect(labelled).toBe(8)
    for (const file of readdirSync(join(home, 'labels')))
      expect(statSync(join(home, 'labels', file)).mode & 0o777, file).toBe(0o600)
  })

  it.each([
    { run: { toString: 1 }, kind: 'facts' },
    { run: 'last', kind: { toString: 1 } },
    { run: 'last', kind: 'facts', n: { toString: 1 } },
    { run: 'last', kind: 'facts', n: '1e3' },
  ])('takes no drawing of %j', async (body) => {
    expect((await reply('/api/draw', {}, body)).status).toBe(400)
  })

  it('opens any number of runs at once', async () => {
    const ids = [run, hostile, read, life]
    for (let n = 0; n < 2; n++)
      ids.push((await made(`--suite memfail/long-hop --system bm25 --size 2 --k ${n + 1}`)).id)
    const asked = ids.flatMap((id) => [`/api/run?run=${id}`, `/api/rows?run=${id}`, `/api/facts?run=${id}`])
    for (let time = 0; time < 3; time++) {
      const replies = await Promise.all(asked.map((path) => reply(path)))
      expect(replies.flatMap(({ status, text }) => (status === 200 ? [] : text))).toEqual([])
    }
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

  it('ends at once on Ctrl-C, whatever it was asked for', async () => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'view', read, '--home', home, '--port', '0'])
    let out = ''
    const url = await new Promise<string>((resolve) =>
      child.stdout.on('data', (chunk) => {
        out += chunk
        if (out.endsWith('\n')) resolve(out.trim())
      }),
    )
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/\\?token=[\\w-]{32}#/run\\?run=${read}$`))
    // An answer that is still being made, and a connection that stays open.
    const asked = fetch(`${new URL(url).origin}/api/run${new URL(url).search}&run=${read}`).then(
      (answer) => answer.text(),
      () => 'ended',
    )
    const begun = performance.now()
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(performance.now() - begun).toBeLessThan(5000)
    await asked
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
      n: cell.facts.n,
      stored: cell.facts.stored,
      faithful: cell.facts.faithful,
      retrieved: cell.facts.retrieved,
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
    await page.goto(viewer.url)
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

  it.each([
    ['facts', () => run, /bm25|certain/],
    ['answers', () => read, /llm-notes|By words|certain/],
    ['criteria', () => life, /oracle|By words|certain/],
  ])('has people label %s blind, in the form that judge eval reads', async (kind, of, verdict) => {
    await go(`#/review?run=${of()}`)
    await page.locator('.tabs button', { hasText: kind }).click()
    await seen('.case')
    expect(await page.locator('.case').textContent()).not.toMatch(verdict)
    const keys = kind === 'facts' ? ['a', 's', 'd'] : ['a', 's', 's']
    for (const [n, key] of keys.entries()) {
      await page.keyboard.press(key)
      await seen('.case .around', `${n + 1} labelled`)
    }
    const file = /--gold (\S+)/.exec((await page.locator('.case').textContent())!)![1]!
    const { code, out } = await memscopeHere(['judge', 'eval', '--gold', file, '--json', '-'], { cwd: folder })
    expect([code, JSON.parse(out).n]).toEqual([0, 3])
  })

  it('labels nothing by a key that is held, and one case by two keys at once', async () => {
    await go(`#/review?run=${hostile}`)
    await page.locator('.tabs button', { hasText: 'facts' }).click()
    await seen('.case .around', '0 labelled')
    const press = (how: string) =>
      page.evaluate(`document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ${how} }))`)
    for (let n = 0; n < 20; n++) await press("key: 'd', repeat: true")
    await page.evaluate(`for (const key of ['d', 's'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key }))`)
    await seen('.case .around', '1 labelled')
    const [{ labelled }] = JSON.parse((await reply(`/api/queues?run=${hostile}`)).text)
    expect(labelled).toBe(1)
  })

  it('has people keep or reject rows of generated data, and writes that into their table', async () => {
    const { generateData, openReview } = await builtLibrary()
    const [data, out] = [temporaryFolder(), temporaryFolder()]
    await generateData({ suite: 'memfail/coexisting', generator: 'rehearsal:demo', target: 3, home, out: data })
    const opened = await openReview({ data, sample: 'all', out, reviewer: 'b', port: 0 })
    try {
      await page.goto(opened.url)
      await seen('.case .around', '1 of 3 · 0 decided')
      await page.locator('.case input').fill('too near')
      await page.locator('.labels button', { hasText: 'reject' }).click()
      await seen('.case .around', '2 of 3 · 1 decided')
      for (const n of [2, 3]) {
        await page.keyboard.press('a')
        await seen('.case .around', `${n} decided`)
      }
      await seen('[role=status]', 'All rows are decided.')
      const table = readFileSync(join(out, 'review-b.csv'), 'utf8')
      expect(table.match(/,(?:keep|reject),.*$/gm)).toEqual([',reject,too near', ',keep,', ',keep,'])
    } finally {
      await opened.close()
    }
  })

  it('shows prompt, answer, verdicts with reasons and certainty, and what explaining proved', async () => {
    const { items } = JSON.parse(
      (await reply(`/api/rows?run=${read}&task=meme&system=bm25&outcome=not_retrieved`)).text,
    )
    const { scenario, id } = items[0]
    await go(`#/question?run=${read}&by=bm25&scenario=${encodeURIComponent(scenario)}&id=${encodeURIComponent(id)}`)
    const answer = page.locator('section', { has: page.locator('h2', { hasText: /^Answer$/ }) })
    await answer.locator('p.answer').waitFor()
    await seen('.why', /wrong\s+(?:un)?certain · .*By words\./)
    await seen('.why', 'llm:vllm:second: ')
    await answer.locator('summary', { hasText: 'Prompt' }).click()
    expect(await answer.locator('pre').textContent()).toContain('Question: ')
    await seen('caption', /^k = 5: proven /)
    expect(await page.locator('td.ok, td.bad', { hasText: /succeeds|fails/ }).count()).toBe(5)
  })

  it('shows every criterion at the depth that is looked at: met, missed for which cause, or not judged', async () => {
    const { items } = JSON.parse((await reply(`/api/rows?run=${life}&system=bm25&outcome=failed`)).text)
    type Detail = { asks: { criteria: { met: boolean | null; words?: string }[] }[] }
    for (const { scenario, id } of items) {
      const place = `scenario=${encodeURIComponent(scenario)}&id=${encodeURIComponent(id)}`
      const { asks }: Detail = JSON.parse((await reply(`/api/question?run=${life}&system=bm25&${place}`)).text)
      const [few, many] = asks.map(({ criteria }) =>
        criteria.map(({ met, words }) => (met === null ? 'not judged' : met ? 'met' : `missed: ${words}`)),
      )
      if (`${few}` === `${many}`) continue
      for (const [depth, told] of [
        [1, few],
        [50, many],
      ] as const) {
        await go(`#/question?run=${life}&by=bm25&${place}&look=${depth}`)
        await seen('.depths [aria-pressed=true]', `k = ${depth}`)
        await seen('.criteria li')
        expect(await page.locator('.criteria li > b').allTextContents()).toEqual(told)
      }
      await seen('.criteria .bad', /missed: .*certain.*By words\..*vllm:second (?:yes|no)/)
      return
    }
    throw new Error('No question has other criteria missed at another depth.')
  })

  it('checks data where it is looked at, and what breaks a rule stands at its row', async () => {
    // A rule that says the contrary, and so is broken wherever somebody changes their mind.
    const suite = readFileSync(join(root, 'examples/own-suite.ts'), 'utf8')
    const turnedRule = suite.replace(
      'colourIn(before.text) === colourIn(text)',
      'colourIn(before.text) !== colourIn(text)',
    )
    writeFileSync(join(folder, 'own-suite.ts'), turnedRule.replace("'memscope'", `'${join(root, 'dist/index.js')}'`))
    const { id } = await made('--suite ./own-suite.ts --system bm25 --k 1')
    await go(`#/data?run=${id}`)
    await page.locator('.scenarios a').first().click()
    await seen('.events')
    expect(await page.locator('.broken').count()).toBe(0)
    await page.locator('button', { hasText: 'Check its rules' }).click()
    await seen('[role=status]', /^\d+ violations in 1 corpus$/)
    const told = Number.parseInt((await page.locator('[role=status]', { hasText: 'violations' }).textContent())!, 10)
    expect(await page.locator('.broken').count()).toBe(told)
    const row = page.locator('li', { has: page.locator('.broken') }).first()
    const text = await row.locator('.text').first().textContent()
    expect(await row.locator('.broken').textContent()).toBe(`changes "${text}" changes nothing`)
  })

  it('draws the charts of the papers from what was measured', async () => {
    const told: [run: string, text: string][] = []
    const drawn = async (of: string, section: string, title: string) => {
      await go(`#/charts?run=${of}&section=${section}`)
      const figure = page.locator('figure', { has: page.locator('figcaption', { hasText: title }) }).first()
      const text = (await figure.locator('desc').first().textContent())!
      told.push([of, text])
      return text
    }
    const percent = (share: number) => Math.round(share * 100)
    const at = (task: string, depth: object) =>
      answered.cells.find(
        (one) => one.task === task && one.system === 'bm25' && JSON.stringify(one.depth) === JSON.stringify(depth),
      )!
    for (const [against, depth] of [
      ['k', { k: 5 }],
      ['tokens', { tokens: 600 }],
    ] as const) {
      const told = await drawn(read, 'success', `meme/tracking: evidence against ${against}`)
      expect(told).toContain(`bm25 ${percent(at('tracking', depth).evidence!.rate)} %`)
    }
    const own = answered.overall!.filter(({ k }) => k === 5)
    const usd = (system: string) =>
      `${system} $${own.find((one) => one.system === system)!.scores.usd_per_episode!.toFixed(3)}`
    expect(await drawn(read, 'meme-paper', 'USD per episode')).toBe(`${usd('bm25')}, ${usd('llm-notes')}`)
    const macro = own.map(({ system, scores }) => `${system} ${percent(scores.macro!)} %`)
    expect(await drawn(read, 'meme-paper', 'score against what an episode costs')).toBe(macro.join(', '))
    // Both keep every turn: they write whenever something is said, and only grow.
    expect(await drawn(read, 'meme-paper', 'after which the store was another')).toBe('bm25 100, llm-notes 100')
    const sizes = /^bm25: before ([\d,]+), after ([\d,]+)/.exec(await drawn(read, 'meme-paper', 'before and after'))!
    const [before, after] = sizes.slice(1).map((text) => Number(text.replace(',', '')))
    expect(after).toBeGreaterThan(before!)
    await go(`#/charts?run=${read}&section=outcomes`)
    await seen('figure .legend li', 'not retrieved')
    const stacked = await page
      .locator('tr', { hasText: 'bm25 k = 5' })
      .last()
      .locator('.mix')
      .getAttribute('aria-label')
    const meme = answered.cells.filter((one) => one.suite === 'meme' && one.system === 'bm25' && one.k === 5)
    const sum = (of: (one: (typeof meme)[number]) => number) => meme.reduce((total, one) => total + of(one), 0)
    const lost = Number(/not retrieved (\d+) %/.exec(stacked!)![1])
    expect(
      Math.abs(lost - (100 * sum(({ outcomes }) => outcomes.not_retrieved ?? 0)) / sum(({ n }) => n)),
    ).toBeLessThan(1)
    const means = lives.cells.filter((one) => one.task === 'remembering' && one.system === 'oracle' && one.k === 50)
    const [weekly, monthly] = ['weekly', 'monthly'].map((duration) => means[0]!.scores[`fama[${duration}]`]!)
    const fama = await drawn(life, 'memora-paper', 'FAMA, mean and standard deviation over durations')
    expect(fama).toContain(`oracle ${percent((weekly! + monthly!) / 2)}`)
    expect(await drawn(life, 'memora-paper', 'FAMA, mean and standard deviation over tasks')).toMatch(
      /^weekly: bm25 .*; monthly: bm25 /,
    )
    expect(await drawn(life, 'memora-paper', 'kappa of judges on answers by duration')).toMatch(
      /^weekly: test and second [1-9]\d; monthly: test and second [1-9]\d$/,
    )
    for (const of of [read, life]) {
      const file = join(folder, `${of}.html`)
      await (await builtLibrary()).report({ run: of, home, html: file })
      const html = readFileSync(file, 'utf8')
      for (const [drawnIn, text] of told) if (drawnIn === of) expect(html).toContain(escapeHtml(text))
    }
  })

  it('shows a run while it goes on', async () => {
    const slow = `--system slow=${fixture('slow-memory.mjs')} --system bm25 --size 6 --k 1 --home ${home} --quiet`
    const args = `run --suite memfail/long-hop ${slow}`.split(' ')
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
    await own.locator('p', { hasText: `The rest: memscope view ${run}` }).waitFor()
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
