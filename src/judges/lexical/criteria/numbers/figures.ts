import { plainNumbers } from '../../../../language/numbers.js'
import type { CriterionAsk } from '../../../../model/index.js'
import type { AnswerText } from '../answer-lines.js'
import { isAside } from '../aside.js'
import type { Side } from '../asks.js'
import type { CriterionFinding } from '../finding.js'
import { type Amount, placesOf } from './amounts.js'
import { readStanding } from './standing.js'

/** All numbers must be there, and not only as ones that were taken out; rounding counts where it is said. */
export function judgeNumberCriterion({ numbers = [], status }: CriterionAsk, text: AnswerText): CriterionFinding {
  const found = numbers.map((wanted) => ({ wanted, ...placesOf(wanted, text) }))
  const missing = found.filter(({ how }) => how === 'none' || how === 'near')
  if (missing.length > 0) {
    const near = missing.every(({ how }) => how === 'near')
    const reason = `It does not give ${missing.map(({ wanted }) => shown(wanted)).join(' and ')}.`
    return { yes: false, sure: !near, as: near ? 'near' : 'missing', reason }
  }
  const names = numbers.map(shown).join(' and ')
  if (status && found.some(({ places }) => places.every((place) => isSetAside(place, text))))
    return { yes: false, sure: false, as: 'former', reason: `It gives ${names} as a number that no longer holds.` }
  const exact = found.every(({ how }) => how === 'exact')
  const reason = exact ? `It gives ${names}.` : `It gives ${names} rounded.`
  return { yes: true, sure: exact, as: exact ? 'exact' : 'rounded', reason }
}

function isSetAside(place: Amount, text: AnswerText): boolean {
  const line = text.lines[place.line]!
  return isAside({ ...line, plain: plainNumbers(line.plain) }, place.at, place.end)
}

/** On which side of a goal somebody is said to be. */
export function judgeSideCriterion(side: Side, text: AnswerText): CriterionFinding {
  const { good, clear, reason } = readStanding(side, text)
  const wanted = side === 'within' || side === 'met'
  return { yes: good === wanted, sure: clear, reason }
}

function shown({ value, unit }: { value: number; unit?: string }): string {
  return unit === '$'
    ? `$${Number.isInteger(value) ? value : value.toFixed(2)}`
    : unit
      ? `${value} ${unit}`
      : String(value)
}
