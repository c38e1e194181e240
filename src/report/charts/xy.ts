import type { ChartSeries, SuiteChart } from '../../model/index.js'
import { clipText, percent, quantity } from '../format.js'
import { SHAPES } from './patterns.js'
import { svgElement, svgPicture, svgText, writtenToTenth } from './svg.js'

/** A line with its look: the number of its colour and marker, or what is drawn back. */
type Drawn = ChartSeries & { look: number | 'reference' | 'ceiling' }

const WIDTH = 392
const HEIGHT = 214
const PLOT = { left: 34, right: 270, top: 8, bottom: 182 }
const LINE = 11.5

/** Rates (0 to 1) against a positive quantity on a logarithmic axis, with intervals, and names at the ends of lines. */
export function xyChart(id: string, { title, x: axis, ticks, series }: SuiteChart): string {
  let looks = 0
  // What is nothing has no place on a logarithmic axis.
  const drawn = series
    .map((one): Drawn => {
      const look = one.ceiling ? 'ceiling' : one.published ? 'reference' : looks++
      return { ...one, look, points: one.points.filter(({ x }) => x > 0) }
    })
    .filter(({ points }) => points.length > 0)
  const xs = drawn.flatMap(({ points }) => points.map(({ x }) => x))
  const marked = ticks ?? logTicks(xs)
  const all = [...xs, ...marked].filter((x) => x > 0)
  const [low, high] = [Math.log(Math.min(...all)), Math.log(Math.max(...all))]
  const place = (x: number) =>
    high === low
      ? (PLOT.left + PLOT.right) / 2
      : PLOT.left + 8 + ((Math.log(x) - low) / (high - low)) * (PLOT.right - PLOT.left - 16)
  const rise = (y: number) => PLOT.bottom - y * (PLOT.bottom - PLOT.top)
  const back = drawn.filter(({ look }) => typeof look !== 'number')
  const front = drawn.filter(({ look }) => typeof look === 'number')
  const body = [
    grid(marked, place, rise),
    svgText((PLOT.left + PLOT.right) / 2, HEIGHT - 4, axis, { 'text-anchor': 'middle', class: 'tick' }),
    ...back.map((one) => line(one, place, rise, 0)),
    ...front.map((one, at) => line(one, place, rise, (at - (front.length - 1) / 2) * 1.3)),
    names(drawn, place, rise),
  ]
  const ends = drawn.map(({ name, points }) => `${name} ${percent(points.at(-1)!.y)} %`)
  return svgPicture({ id, title, desc: ends.join(', '), width: WIDTH, height: HEIGHT, class: 'xy' }, body.join(''))
}

/** Round numbers to mark on a logarithmic axis: 1, 2, 5, 10, … within the values given. */
export function logTicks(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0)
  if (positive.length === 0) return []
  const [low, high] = [Math.min(...positive), Math.max(...positive)]
  const steps = high / low > 200 ? [1] : high / low > 20 ? [1, 3] : [1, 2, 5]
  const found: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const tick = step * 10 ** power
      if (tick >= low * 0.6 && tick <= high * 1.6) found.push(tick)
    }
  }
  return found
}

/** A marker by number: one of the shapes that stand once on a page, in the colour of its series. */
export function svgMarker(look: number, x: number, y: number): string {
  return svgElement('g', { class: `dot s${look % 8}` }, markAt(look, x, y))
}

function markAt(look: number, x: number, y: number): string {
  return svgElement('use', { href: `#m${look % SHAPES}`, x, y })
}

function grid(ticks: readonly number[], place: (x: number) => number, rise: (y: number) => number): string {
  const level = (y: number) => `M${PLOT.left} ${writtenToTenth(rise(y))}H${PLOT.right}`
  const heights = [0, 0.5, 1].map((y) => svgText(PLOT.left - 5, rise(y) + 3.5, y === 1 ? '100%' : percent(y)))
  const marks: string[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const tick of ticks) {
    const x = place(tick)
    const words = tick < 1 ? String(Number(tick.toPrecision(1))) : quantity(tick)
    const half = words.length * 2.8
    if (x - half < last + 3) continue
    last = x + half
    marks.push(svgText(x, PLOT.bottom + 14, words))
  }
  return [
    svgElement('path', { d: [0.25, 0.5, 0.75, 1].map(level).join(''), class: 'grid' }),
    svgElement('path', { d: level(0), class: 'axis' }),
    svgElement('g', { 'text-anchor': 'end', class: 'ticks' }, heights.join('')),
    svgElement('g', { 'text-anchor': 'middle', class: 'ticks' }, marks.join('')),
  ].join('')
}

function line(series: Drawn, place: (x: number) => number, rise: (y: number) => number, shift: number): string {
  const at = series.points.map((point) => ({ ...point, px: place(point.x) + shift, py: rise(point.y) }))
  const look = typeof series.look === 'number' ? `s${series.look % 8}` : series.look
  const d = at.map(({ px, py }, i) => `${i === 0 ? 'M' : 'L'}${writtenToTenth(px)} ${writtenToTenth(py)}`).join('')
  let text = at.length > 1 && !series.loose ? svgElement('path', { d, class: `line ${look}` }) : ''
  if (typeof series.look !== 'number') return text
  const whiskers = at.flatMap(({ px, ci95 }) =>
    ci95 ? `M${writtenToTenth(px)} ${writtenToTenth(rise(ci95[0]))}V${writtenToTenth(rise(ci95[1]))}` : [],
  )
  const unsure = at.flatMap(({ px, bounds }) =>
    bounds && bounds[0] < bounds[1]
      ? `M${writtenToTenth(px)} ${writtenToTenth(rise(bounds[0]))}V${writtenToTenth(rise(bounds[1]))}`
      : [],
  )
  if (unsure.length > 0) text += svgElement('path', { d: unsure.join(''), class: `unsure ${look}` })
  if (whiskers.length > 0) text += svgElement('path', { d: whiskers.join(''), class: `whisker ${look}` })
  const shape = series.look
  const marks = at.flatMap(({ px, py, unmarked }) => (unmarked ? [] : markAt(shape, px, py)))
  return text + svgElement('g', { class: `dot ${look}` }, marks.join(''))
}

// Names stand at the ends of their lines, pushed apart where ends meet and led back by a hairline.
function names(drawn: readonly Drawn[], place: (x: number) => number, rise: (y: number) => number): string {
  const ends = drawn
    .map((series) => ({ series, end: series.points.at(-1)!, y: rise(series.points.at(-1)!.y) }))
    .sort((a, b) => a.y - b.y)
  const heights = ends.map(({ y }) => y)
  const spots = spreadApart(heights, LINE, PLOT.top + 2, PLOT.bottom + 20)
  return ends
    .map(({ series, end, y }, at) => {
      const spot = spots[at]!
      const look = typeof series.look === 'number' ? `s${series.look % 8}` : series.look
      const from = place(end.x) + 7
      const lead = `M${writtenToTenth(Math.min(from, PLOT.right))} ${writtenToTenth(y)}L${PLOT.right + 8} ${writtenToTenth(spot)}`
      const mark = typeof series.look === 'number' && !series.loose ? svgMarker(series.look, PLOT.right + 14, spot) : ''
      const name = svgText(PLOT.right + (mark ? 21 : 11), spot + 3.5, clipText(series.name, 18), {
        class: `name ${look}`,
      })
      return svgElement('path', { d: lead, class: 'lead' }) + mark + name
    })
    .join('')
}

/** Moves sorted positions apart by at least `gap`, staying between `low` and `high` when they fit. */
function spreadApart(sorted: readonly number[], gap: number, low: number, high: number): number[] {
  const spots: number[] = []
  for (const y of sorted) spots.push(Math.max(y, low, (spots.at(-1) ?? Number.NEGATIVE_INFINITY) + gap))
  let limit = high
  for (let at = spots.length - 1; at >= 0; at--) {
    spots[at] = Math.min(spots[at]!, limit)
    limit = spots[at]! - gap
  }
  return spots
}
