import type { FactCounts, Outcome } from '../../model/index.js'
import { percent } from '../format.js'
import { stageRates } from '../view.js'
import { element, label, picture } from './svg.js'

const WIDTH = 204
const BAR = 45
const GAP = 8
const TALL = 56

/**
 * Where facts die: four columns (said, stored, faithful, retrieved), each as tall as all needed facts. The lower part is what is still
 * alive; what died at a stage stands out there, and stays, faded, in the columns after it.
 */
export function funnel(options: { id: string; title: string; facts: FactCounts }): string {
  const rates = stageRates(options.facts)
  if (!rates) return ''
  const { stored, faithful, retrieved } = rates
  // What happens inside a memory that nobody can look into is left out.
  const seen = stored !== null && faithful !== null
  const alive = seen ? [1, stored, faithful, retrieved] : [1, retrieved]
  const names = seen ? ['said', 'stored', 'faithful', 'retrieved'] : ['said', 'retrieved']
  const losses: Outcome[] = seen ? ['not_stored', 'summary_error', 'not_retrieved'] : ['unavailable']
  let body = ''
  for (const [at, rate] of alive.entries()) {
    const x = at * (BAR + GAP)
    body += block(x, 1 - rate, rate, 'fill-correct')
    for (let lost = 0; lost < at; lost++) {
      const height = alive[lost]! - alive[lost + 1]!
      const top = 1 - alive[lost]!
      body += block(x, top, height, lost === at - 1 ? undefined : 'faded', `url(#fill-${losses[lost]})`)
    }
    if (at < alive.length - 1) body += ramp(x + BAR, rate, alive[at + 1]!)
    body += label(x + BAR / 2, TALL + 14, `${percent(rate)} %`, { 'text-anchor': 'middle', class: 'num' })
    body += label(x + BAR / 2, TALL + 26, names[at]!, { 'text-anchor': 'middle', class: 'tick' })
  }
  const inside = seen ? `${percent(stored)} % are stored, ${percent(faithful)} % faithful, ` : ''
  const desc = `Of ${options.facts.n} needed facts, ${inside}${percent(retrieved)} % ${seen ? '' : 'are '}retrieved.`
  return picture({ id: options.id, title: options.title, desc, width: WIDTH, height: TALL + 30, class: 'funnel' }, body)
}

function block(x: number, from: number, share: number, look: string | undefined, fill?: string): string {
  if (share <= 0) return ''
  return element('rect', { x, y: from * TALL, width: BAR, height: share * TALL, class: look, fill })
}

function ramp(x: number, from: number, to: number): string {
  const d = `M${x} ${TALL}V${((1 - from) * TALL).toFixed(1)}L${x + GAP} ${((1 - to) * TALL).toFixed(1)}V${TALL}Z`
  return element('path', { d, class: 'ramp' })
}
