import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ReviewedRow, ReviewTable } from '../../review-table.js'
import { Loaded } from '../page-parts.js'
import { chooseInAddress } from '../route.js'
import { tellServer, useAnswer } from '../source.js'
import { useOneAtATime } from '../use-one-at-a-time.js'

const VERDICTS = [
  ['a', 'keep', 'keep: all that is claimed follows from the text'],
  ['s', 'reject', 'reject: it does not, or the text is no good'],
] as const

/** Rows of generated data to keep or reject, one by one, without what a rule, a model or the other reviewer found. */
export function RowsPage({ at }: { at?: string }): VNode {
  const answer = useAnswer<ReviewTable>('table', {})
  return html`<h1>Rows</h1>
    <p class="intro">Keep a row, or reject it. What you decide is written into your table at once.</p>
    <${Loaded} answer=${answer}>${(table: ReviewTable) => html`<${Rows} table=${table} at=${at} />`}</${Loaded}>` as VNode
}

function Rows({ table, at }: { table: ReviewTable; at?: string }): VNode {
  const [rows, setRows] = useState(table.rows)
  const [problem, setProblem] = useState('')
  const open = rows.findIndex(({ verdict }) => verdict === '')
  const place = Math.min(rows.length - 1, at ? Number(at) : Math.max(0, open))
  const one = rows[place]!
  const done = rows.filter(({ verdict }) => verdict !== '').length
  const put = (change: Partial<ReviewedRow>) =>
    tellServer<ReviewedRow>('decide', { id: one.id, ...change }).then(
      (row) => {
        setProblem('')
        setRows((before) => before.map((old) => (old.id === row.id ? row : old)))
      },
      (error) => setProblem(error instanceof Error ? error.message : String(error)),
    )
  const step = (by: number) => chooseInAddress({ at: String(Math.max(0, Math.min(rows.length - 1, place + by))) })
  const alone = useOneAtATime()
  const decide = (verdict: string) =>
    alone(() =>
      put({ verdict }).then(() => {
        const next = rows.findIndex((row, i) => i > place && row.verdict === '')
        chooseInAddress({ at: String(next >= 0 ? next : Math.min(place + 1, rows.length - 1)) })
      }),
    )
  // With what is drawn: a key that comes before the next frame is meant for the row that is seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const given = VERDICTS.find(([key]) => key === event.key)
      const isField = /^(?:INPUT|TEXTAREA)$/.test((event.target as HTMLElement).tagName)
      // A key that is held down says nothing about the rows that come by.
      if (!given || isField || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      decide(given[1])
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return html`<section aria-label="Row" class="case"><p class="around">
    <button type="button" data-key="[" onClick=${() => step(-1)}>‹ before</button> <button type="button" data-key="]"
      onClick=${() => step(1)}>next ›</button> <span class="ci">${place + 1} of ${rows.length} · ${done} decided</span> <progress
      max=${rows.length} value=${done} aria-label="Decided" /></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="columns"><div><h2>What is said</h2><p class="turn text">${one.text}</p></div>
      <div><h2>What is claimed of it</h2><p class="turn text">${one.claim}</p></div></div>
    <p class="labels" role="group" aria-label="Verdict">
      ${VERDICTS.map(
        ([
          key,
          verdict,
          words,
        ]) => html`<button type="button" aria-pressed=${one.verdict === verdict} onClick=${() => decide(verdict)}><kbd>
      ${key}</kbd> ${words}</button>`,
      )}</p>
    <p><label>Note <input type="text" key=${one.id} value=${one.note} onChange=${(event: Event) => put({ note: (event.target as HTMLInputElement).value })} /></label></p>
    <p class="ci" role="status">${done === rows.length ? 'All rows are decided. ' : ''}Written into <code>${table.file}</code></p></section>` as VNode
}
