import type { CriterionAsk } from '../../../../model/index.js'
import type { AnswerText } from '../answer-lines.js'
import { isAside } from '../aside.js'
import type { Side } from '../asks.js'
import type { CriterionFinding } from '../finding.js'
import { amountsIn, numberIn } from './amounts.js'
import { countIn, mayCount } from './counts.js'
import { plainNumbers } from './numerals.js'
import { readStanding } from './standing.js'

/** All numbers must be there; rounding counts where it is said. */
export function readNumbers({ numbers = [], status }: CriterionAsk, text: AnswerText): CriterionFinding {
  const found = numbers.map((wanted) => ({ wanted, ...numberIn(wanted, text) }))
  const missing = found.filter(({ how }) => how === 'none' || how === 'near')
  if (missing.length > 0) {
    const near = missing.every(({ how }) => how === 'near')
    return {
      yes: false,
      sure: !near,
      reason: `It does not give ${missing.map(({ wanted }) => shown(wanted)).join(' and ')}.`,
    }
  }
  const aside = found.every(({ at: place }) => {
    if (!place) return false
    const line = text.lines[place.line]!
    return isAside({ ...line, plain: plainNumbers(line.plain) }, place.at, place.end)
  })
  if (status && aside) return { yes: false, sure: false, reason: 'It gives the number as one that no longer holds.' }
  const exact = found.every(({ how }) => how === 'exact')
  const names = numbers.map(shown).join(' and ')
  return { yes: true, sure: exact, reason: exact ? `It gives ${names}.` : `It gives ${names} rounded.` }
}

/** Fewer are not all of them: counts are asked of a month or more. */
const WHOLE: Record<string, number> = { weeks: 4, months: 3 }

/** A count of weeks or months. */
export function readCount({ value, unit = '' }: { value: number; unit?: string }, text: AnswerText): CriterionFinding {
  const given = countIn(unit, text)
  if (!given) {
    const sure = amountsIn(text).length === 0 && !mayCount(text)
    return { yes: false, sure, reason: `It gives no count of ${unit}.` }
  }
  const { count, of, over, plain } = given
  if (over && of === undefined)
    return { yes: false, sure: false, reason: `It counts only the ${unit} in which it was not so.` }
  if (count === 'all')
    return { yes: value >= (WHOLE[unit] ?? 1), sure: false, reason: `It says that it was so in all ${unit}.` }
  const kept = over ? of! - count : count
  const yes = kept === value
  return { yes, sure: plain && !over, reason: `It counts ${kept} ${unit}${yes ? '' : `, not ${value}`}.` }
}

/** On which side of a goal somebody is said to be. */
export function readSide(side: Side, text: AnswerText): CriterionFinding {
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
