import { clip } from '../format.js'
import { element, label, picture, tenth } from './svg.js'
import { logTicks, marker } from './xy.js'

const WIDTH = 392
const PLOT = { left: 198, right: 340, top: 6 }
const STEP = 15

/** Amounts of money on one logarithmic axis, a line each, so that dollars and cents have room beside each other. */
export function moneyChart(options: {
  id: string
  title: string
  desc: string
  /** `look` is the number of colour and marker; published ones are drawn back. */
  amounts: readonly { name: string; look: number | 'reference'; usd: number }[]
  /** How an amount is written. */
  words(usd: number): string
}): string {
  const { id, title, desc, amounts, words } = options
  const values = amounts.map(({ usd }) => usd).filter((usd) => usd > 0)
  const ticks = logTicks(values)
  const [low, high] = [Math.log(Math.min(...values, ...ticks)), Math.log(Math.max(...values, ...ticks))]
  const at = (usd: number) =>
    PLOT.left + (high === low ? 0.5 : (Math.log(usd) - low) / (high - low)) * (PLOT.right - PLOT.left)
  const bottom = PLOT.top + amounts.length * STEP
  const grid = ticks.map(
    (tick) =>
      element('path', { d: `M${tenth(at(tick))} ${PLOT.top}V${bottom}`, class: 'grid' }) +
      label(at(tick), bottom + 13, words(tick), { 'text-anchor': 'middle', class: 'tick' }),
  )
  const body = amounts.map(({ name, look, usd }, i) => {
    const y = PLOT.top + (i + 0.5) * STEP
    const own = typeof look === 'number'
    const published = () => element('circle', { cx: tenth(at(usd)), cy: tenth(y), r: 2.6, class: 'reference-dot' })
    const dot = usd <= 0 ? '' : own ? marker(look, at(usd), y) : published()
    const title = { 'text-anchor': 'end', class: own ? undefined : 'name reference' }
    const amount = label(PLOT.right + 8, y + 3.5, words(usd), { class: 'tick' })
    return label(PLOT.left - 8, y + 3.5, clip(name, 36), title) + dot + amount
  })
  return picture({ id, title, desc, width: WIDTH, height: bottom + 18, class: 'xy' }, grid.join('') + body.join(''))
}
