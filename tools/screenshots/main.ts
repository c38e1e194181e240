import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { actingModel, SPEC } from '../../bench/llm-model.js'
import { startScriptedServer } from '../../bench/scripted-server.js'
import { run, view } from '../../src/library.js'
import type { ListedRow, ListPage } from '../../src/view/select-rows.js'
import { removeTemporary, temporaryFolder } from '../temporary.js'
import { openBrowser, openPage } from './browser.js'

/*
 * Pictures of every page of the viewer, wide and narrow, light and dark: npm run screenshots -- [--out docs/screenshots]
 * They are of runs that are made for them, so that they show what the viewer shows now. In one a scripted model reads, and two judge.
 */

const SIZES = [
  { width: 1400, height: 900 },
  { width: 390, height: 844 },
]
const QUALITY = 25

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/screenshots' } } })
const out = resolve(values.out)
const home = temporaryFolder('screenshots')
const asked = {
  suite: ['memfail', 'meme'],
  size: 'quick' as const,
  k: [1, 5, 10, 20],
  tokenBudget: [500, 1000, 2000],
  home,
}
await run({ ...asked, system: ['bm25', 'bm25-hops', 'dense', 'digest', 'oracle'] })
const model = await startScriptedServer(actingModel())
process.env.MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL = model.url
await run({
  suite: 'memora',
  size: 'quick',
  settings: { days: '7,28' },
  system: ['bm25', 'oracle'],
  k: [10, 50],
  home,
  reader: SPEC,
  answerJudge: `panel:${SPEC},openai-compatible:second`,
})
const viewer = await view({ home, port: 0 })
const browser = await openBrowser()
const { origin, search } = new URL(viewer.url)
const answer = async <T>(path: string) => {
  const address = new URL(`${origin}/api/${path}`)
  for (const [name, value] of new URLSearchParams(search)) address.searchParams.set(name, value)
  return (await (await fetch(address)).json()) as T
}
const [read, id] = (await answer<{ run: string }[]>('runs')).map((one) => one.run)

/** Where the first question is that fits. */
async function questionIn(run: string, query: string): Promise<{ scenario: string; place: string }> {
  const { items } = await answer<ListPage<ListedRow>>(`rows?run=${run}&${query}`)
  const { scenario, id, system: by } = items[0]!
  return { scenario, place: `question?${new URLSearchParams({ run, scenario, id, by })}` }
}
const { scenario, place } = await questionIn(id!, 'task=meme%2Fcascade&system=bm25&outcome=failed')
const answered = await questionIn(read!, 'task=memora%2Fremembering&system=oracle')

/** Where each page is, and what is there once it can be seen. */
const PAGES: [name: string, hash: string, there: string, press?: string][] = [
  ['runs', 'runs', '.runs'],
  ['matrix', `run?run=${id}`, '.matrix'],
  ['facts', `facts?run=${id}&end=not_retrieved`, '.list .row'],
  ['questions', `questions?run=${id}&outcome=failed`, '.list .row'],
  ['question', place, '.turns mark'],
  ['answer', answered.place, 'p.answer'],
  ['charts', `charts?run=${id}&section=success`, 'figure'],
  ['papers', `charts?run=${read}&section=memora-paper`, 'figure'],
  ['graphs', `graphs?run=${id}&system=bm25`, '.graph'],
  ['compare', `compare?run=${id}&a=bm25&b=bm25-hops`, '.flips'],
  ['data', `data?run=${id}&scenario=${encodeURIComponent(scenario)}&conversation=s04`, '.turns'],
  ['review', `review?run=${id}&kind=facts`, '.case', '.tabs button'],
]

const FURTHER = ['answer', 'papers']

mkdirSync(out, { recursive: true })
let bytes = 0
for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of SIZES)
    for (const [name, hash, there, press] of PAGES) {
      const { page, faults } = await openPage(browser, { viewport, colorScheme })
      await page.goto(`${origin}/${search}#/${hash}`)
      if (press !== undefined) await page.locator(press).first().click()
      await page.locator(there).first().waitFor()
      // What is meant may stand further down.
      if (FURTHER.includes(name)) await page.locator(there).first().scrollIntoViewIfNeeded()
      const path = join(out, `${name}-${viewport.width}-${colorScheme}.jpg`)
      await page.screenshot({ path, type: 'jpeg', quality: QUALITY })
      bytes += statSync(path).size
      if (faults.length > 0) console.error(`${name}: ${faults.join(', ')}`)
      await page.close()
    }
console.log(`${SIZES.length * 2 * PAGES.length} pictures in ${values.out}, ${(bytes / 1e6).toFixed(1)} MB`)
await browser.close()
await viewer.close()
await model.close()
removeTemporary(home)
