import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import type { Interval } from '../../base/intervals.js'
import { OUTCOMES, type Outcome } from '../../model/score.js'
import type { SuitePart, SuiteSection, SuiteTable, TableCell } from '../../model/suite-report.js'
import { dotChart } from '../../report/charts/dots.js'
import { swatch } from '../../report/charts/patterns.js'
import { xyChart } from '../../report/charts/xy.js'
import { outcomeWords, percent, percentRange, percents } from '../../report/format.js'
import { excerpt } from '../../report/html/excerpt.js'
import { LETTERS } from '../../report/letters.js'
import { tableOf } from '../../report/part-tables.js'
import type { AnswerState } from './source.js'

/** Markup that our own functions made, with every text in it escaped. */
function Drawn({ markup, as = 'div', look = '' }: { markup: string; as?: string; look?: string }): VNode {
  return html`<${as} class=${look} dangerouslySetInnerHTML=${{ __html: markup }} />` as VNode
}

/** A text with passages of it marked. */
export function Marked({
  text,
  quotes,
  most = 20_000,
}: {
  text: string
  quotes: readonly string[]
  most?: number
}): VNode {
  return Drawn({ markup: excerpt(text, quotes, most), as: 'span', look: 'text' })
}

/** A rate with its interval. */
export function Rate({ rate, ci95 }: { rate: number | null; ci95: Interval | null }): VNode {
  return html`<span><b class="num">${percent(rate)}</b>${ci95 && html` <span class="ci">${percentRange(ci95)}</span>`}</span>` as VNode
}

/** An outcome as its words, in its colour. */
export function Tag({ outcome }: { outcome: Outcome | null }): VNode {
  return (
    outcome === null
      ? html`<span class="tag">not measured</span>`
      : html`<span class=${`tag o-${outcome}`}>${outcomeWords(outcome)}</span>`
  ) as VNode
}

/** What became of a whole, as one bar. */
export function MixBar({ mix }: { mix: readonly { outcome: Outcome; share: number }[] }): VNode | null {
  if (mix.length === 0) return null
  const texts = percents(mix.map(({ share }) => share))
  const words = mix.map(({ outcome }, at) => `${outcomeWords(outcome)} ${texts[at]} %`).join(', ')
  return html`<span class="mix" role="img" aria-label=${words} title=${words}>${mix.map(
    ({ outcome, share }, at) =>
      html`<i class=${`o-${outcome}`} style=${{ width: `${share * 100}%` }}>${share >= 0.14 ? texts[at] : ''}</i>`,
  )}</span>` as VNode
}

/** Outcomes at every depth as letters. */
export function Strip({ along }: { along: readonly { depth: string; outcome: Outcome | null }[] }): VNode | null {
  if (along.length < 2) return null
  const words = along
    .map(({ depth, outcome }) => `${depth}: ${outcome ? outcomeWords(outcome) : 'not measured'}`)
    .join(', ')
  return html`<span class="ks" role="img" aria-label=${words} title=${words}>${along.map(
    ({ outcome }) => html`<i class=${outcome ? `o-${outcome}` : ''}>${outcome ? LETTERS[outcome] : '·'}</i>`,
  )}</span>` as VNode
}

/** Outcomes with their looks. */
export function Legend({ outcomes }: { outcomes: readonly Outcome[] }): VNode {
  return html`<ul class="legend" aria-label="Outcomes">${outcomes.map(
    (outcome) =>
      html`<li><${Drawn} markup=${swatch(outcome)} as="span" /> ${
        /[A-Z]/.test(LETTERS[outcome]) &&
        html`<b>${LETTERS[outcome]}
        </b> `
      }${outcomeWords(outcome)}</li>`,
  )}</ul>` as VNode
}

/** Something that was asked for, once it is there; until then, or when it failed, a word about it. */
export function Loaded<T>(props: {
  answer: AnswerState<T>
  /** The share of it that was read so far, where that is known. */
  read?: number | null
  children: (data: T) => ComponentChildren
}): VNode {
  const { answer, read, children } = props
  if (answer.error !== undefined) return html`<p class="problem" role="alert">${answer.error}</p>` as VNode
  if (answer.data === undefined)
    return html`<p class="wait" role="status">Reading …${read != null && ` ${percent(read)} %`}</p>` as VNode
  return html`<div aria-busy=${answer.isLoading}>${children(answer.data)}</div>` as VNode
}

/** A choice among words. */
export function Choice(props: {
  name: string
  value: string
  options: readonly (readonly [value: string, words: string])[]
  onChoose(value: string): void
}): VNode {
  const change = (event: Event) => props.onChoose((event.target as HTMLSelectElement).value)
  return html`<label class="choice"><span>${props.name}</span><select value=${props.value} onChange=${change}>${props.options.map(
    ([value, words]) => html`<option value=${value} selected=${value === props.value}>${words}</option>`,
  )}</select></label>` as VNode
}

/** A section of data. */
export function Section({ section: { id, title, intro, parts } }: { section: SuiteSection }): VNode {
  return html`<section id=${id}><h2>${title}</h2>${intro && html`<p class="intro">${intro}</p>`}<${Parts} parts=${parts} place=${id} /></section>` as VNode
}

function Parts({ parts, place }: { parts: readonly SuitePart[]; place: string }): VNode {
  const groups: SuitePart[][] = []
  const isPicture = ({ kind }: SuitePart) => kind === 'chart' || kind === 'dots' || kind === 'stack'
  for (const part of parts) {
    const last = groups.at(-1)
    if (last && isPicture(part) && isPicture(last[0]!)) last.push(part)
    else groups.push([part])
  }
  return html`${groups.map((group, g) =>
    isPicture(group[0]!)
      ? html`<div class="charts">${group.map((part, at) => html`<${Picture} part=${part} id=${`${place}-${g}-${at}`} />`)}</div>`
      : html`<${Part} part=${group[0]!} place=${`${place}-${g}`} />`,
  )}` as VNode
}

function Part({ part, place }: { part: SuitePart; place: string }): VNode | null {
  if (part.kind === 'table') return Table({ table: part })
  if (part.kind !== 'fold') return null
  return html`<details><summary>${part.title}</summary><${Parts} parts=${part.parts} place=${place} /></details>` as VNode
}

function Picture({ part, id }: { part: SuitePart; id: string }): VNode | null {
  if (part.kind === 'stack') {
    const used = new Set(part.bars.flatMap(({ parts }) => parts.map(({ outcome }) => outcome)))
    return html`<figure><figcaption>${part.title}</figcaption><${Legend} outcomes=${OUTCOMES.filter((outcome) => used.has(outcome))} />
      <table class="stack"><caption class="hidden">${part.title}</caption><tbody>${part.bars.map(
        ({ name, beside, parts }) =>
          html`<tr><th scope="row">${name} ${beside && html`<span class="ci">${beside}</span>`}</th><td><${MixBar} mix=${parts} /></td></tr>`,
      )}</tbody></table></figure>` as VNode
  }
  if (part.kind !== 'chart' && part.kind !== 'dots') return null
  const markup = part.kind === 'chart' ? xyChart(id, part) : dotChart(id, part)
  return html`<figure><figcaption>${part.title}</figcaption><${Drawn} markup=${markup} />${part.note && html`<p class="note">${part.note}</p>`}
    <details><summary>as a table</summary><${Table} table=${tableOf(part)} /></details></figure>` as VNode
}

function Table({ table: { title, columns, names = 1, rows } }: { table: SuiteTable }): VNode {
  const num = (at: number) => (at >= names ? 'num' : '')
  return html`<div class="scroll" role="region" aria-label=${title} tabindex="0"><table><caption>${title}</caption><thead><tr>${columns.map(
    (column, at) => html`<th scope="col" class=${num(at)}>${column}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first, ...cells]) =>
      html`<tr><th scope="row"><${Cell} cell=${first ?? ''} /></th>${cells.map(
        (cell, at) => html`<td class=${num(at + 1)}><${Cell} cell=${cell} />
        </td>`,
      )}</tr>`,
  )}</tbody></table></div>` as VNode
}

function Cell({ cell }: { cell: TableCell }): VNode {
  if (typeof cell === 'string') return html`${cell}` as VNode
  return html`${cell.strong ? html`<b>${cell.text}</b>` : cell.text}${cell.beside !== undefined && html` <span class="ci">${cell.beside}</span>`}` as VNode
}
