import type { Interval } from '../../model/index.js'
import { clip, percent } from '../format.js'
import { element, label, picture, tenth } from './svg.js'
import { marker } from './xy.js'

const WIDTH = 392
const PLOT = { left: 116, right: 356, top: 6 }
const STEP = 12
const GAP = 12

/** A group of rates that stand under each other. */
export interface DotGroup {
  name: string
  /** `look` is the number of colour and marker. */
  dots: { name: string; look: number; rate: number; ci95: Interval; bounds?: Interval }[]
}

/** Rates with their intervals, group by group, on one axis from 0 to 100 per cent: one line a dot, so that none hides another. */
export function dotChart(options: { id: string; title: string; desc: string; groups: readonly DotGroup[] }): string {
  const at = (rate: number) => PLOT.left + rate * (PLOT.right - PLOT.left)
  let y = PLOT.top
  let body = ''
  for (const { name, dots } of options.groups) {
    const tall = dots.length * STEP
    body += label(PLOT.left - 8, y + tall / 2 + 3.5, clip(name, 20), { 'text-anchor': 'end' })
    for (const [line, dot] of dots.entries()) {
      const middle = y + (line + 0.5) * STEP
      const d = `M${tenth(at(dot.ci95[0]))} ${tenth(middle)}H${tenth(at(dot.ci95[1]))}`
      const unsure = dot.bounds && `M${tenth(at(dot.bounds[0]))} ${tenth(middle)}H${tenth(at(dot.bounds[1]))}`
      if (unsure) body += element('path', { d: unsure, class: `unsure s${dot.look % 8}` })
      body += element('path', { d, class: `whisker s${dot.look % 8}` }) + marker(dot.look, at(dot.rate), middle)
      body += label(PLOT.right + 8, middle + 3.5, percent(dot.rate), { class: 'tick' })
    }
    y += tall + GAP
  }
  const bottom = y - GAP + 4
  let grid = ''
  for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
    grid += element('path', { d: `M${tenth(at(rate))} ${PLOT.top}V${bottom}`, class: rate === 0 ? 'axis' : 'grid' })
    if (rate * 2 !== Math.round(rate * 2)) continue
    const words = rate === 1 ? '100%' : percent(rate)
    grid += label(at(rate), bottom + 13, words, { 'text-anchor': 'middle', class: 'tick' })
  }
  const { id, title, desc } = options
  return picture({ id, title, desc, width: WIDTH, height: bottom + 18, class: 'xy' }, grid + body)
}
