import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { run, view } from '../../src/library.js'
import type { ListedRow, ListPage } from '../../src/view/select.js'
import { openBrowser, openPage } from './browser.js'

/*
 * Pictures of every page of the viewer, wide and narrow, light and dark: npm run screenshots -- [--out docs/screenshots]
 * They are of a run that is made for them, so that they show what the viewer shows now.
 */

const SIZES = [
  { width: 1400, height: 900 },
  { width: 390, height: 844 },
]
const QUALITY = 25

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/screenshots' } } })
const out = resolve(values.out)
const home = mkdtempSync(join(tmpdir(), 'memscope-screenshots-'))
const asked = {
  suite: ['memfail', 'meme'],
  size: 'quick' as const,
  k: [1, 5, 10, 20],
  tokenBudget: [500, 1000, 2000],
  home,
}
await run({ ...asked, system: ['bm25', 'bm25-hops', 'dense', 'digest', 'oracle'] })
await run({ ...asked, system: ['bm25', 'bm25-hops'] })
const viewer = await view({ home, port: 0 })
const browser = await openBrowser()
const base = new URL(viewer.url).origin
const answer = async <T>(path: string) => (await (await fetch(`${base}/api/${path}`)).json()) as T
const runs = await answer<{ run: string }[]>('runs')
const id = runs.at(-1)!.run
const failed = await answer<ListPage<ListedRow>>(`rows?run=${id}&task=meme%2Fcascade&system=bm25&outcome=failed`)
const { scenario, id: question } = failed.items[0]!
const place = new URLSearchParams({ run: id, scenario, id: question, by: 'bm25' })

/** Where each page is, and what is there once it can be seen. */
const PAGES: [name: string, hash: string, there: string, press?: string][] = [
  ['runs', 'runs', '.runs'],
  ['matrix', `run?run=${id}`, '.matrix'],
  ['facts', `facts?run=${id}&end=not_retrieved`, '.list .row'],
  ['questions', `questions?run=${id}&outcome=failed`, '.list .row'],
  ['question', `question?${place}`, '.turns mark'],
  ['charts', `charts?run=${id}&section=success`, 'figure'],
  ['graphs', `graphs?run=${id}&system=bm25`, '.graph'],
  ['compare', `compare?run=${id}&a=bm25&b=bm25-hops`, '.flips'],
  ['data', `data?run=${id}&scenario=${encodeURIComponent(scenario)}&conversation=s04`, '.turns'],
  ['review', `review?run=${id}&kind=facts`, '.case', '.tabs button'],
]

mkdirSync(out, { recursive: true })
let bytes = 0
for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of SIZES)
    for (const [name, hash, there, press] of PAGES) {
      const { page, faults } = await openPage(browser, { viewport, colorScheme })
      await page.goto(`${base}/#/${hash}`)
      if (press !== undefined) await page.locator(press).first().click()
      await page.locator(there).first().waitFor()
      const path = join(out, `${name}-${viewport.width}-${colorScheme}.jpg`)
      await page.screenshot({ path, type: 'jpeg', quality: QUALITY })
      bytes += statSync(path).size
      if (faults.length > 0) console.error(`${name}: ${faults.join(', ')}`)
      await page.close()
    }
console.log(`${SIZES.length * 2 * PAGES.length} pictures in ${values.out}, ${(bytes / 1e6).toFixed(1)} MB`)
await browser.close()
await viewer.close()
rmSync(home, { recursive: true, force: true })
