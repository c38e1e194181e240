import { outcomeWords, percents } from '../format.js'
import { outcomeCounts, type Point } from '../view.js'
import { element, label, picture } from './svg.js'

const BAR = 24
const GAP = 4
const TALL = 110

/** What became of a system's questions: one stacked bar for every k, worst outcome on top, numbers in per cent. */
export function outcomeBars(id: string, title: string, points: readonly Point[]): string {
  let body = ''
  const words: string[] = []
  for (const [at, point] of points.entries()) {
    const x = at * (BAR + GAP)
    let y = 0
    const counts = outcomeCounts(point)
    const texts = percents(counts.map(({ share }) => share))
    for (const [i, { outcome, share }] of counts.entries()) {
      const height = share * TALL
      body += element('rect', { x, y, width: BAR, height, fill: `url(#fill-${outcome})` })
      if (height >= 11) {
        const look = { 'text-anchor': 'middle', class: `in ink-${outcome}` }
        body += label(x + BAR / 2, y + height / 2 + 3.5, texts[i]!, look)
      }
      y += height
    }
    const name = point.k === null ? 'all' : String(point.k)
    body += label(x + BAR / 2, TALL + 13, name, { 'text-anchor': 'middle', class: 'tick' })
    words.push(`${name}: ${counts.map((c, i) => `${outcomeWords(c.outcome)} ${texts[i]} %`).join(', ')}`)
  }
  const width = Math.max(BAR, points.length * (BAR + GAP) - GAP)
  const desc = `By k. ${words.join('; ')}.`
  return picture({ id, title, desc, width, height: TALL + 17, class: 'bars' }, body)
}
