import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RunOverview } from '../overview.js'
import { Loaded } from './page-parts.js'
import { ChartsPage } from './pages/charts.js'
import { ComparePage } from './pages/compare.js'
import { DataPage } from './pages/data.js'
import { FactsPage } from './pages/facts.js'
import { GraphsPage } from './pages/graphs.js'
import { MatrixPage } from './pages/matrix.js'
import { QuestionPage } from './pages/question.js'
import { QuestionsPage } from './pages/questions.js'
import { ReviewPage } from './pages/review.js'
import { RowsPage } from './pages/rows.js'
import { RunsPage } from './pages/runs.js'
import { href, type Params, useRoute } from './route.js'
import { askServer, isBundle, useAnswer } from './source.js'

/** What every page of a run is given. */
export interface PageProps {
  run: RunOverview
  params: Params
  /** Changes whenever there is more to see. */
  version: string
}

type Page = { name: string; page: (props: PageProps) => VNode; server?: true; hidden?: true }

const PAGES: Record<string, Page> = {
  run: { name: 'Matrix', page: MatrixPage },
  facts: { name: 'Facts', page: FactsPage },
  questions: { name: 'Questions', page: QuestionsPage },
  question: { name: 'Question', page: QuestionPage, hidden: true },
  charts: { name: 'Charts', page: ChartsPage },
  graphs: { name: 'Graphs', page: GraphsPage },
  compare: { name: 'Compare', page: ComparePage },
  data: { name: 'Data', page: DataPage, server: true },
  review: { name: 'Review', page: ReviewPage, server: true },
}

/** How far a run is, as the server tells it. */
interface RunProgress {
  status: string
  done: number
  total: number
  shown: string
  read: number | null
}

const STATUS: Record<string, string> = { valid: 'valid', invalid: 'invalid', partial: 'not complete' }

/** How often is asked whether there is more to see: of a run that may go on, and of one that is over. */
const SOON_MS = 1000
const LATER_MS = 8000

export function App(): VNode {
  const { page, params } = useRoute()
  const run = isBundle() ? window.memscopeBundle!.run : params.run
  const isRun = run !== undefined && page !== 'runs' && page !== ''
  const name = isBundle() && !isRun ? 'run' : page
  useKeys()
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to content</a>
    ${
      page === 'rows' && !isBundle()
        ? html`<${Shell} title="Rows"><${RowsPage} at=${params.at} /></${Shell}>`
        : run === undefined || (page === 'runs' && !isBundle()) || (page === '' && !isBundle())
          ? html`<${Shell} title="Runs"><${RunsPage} /></${Shell}>`
          : html`<${RunShell} key=${run} run=${run} page=${name} params=${{ ...params, run }} />`
    }` as VNode
}

function RunShell({ run, page, params }: { run: string; page: string; params: Params }): VNode {
  const progress = useProgress(run)
  const version = progress?.shown ?? ''
  const answer = useAnswer<RunOverview>('run', { run }, version)
  const { name, page: Page } = PAGES[page] ?? PAGES.run!
  const tabs = Object.entries(PAGES).filter(([, one]) => !one.hidden && !(one.server && isBundle()))
  const nav = html`<nav aria-label="Pages"><ul>${tabs.map(
    ([id, one], at) =>
      html`<li>
        <a href=${href(id, { run })}
          aria-current=${id === page || (id === 'questions' && page === 'question') ? 'page' : undefined} data-key=${at + 1}>${one.name}</a></li>`,
  )}</ul></nav>`
  return html`<${Shell} title=${`${name} · ${run}`} nav=${nav} head=${html`<${Head} run=${run} overview=${answer.data} progress=${progress} />`}>
    <${Loaded} answer=${answer} read=${progress?.read}>
      ${(overview: RunOverview) => html`<${Page} run=${overview} params=${params} version=${version} />`}</${Loaded}>
  </${Shell}>` as VNode
}

function Head({
  run,
  overview,
  progress,
}: {
  run: string
  overview?: RunOverview
  progress: RunProgress | null
}): VNode {
  const status = progress?.status ?? overview?.status ?? ''
  const isGoingOn = progress?.status === 'partial'
  return html`<p class="head"><b class="runid">${run}</b>
    ${status && html` <span class=${`status ${status}`}>${STATUS[status] ?? status}</span>`}
    ${
      isGoingOn &&
      html` <progress max=${progress!.total} value=${progress!.done} aria-label="Questions asked" /> <span class="ci" role="status">
      ${progress!.done.toLocaleString('en')} of ${progress!.total.toLocaleString('en')}</span>`
    }
    ${overview && html` <span class="ci">${overview.errors} · ${overview.size}</span>`}
  </p>${overview?.reason && html`<p class="reason">${overview.reason}</p>`}` as VNode
}

function Shell({ title, nav, head, children }: { title: string; nav?: VNode; head?: VNode; children?: VNode }): VNode {
  useEffect(() => {
    document.title = `${title} · Memscope`
    // On a narrow screen not all tabs have room.
    document.querySelector('nav [aria-current=page]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [title])
  return html`<header class="top"><div class="brand">${isBundle() ? html`<b>Memscope</b>` : html`<a href="#/runs"><b>Memscope</b></a>`}${head}</div>
      <div class="tools"><${ThemeButton} /><${HelpButton} /></div>${nav}</header>
    <main id="main" tabindex="-1">${children}</main>` as VNode
}

/** Light, dark, or as the system is. What was chosen is kept in this browser. */
function ThemeButton(): VNode {
  const [theme, setTheme] = useState(localStorage.getItem('theme') ?? '')
  useEffect(() => {
    if (theme === '') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }, [theme])
  const next = { '': 'dark', dark: 'light', light: '' }[theme] ?? ''
  const words = theme === '' ? 'as the system' : theme
  return html`<button type="button" class="quiet" onClick=${() => setTheme(next)} aria-label=${`Colours: ${words}. Change to ${next || 'as the system'}`}
    title=${`Colours: ${words}`}>${theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'}</button>` as VNode
}

const KEYS = [
  ['1 – 9', 'a page'],
  ['/', 'search'],
  ['↓ ↑ j k', 'along a list'],
  ['Enter', 'open'],
  ['[ ]', 'the question before, the next'],
  ['u', 'back to the list'],
  ['?', 'these keys'],
]

function HelpButton(): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  return html`<button type="button" class="quiet" id="help" aria-label="Keys" title="Keys" onClick=${() => dialog.current?.showModal()}>?</button>
    <dialog ref=${dialog} aria-label="Keys"><h2>Keys</h2><dl class="keys">${KEYS.map(([key, words]) => html`<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`)}</dl>
    <form method="dialog"><button>Close</button></form></dialog>` as VNode
}

/** Keys that work everywhere, but for where somebody writes. */
function useKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isField =
        /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'range'
      if (event.ctrlKey || event.metaKey || event.altKey || (isField && event.key !== 'Escape')) return
      if (event.key === 'Escape' && isField) {
        // The browser would empty the field without a word.
        event.preventDefault()
        return target.blur()
      }
      const wanted = {
        '/': '[type=search]',
        '?': '#help',
        '[': '[data-key="["]',
        ']': '[data-key="]"]',
        u: '[data-key="u"]',
      }[event.key]
      const found = document.querySelector<HTMLElement>(
        wanted ?? (/^[1-9]$/.test(event.key) ? `nav [data-key="${event.key}"]` : 'never'),
      )
      if (!found || document.querySelector('dialog[open]')) return
      event.preventDefault()
      if (event.key === '/') found.focus()
      else found.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function skip(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** How far a run is, asked for as long as somebody looks. */
function useProgress(run: string): RunProgress | null {
  const [progress, setProgress] = useState<RunProgress | null>(null)
  useEffect(() => {
    if (isBundle()) return
    let timer = 0
    const stop = new AbortController()
    const look = async () => {
      const now = await askServer<RunProgress>('state', { run }, stop.signal).catch(() => null)
      if (stop.signal.aborted) return
      if (now) setProgress((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
      const isSoon = !now || now.status === 'partial' || now.read !== null
      timer = setTimeout(look, isSoon ? SOON_MS : LATER_MS) as unknown as number
    }
    look()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [run])
  return progress
}
