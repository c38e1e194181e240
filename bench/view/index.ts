import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { run, view } from '../../src/library.js'
import { openBrowser, openPage } from '../../tools/screenshots/browser.js'
import { type Bench, quantile } from '../bench.js'
import { keyMemory, keySuite, QUESTIONS } from './keys.js'

const TARGET = { paint: 1500, interaction: 100 }
const TIMES = 7

/** How quickly the viewer shows a large run, and answers to what somebody does. */
export const viewBench: Bench = {
  name: 'view',
  about: `the viewer over a run of ${QUESTIONS.toLocaleString('en')} questions: first paint, and what somebody does`,
  async run(progress) {
    const home = mkdtempSync(join(tmpdir(), 'memscope-bench-view-'))
    progress('making the run')
    await run({ suite: keySuite, system: [keyMemory], k: [1], home })
    const begun = performance.now()
    const viewer = await view({ home, port: 0, parts: [keySuite, keyMemory] })
    const base = new URL(viewer.url).origin
    const id = new URLSearchParams(new URL(viewer.url).hash.split('?')[1]).get('run')!
    await fetch(`${base}/api/run?run=${id}`)
    const read = performance.now() - begun
    const browser = await openBrowser()
    try {
      const rows: string[][] = [['reading the run, once', ms(read), '–', '–']]
      const add = (what: string, taken: readonly number[], target: number) => {
        const middle = quantile(taken, 0.5)
        rows.push([what, ms(middle), ms(target), middle <= target ? 'yes' : 'no'])
      }
      const paints: number[] = []
      const shown: number[] = []
      for (let time = 0; time < TIMES; time++) {
        progress(`first paint ${time + 1} of ${TIMES}`)
        const { page } = await openPage(browser)
        await page.goto(`${base}/#/run?run=${id}`)
        await page.locator('.matrix').waitFor()
        shown.push(await page.evaluate<number>('performance.now()'))
        paints.push(await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        await page.close()
      }
      add('first paint', paints, TARGET.paint)
      add('matrix drawn', shown, TARGET.paint)
      const { page } = await openPage(browser)
      await page.goto(`${base}/#/questions?run=${id}`)
      await page.locator('.list .row').first().waitFor()
      for (const [what, act] of ACTS) {
        const taken: number[] = []
        for (let time = 0; time < TIMES; time++) taken.push(await act(page, time))
        add(what, taken, TARGET.interaction)
      }
      return {
        title: 'The viewer over a large run',
        note: `Headless Chromium over ${QUESTIONS.toLocaleString('en')} questions of one system. The server reads a run once, when it starts; until then the page says so. Times of the page are from navigation, those of acts from the act until what it leads to is drawn; the middle of ${TIMES}.`,
        columns: ['', 'ms', 'at most', 'as wanted'],
        rows,
      }
    } finally {
      await browser.close()
      await viewer.close()
      rmSync(home, { recursive: true, force: true })
    }
  },
}

/** Does something in the page and waits, frame by frame, until a condition holds. Both are code of the page. */
async function timed(page: Page, act: string, done: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const begun = performance.now()
    ${act}
    const look = () => (${done} ? resolve(performance.now() - begun) : requestAnimationFrame(look))
    requestAnimationFrame(look)
  })`)
}

const list = "document.querySelector('.list')"
const ACTS: [what: string, act: (page: Page, time: number) => Promise<number>][] = [
  [
    'jumping somewhere in the list',
    (page, time) => {
      const at = 5000 + time * 6000
      return timed(page, `${list}.scrollTop = ${at * 46}`, `document.querySelector('[aria-posinset="${at + 3}"] .row')`)
    },
  ],
  [
    'searching all questions',
    async (page, time) => {
      const word = `key-${time + 1}23`
      const act = `const field = document.querySelector('[type=search]'); field.value = '${word}'; field.dispatchEvent(new Event('input', { bubbles: true }))`
      return timed(page, act, `document.querySelector('.row .words')?.textContent.includes('${word}')`)
    },
  ],
  [
    'choosing an outcome',
    async (page, time) => {
      const value = time % 2 === 0 ? 'not_retrieved' : 'answerable'
      const act = `const field = [...document.querySelectorAll('.choice select')].at(-1); field.value = '${value}'; field.dispatchEvent(new Event('change', { bubbles: true }))`
      return timed(
        page,
        act,
        `document.querySelector('.row .tag')?.className.includes('${value}') && ${list}.ariaBusy === 'false'`,
      )
    },
  ],
]

function ms(value: number): string {
  return Math.round(value).toLocaleString('en')
}
