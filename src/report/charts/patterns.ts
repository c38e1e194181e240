import type { Outcome } from '../../model/index.js'
import { OUTCOMES } from '../../model/index.js'
import { svgElement } from './svg.js'

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

/** Shapes of markers around their middle. They repeat after six, later than colours would confuse. */
const MARKERS = [
  'M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0Z',
  'M-3 -3H3V3H-3Z',
  'M0 -4L3.8 3H-3.8Z',
  'M0 -4.2L4.2 0L0 4.2L-4.2 0Z',
  'M0 4L3.8 -3H-3.8Z',
  'M-3.6 -1.2H-1.2V-3.6H1.2V-1.2H3.6V1.2H1.2V3.6H-1.2V1.2H-3.6Z',
]
export const SHAPES = MARKERS.length

/** Definitions of all outcome patterns and markers; stands once on a page, before any chart. */
export function chartDefinitions(): string {
  const tiles = OUTCOMES.map((outcome) =>
    svgElement(
      'pattern',
      { id: `fill-${outcome}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
      svgElement('rect', { width: 6, height: 6, class: `fill-${outcome}` }) +
        (STROKES[outcome] ? svgElement('path', { d: STROKES[outcome], class: `line-${outcome}`, fill: 'none' }) : ''),
    ),
  )
  const marks = MARKERS.map((d, at) => svgElement('path', { id: `m${at}`, d }))
  return `<svg class="patterns" aria-hidden="true" width="0" height="0"><defs>${tiles.join('')}${marks.join('')}</defs></svg>`
}

/** A small square in the look of an outcome, for legends. */
export function swatch(outcome: Outcome): string {
  return `<svg class="swatch" aria-hidden="true" width="14" height="14" viewBox="0 0 14 14">${svgElement('rect', {
    width: 14,
    height: 14,
    fill: `url(#fill-${outcome})`,
  })}</svg>`
}
