import type { Outcome } from '../../model/index.js'
import { OUTCOMES } from '../../model/index.js'
import { element } from './svg.js'

/** Lines drawn over the fill of an outcome, so that it is told apart without colour. Passing is plain. */
const STROKES: Partial<Record<Outcome, string>> = {
  not_stored: 'M0 6L6 0M-1 1L1 -1M5 7L7 5',
  summary_error: 'M0 3H6',
  not_retrieved: 'M0 0L6 6M5 -1L7 1M-1 5L1 7',
  unavailable: 'M0 1H6M0 4H6',
  stale_memory: 'M3 0V6',
  stale_answer: 'M1 0V6M4 0V6',
  reasoning_error: 'M0 3H6M3 0V6',
  error: 'M0 0L6 6M0 6L6 0',
}

/** Definitions of all outcome patterns; stands once on a page, before any chart. */
export function patterns(): string {
  const tiles = OUTCOMES.map((outcome) =>
    element(
      'pattern',
      { id: `fill-${outcome}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
      element('rect', { width: 6, height: 6, class: `fill-${outcome}` }) +
        (STROKES[outcome] ? element('path', { d: STROKES[outcome], class: `line-${outcome}`, fill: 'none' }) : ''),
    ),
  )
  return `<svg class="patterns" aria-hidden="true" width="0" height="0"><defs>${tiles.join('')}</defs></svg>`
}

/** A small square in the look of an outcome, for legends. */
export function swatch(outcome: Outcome): string {
  return `<svg class="swatch" aria-hidden="true" width="14" height="14" viewBox="0 0 14 14">${element('rect', {
    width: 14,
    height: 14,
    fill: `url(#fill-${outcome})`,
  })}</svg>`
}
