import type { Page } from 'playwright-core'
import { run, view } from '../../src/library.js'
import { openBrowser, openPage } from '../../tools/screenshots/browser.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import { type Bench, quantile } from '../bench.js'
import { keyMemories, keySuite, QUESTIONS, wideSuite } from './keys.js'

const TARGET = { paint: 1500, interaction: 100 }
const TIMES = 7

/** How quickly the viewer shows a large run, and answers to what somebody does. */
export const viewBench: Bench = {
  name: 'view',
  about: `the viewer over a run of ${QUESTIONS.toLocaleString('en')} questions: first paint, and what somebody does`,
  async run(progress) {
    const home = temporaryFolder('bench-view')
    progress('making the run')
    const wide = (await run({ suite: wideSuite, system: keyMemories, k: [1, 2, 5, 10], home })).run
    const id = (await run({ suite: keySuite, system: keyMemories.slice(0, 1), k: [1, 2], home })).run
    const browser = await openBrowser()
    const begun = performance.now()
    const viewer = await view({ home, port: 0, parts: [keySuite, wideSuite, ...keyMemories] })
    const { origin, search } = new URL(viewer.url)
    const base = `${origin}/${search}`
    try {
      progress('opening it at once')
      const unread = await openPage(browser)
      await unread.page.goto(`${base}#/run?run=${id}`)
      const early = await unread.page.evaluate<number>(FIRST_PAINT)
      await unread.page.locator('.matrix').waitFor({ timeout: 120_000 })
      const read = performance.now() - begun
      await unread.page.close()
      const rows: string[][] = []
      const add = (what: string, taken: readonly number[], target: number) => {
        const middle = quantile(taken, 0.5)
        rows.push([what, ms(middle), ms(target), middle <= target ? 'yes' : 'no'])
      }
      add('first paint while the run is read', [early], TARGET.paint)
      rows.push(['start of the server until the run is read, once, and its matrix drawn', ms(read), '–', '–'])
      const paints: number[] = []
      const shown: number[] = []
      for (let time = 0; time < TIMES; time++) {
        progress(`first paint ${time + 1} of ${TIMES}`)
        const { page } = await openPage(browser)
        await page.goto(`${base}#/run?run=${id}`)
        await page.locator('.matrix').waitFor()
        shown.push(await page.evaluate<number>('performance.now()'))
        paints.push(await page.evaluate<number>(FIRST_PAINT))
        await page.close()
      }
      add('first paint', paints, TARGET.paint)
      add('matrix drawn', shown, TARGET.paint)
      const { page } = await openPage(browser)
      const measure = async (where: string, there: string, acts: typeof ACTS) => {
        await page.goto(`${base}#/${where}`)
        await page.locator(there).first().waitFor()
        for (const [what, act] of acts) {
          progress(what)
          const taken: number[] = []
          for (let time = 0; time < TIMES; time++) taken.push(await act(page, time))
          add(what, taken, TARGET.interaction)
        }
      }
      await measure(`questions?run=${id}`, '.list .row', ACTS)
      await measure(`run?run=${wide}`, '.matrix', MATRIX_ACTS)
      return {
        title: 'The viewer over a large run',
        note: [
          `Headless Chromium over ${QUESTIONS.toLocaleString('en')} questions of one system.`,
          'The server reads a run once, when it starts; until then the page says how far it is. The wide matrix has 20 tasks and 8 systems.',
          `Times of the page are from navigation, those of acts from the act until what it leads to is drawn; the middle of ${TIMES}.`,
        ].join(' '),
        columns: ['', 'ms', 'at most', 'as wanted'],
        rows,
      }
    } finally {
      await browser.close()
      await viewer.close()
      removeTemporary(home)
    }
  },
}

const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"

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
      return timed(page, typing(word), `document.querySelector('.row .words')?.textContent.includes('${word}')`)
    },
  ],
  [
    'choosing an outcome',
    async (page, time) => {
      const value = time % 2 === 0 ? 'not_retrieved' : 'answerable'
      const act = set("[...document.querySelectorAll('.choice select')].at(-1)", value, 'change')
      return timed(
        page,
        act,
        `document.querySelector('.row .tag')?.className.includes('${value}') && ${list}.ariaBusy === 'false'`,
      )
    },
  ],
  ['going to the facts, and where they end', (page) => goTo(page, 'facts', '.flow svg .stage')],
  ['going back to the questions', (page) => goTo(page, 'questions', '.list .row')],
  [
    'opening a question',
    async (page) => {
      const taken = await timed(
        page,
        "document.querySelector('.list .row').click()",
        "document.querySelector('.turns mark')",
      )
      await goTo(page, 'questions', '.list .row')
      return taken
    },
  ],
]

const MATRIX_ACTS: typeof ACTS = [
  [
    'sliding a wide matrix to another depth',
    (page, time) => {
      const act = set("document.querySelector('[type=range]')", String(1 + (time % 4)), 'input')
      return timed(page, act, `document.querySelector('.slider b').textContent === 'k = ${[1, 2, 5, 10][time % 4]}'`)
    },
  ],
  [
    'searching its tasks',
    (page, time) => {
      const word = `door-${10 + time}`
      return timed(page, typing(word), `document.querySelectorAll('.matrix tbody tr').length === 1`)
    },
  ],
  [
    'showing all of it again',
    async (page) => {
      await timed(page, typing('door-12'), "document.querySelectorAll('.matrix tbody tr').length === 1")
      return timed(page, typing(''), "document.querySelectorAll('.matrix tbody tr').length === 20")
    },
  ],
  ['going to its charts', (page) => goTo(page, 'charts', 'figure')],
  ['going back to the matrix', (page) => goTo(page, 'run', '.matrix')],
]

/** Clicks on a page's tab, and waits until it is drawn. */
function goTo(page: Page, name: string, there: string): Promise<number> {
  return timed(
    page,
    `document.querySelector('nav a[href^="#/${name}?"]').click()`,
    `document.querySelector('${there}')`,
  )
}

/** Code of the page that gives a field a value, as somebody does. */
function set(field: string, value: string, event: string): string {
  return `const field = ${field}; field.value = '${value}'; field.dispatchEvent(new Event('${event}', { bubbles: true }))`
}

function typing(word: string): string {
  return set("document.querySelector('[type=search]')", word, 'input')
}

function ms(value: number): string {
  return Math.round(value).toLocaleString('en')
}
