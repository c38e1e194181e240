import type { Interval, Outcome } from '../../model/index.js'
import { swatch } from '../charts/patterns.js'
import { escapeHtml } from '../escape.js'
import { boundsText, outcomeWords, percent, percentRange, percents } from '../format.js'
import { LETTERS } from '../letters.js'

/**
 * A table that scrolls by itself on narrow screens. The first cell of a row is its heading; columns behind the first `names`, up to five, are
 * aligned as numbers: the style sheet does it, for thousands of cells would say it. Cells are HTML already, heads are text.
 */
export function tableHtml(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { names = 1, look = '' } = {},
): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`)
  const body = rows.map(([first, ...cells]) => {
    const row = cells.map((cell) => `<td>${cell}</td>`)
    return `<tr><th scope="row">${first}</th>${row.join('')}</tr>`
  })
  const label = escapeHtml(caption)
  const parts = `<caption>${label}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody>`
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="${`after-${names} ${look}`.trim()}">${parts}</table></div>\n`
}

/** Something to open. */
export function detailsHtml(summary: string, body: string): string {
  return `<details class="alt"><summary>${escapeHtml(summary)}</summary>${body}</details>\n`
}

/** @param intro sentences; those that do not apply may be false */
export function sectionHtml(id: string, title: string, intro: readonly (string | false)[], body: string): string {
  const words = intro.filter(Boolean).join(' ')
  const said = words === '' ? '' : `<p class="intro">${escapeHtml(words)}</p>`
  return `<section id="${id}"><h2>${escapeHtml(title)}</h2>${said}\n${body}</section>\n`
}

/** Outcomes with their looks, for those that occur, and with their letters where these are used. */
export function legendHtml(outcomes: readonly Outcome[], lettered = false): string {
  const letter = (outcome: Outcome) => (lettered && /[A-Z]/.test(LETTERS[outcome]) ? `<b>${LETTERS[outcome]}</b> ` : '')
  const items = outcomes.map((outcome) => `<li>${swatch(outcome)} ${letter(outcome)}${outcomeWords(outcome)}</li>`)
  return `<ul class="legend" aria-label="Outcomes">${items.join('')}</ul>\n`
}

/** What became of a whole, as one bar. */
export function mixBar(parts: readonly { outcome: Outcome; share: number }[]): string {
  const texts = percents(parts.map((part) => part.share)).map(escapeHtml)
  const words = parts.map(({ outcome }, at) => `${outcomeWords(outcome)} ${texts[at]} %`).join(', ')
  const bars = parts.map(({ outcome, share: part }, at) => {
    return `<i class="o-${outcome}" style="width:${(part * 100).toFixed(1)}%">${part >= 0.08 ? texts[at] : ''}</i>`
  })
  return parts.length === 0 ? '' : `<span class="mix" role="img" title="${words}">${bars.join('')}</span>`
}

/** A rate as whole per cent, as HTML: "<1" and ">99" are escaped. */
export function percentHtml(value: number | null | undefined): string {
  return escapeHtml(percent(value))
}

/** The interval of a rate, and its bounds in brackets where they have width. */
export function intervalHtml({ ci95, bounds }: { ci95?: Interval; bounds?: Interval }): string {
  const ends = boundsText(bounds)
  const texts = [ci95 && percentRange(ci95), ends && `[${ends}]`].filter(Boolean)
  return texts.length === 0 ? '' : `<small>${texts.join(' ')}</small>`
}

/** A name for anchors and ids, made of letters, digits and hyphens only. */
export function anchor(...parts: string[]): string {
  const name = parts.join('-').replace(/[^A-Za-z0-9]+/g, '-')
  return name.toLowerCase()
}
