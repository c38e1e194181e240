import type { Interval, Outcome } from '../../model/index.js'
import { swatch } from '../charts/patterns.js'
import { escapeHtml } from '../escape.js'
import { NONE, outcomeWords, percent, percents } from '../format.js'
import type { Point } from '../view.js'
import { outcomeCounts } from '../view.js'

/** A column of a table; `num` aligns it as numbers. Cells are HTML already, heads are text. */
export interface Column {
  head: string
  num?: boolean
}

/** A table that scrolls by itself on narrow screens. The first cell of a row is its heading. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  look = '',
): string {
  const head = columns.map(
    (column) => `<th scope="col"${column.num ? ' class="num"' : ''}>${escapeHtml(column.head)}</th>`,
  )
  const body = rows.map((cells) => {
    const row = cells.map((cell, at) => {
      const name = at === 0 ? 'th scope="row"' : 'td'
      return `<${name}${columns[at]?.num ? ' class="num"' : ''}>${cell}</${at === 0 ? 'th' : 'td'}>`
    })
    return `<tr>${row.join('')}</tr>`
  })
  return `<div class="scroll" role="region" aria-label="${escapeHtml(caption)}" tabindex="0"><table class="${look}"><caption>${escapeHtml(
    caption,
  )}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>\n`
}

/** Something to open. */
export function more(summary: string, body: string, look = ''): string {
  return `<details class="${look || 'alt'}"><summary>${escapeHtml(summary)}</summary>${body}</details>\n`
}

export function section(id: string, title: string, intro: string, body: string): string {
  return `<section id="${id}"><h2>${escapeHtml(title)}</h2>${intro ? `<p class="intro">${escapeHtml(intro)}</p>` : ''}\n${body}</section>\n`
}

/** Outcomes with their looks, for those that occur. */
export function legend(outcomes: readonly Outcome[]): string {
  return `<ul class="legend" aria-label="Outcomes">${outcomes
    .map((outcome) => `<li>${swatch(outcome)} ${outcomeWords(outcome)}</li>`)
    .join('')}</ul>\n`
}

/** The outcomes of a point as one bar. */
export function outcomeBar(point: Point): string {
  const counts = outcomeCounts(point)
  if (counts.length === 0) return ''
  const texts = percents(counts.map((c) => c.share)).map(escapeHtml)
  const words = counts.map((c, at) => `${outcomeWords(c.outcome)} ${texts[at]} %`).join(', ')
  const bars = counts.map(({ outcome, share: part }, at) => {
    return `<i class="o-${outcome}" style="width:${(part * 100).toFixed(1)}%">${part >= 0.2 ? texts[at] : ''}</i>`
  })
  return `<span class="mix" role="img" aria-label="${words}" title="${words}">${bars.join('')}</span>`
}

/** A rate as whole per cent, as HTML: "<1" and ">99" are escaped. */
export function share(value: number | null | undefined): string {
  return escapeHtml(percent(value))
}

/** A rate with its interval: "41 % 36–47". */
export function rate(value: { rate: number; ci95?: Interval } | null): string {
  if (!value) return NONE
  if (!value.ci95) return share(value.rate)
  return `${share(value.rate)} <span class="ci">${Math.round(value.ci95[0] * 100)}–${Math.round(value.ci95[1] * 100)}</span>`
}

/** A name for anchors and ids, made of letters, digits and hyphens only. */
export function anchor(...parts: string[]): string {
  return parts
    .join('-')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
}
