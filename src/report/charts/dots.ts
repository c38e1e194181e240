import type { SuiteDots } from '../../model/index.js'
import { dollars } from '../cost-lines.js'
import { clipText, percent, quantity, signedPoints } from '../format.js'
import { svgElement, svgPicture, svgText, writtenToTenth } from './svg.js'
import { logTicks, svgMarker } from './xy.js'

const WIDTH = 392
const PLOT = { left: 198, right: 340, top: 6 }
const STEP = 14
const GAP = 10

/** How values of a unit are written. */
export const VALUE_WORDS: Record<SuiteDots['unit'], (value: number) => string> = {
  share: percent,
  points: signedPoints,
  usd: dollars,
  amount: quantity,
}

/** Values with their spreads, group by group, on one axis: one line a value, so that none hides another. Names have one look in all groups. */
export function dotChart(id: string, { title, unit, groups }: SuiteDots): string {
  const words = VALUE_WORDS[unit]
  const values = groups.flatMap(({ dots }) => dots.flatMap(({ value, spread = [] }) => [value, ...spread]))
  const { ticks, at } = scaleOf(unit, values)
  const looks = [...new Set(groups.flatMap(({ dots }) => dots.flatMap((dot) => (dot.published ? [] : dot.name))))]
  let y = PLOT.top
  let body = ''
  for (const { name, dots } of groups) {
    if (name !== '') {
      body += svgText(0, y + 10, clipText(name, 60), { class: 'group' })
      y += STEP
    }
    for (const { name: own, value, spread, published } of dots) {
      const middle = y + STEP / 2
      const look = looks.indexOf(own)
      const x = at(value)
      if (spread) {
        const d = `M${writtenToTenth(at(spread[0])!)} ${writtenToTenth(middle)}H${writtenToTenth(at(spread[1])!)}`
        body += svgElement('path', { d, class: `whisker s${Math.max(0, look) % 8}` })
      }
      if (x !== null)
        body += published
          ? svgElement('circle', { cx: x, cy: middle, r: 2.6, class: 'reference-dot' })
          : svgMarker(look, x, middle)
      const named = { 'text-anchor': 'end', class: published ? 'name reference' : undefined }
      body += svgText(PLOT.left - 8, middle + 3.5, clipText(own, 34), named)
      body += svgText(PLOT.right + 8, middle + 3.5, words(value), { class: 'tick' })
      y += STEP
    }
    y += GAP
  }
  const bottom = y - GAP + 4
  const grid = ticks.map(
    (tick) =>
      svgElement('path', { d: `M${writtenToTenth(at(tick)!)} ${PLOT.top}V${bottom}`, class: 'grid' }) +
      svgText(at(tick)!, bottom + 13, words(tick), { 'text-anchor': 'middle', class: 'tick' }),
  )
  const desc = groups.map(({ name, dots }) => {
    const told = dots.map((dot) => `${dot.name} ${words(dot.value)}`).join(', ')
    return name === '' ? told : `${name}: ${told}`
  })
  const size = { width: WIDTH, height: bottom + 18, class: 'xy' }
  return svgPicture({ id, title, desc: desc.join('; '), ...size }, grid.join('') + body)
}

/** Where values stand: shares from 0 to 1 or as far as they go, money by its magnitude, amounts from nothing. */
function scaleOf(
  unit: SuiteDots['unit'],
  values: readonly number[],
): { ticks: number[]; at(value: number): number | null } {
  const place = (part: number) => PLOT.left + part * (PLOT.right - PLOT.left)
  if (unit === 'usd') {
    const above = values.filter((value) => value > 0)
    const ticks = logTicks(above)
    const [low, high] = [Math.log(Math.min(...above, ...ticks)), Math.log(Math.max(...above, ...ticks))]
    return { ticks, at: (usd) => (usd <= 0 ? null : place(high === low ? 0.5 : (Math.log(usd) - low) / (high - low))) }
  }
  const widest = Math.max(0.05, ...values.map(Math.abs))
  const low = unit === 'points' ? -widest : Math.min(0, ...values)
  const high = unit === 'share' ? Math.max(1, ...values) : unit === 'points' ? widest : Math.max(1e-9, ...values)
  return { ticks: [low, (low + high) / 2, high], at: (value) => place((value - low) / (high - low)) }
}
