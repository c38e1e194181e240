import type { FactEnd } from '../run-index.js'

/** A stage of the flow: where its bar stands, and the band to the next. */
export interface FlowStage {
  name: string
  n: number
  x: number
  y: number
  h: number
  d: string
}

/** A band that leaves the flow, and where it ends. */
export interface FlowLoss {
  end: FactEnd
  x: number
  d: string
}

const TOP = 38
const TALL = 150
const DROP = 52

/** Where what is lost ends, below everything. */
export const BOTTOM = TOP + TALL + DROP

/** The bands of facts from said to used, and those that leave on the way. Facts of stores that nobody can look into leave before retrieval. */
export function flowBands(
  ends: Record<FactEnd, number>,
  width: number,
): { total: number; stages: FlowStage[]; losses: FlowLoss[]; height: number } {
  const total = Object.values(ends).reduce((sum, n) => sum + n, 0)
  const isRead = ends.used + ends.unused > 0
  const order: [name: string, lost: FactEnd[]][] = [
    ['said', ['not_stored']],
    ['stored', ['damaged']],
    ['faithful', ['not_retrieved', 'unseen']],
    ['retrieved', isRead ? ['unused'] : []],
    ...(isRead ? ([['used', []]] as [string, FactEnd[]][]) : []),
  ]
  const scale = TALL / Math.max(1, total)
  const step = (width - 70) / (order.length - 1)
  const stages: FlowStage[] = []
  const losses: FlowLoss[] = []
  let left = total
  for (const [at, [name, lost]] of order.entries()) {
    const x = 30 + at * step
    const h = left * scale
    const gone = lost.reduce((sum, end) => sum + ends[end], 0)
    const stays = (left - gone) * scale
    const last = at === order.length - 1
    stages.push({ name, n: left, x, y: TOP, h, d: last || stays <= 0 ? '' : band(x + 10, TOP, x + step, TOP, stays) })
    let y = TOP + stays
    for (const end of lost) {
      const thick = ends[end] * scale
      if (thick > 0)
        losses.push({ end, x: x + 10 + step * 0.62, d: band(x + 10, y, x + 10 + step * 0.62, BOTTOM - thick, thick) })
      y += thick
    }
    left -= gone
  }
  return { total, stages, losses, height: BOTTOM + 18 }
}

/** A band of even thickness between two heights. */
function band(x1: number, y1: number, x2: number, y2: number, thick: number): string {
  const t = Math.max(1, thick)
  const mid = (x1 + x2) / 2
  const f = (value: number) => value.toFixed(1)
  return `M${f(x1)} ${f(y1)}C${f(mid)} ${f(y1)} ${f(mid)} ${f(y2)} ${f(x2)} ${f(y2)}V${f(y2 + t)}C${f(mid)} ${f(y2 + t)} ${f(mid)} ${f(y1 + t)} ${f(x1)} ${f(y1 + t)}Z`
}
