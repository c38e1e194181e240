import { plainNumbers } from '../../../../language/numbers.js'
import type { CriterionAsk } from '../../../../model/index.js'
import type { AnswerText } from '../answer-lines.js'
import { isAside } from '../aside.js'
import type { Side } from '../asks.js'
import type { CriterionFinding } from '../finding.js'
import { type Amount, amountsIn, placesOf } from './amounts.js'
import { type Count, countsIn, mayCount } from './counts.js'
import { isFormer, isOtherwise, roleAsked, roleOf } from './roles.js'
import { readStanding } from './standing.js'

/** All numbers must be there, as what they are asked for, and as ones that hold; rounding counts where it is said. */
export function judgeNumberCriterion(
  { numbers = [], status }: CriterionAsk,
  text: AnswerText,
  question: string,
): CriterionFinding {
  const found = numbers.map((wanted) => ({ wanted, ...placesOf(wanted, text) }))
  const missing = found.filter(({ how }) => how === 'none' || how === 'near')
  if (missing.length > 0) {
    const near = missing.every(({ how }) => how === 'near')
    const reason = `It does not give ${missing.map(({ wanted }) => shown(wanted)).join(' and ')}.`
    return { yes: false, sure: !near, as: near ? 'near' : 'missing', reason }
  }
  const names = numbers.map(shown).join(' and ')
  const held = found.map(({ places, ...one }) => ({
    ...one,
    places: places.filter((place) => !isFormer(place) && !(status && isSetAside(place, text))),
  }))
  if (held.some(({ places }) => places.length === 0))
    return { yes: false, sure: false, as: 'former', reason: `It gives ${names} as a number that no longer holds.` }
  const role = numbers.length === 1 ? roleAsked(question) : undefined
  const roles = held.flatMap((one) => one.places.map(roleOf))
  const places = held.flatMap((one) => one.places)
  const otherwise = numbers.length === 1 && places.every((place) => isOtherwise(question, place))
  if (otherwise || (role && !roles.includes(role) && !roles.includes(undefined)))
    return { yes: false, sure: false, as: 'other role', reason: `It gives ${names} as something else.` }
  const exact = held.every(({ how }) => how === 'exact')
  const as = exact ? (role && roles.includes(role) ? 'exact, in its role' : 'exact') : 'rounded'
  return { yes: true, sure: exact, as, reason: exact ? `It gives ${names}.` : `It gives ${names} rounded.` }
}

function isSetAside(place: Amount, text: AnswerText): boolean {
  const line = text.lines[place.line]!
  return isAside({ ...line, plain: plainNumbers(line.plain) }, place.at, place.end)
}

/** Fewer are not all of them: counts are asked of a month or more. */
const WHOLE: Record<string, number> = { weeks: 4, months: 3 }

/** Judges whether an answer gives the wanted count of weeks or months, also as "all" or as those in which it was not so. */
export function judgeCountCriterion(
  { value, unit = '' }: { value: number; unit?: string },
  text: AnswerText,
  question: string,
): CriterionFinding {
  const given = countsIn(unit, text)
  if (given.length === 0) {
    const sure = amountsIn(text).length === 0 && !mayCount(text)
    return { yes: false, sure, reason: `It gives no count of ${unit}.` }
  }
  const asked = /\b(?:over|overspen\w+|exceed\w*|missed|not (?:met|kept|reached))\b/i.test(question) ? 'broken' : 'kept'
  const counts = given.map((one) => ({ ...one, as: asCounted(one, asked) }))
  const best =
    counts.find(({ side, as }) => side === asked && as !== undefined) ?? counts.find(({ as }) => as !== undefined)
  if (best?.as === undefined)
    return { yes: false, sure: false, as: 'other side', reason: `It counts only the ${unit} in which it was not so.` }
  if (best.as === 'all')
    return { yes: value >= (WHOLE[unit] ?? 1), sure: false, reason: `It says that it was so in all ${unit}.` }
  const yes = best.as === value
  const sure = best.plain && (best.side === undefined || best.side === asked)
  return { yes, sure, reason: `It counts ${best.as} ${unit}${yes ? '' : `, not ${value}`}.` }
}

function asCounted({ count, of, side }: Count, asked: 'kept' | 'broken'): number | 'all' | undefined {
  if (side === undefined || side === asked) return count
  return of === undefined || count === 'all' ? undefined : of - count
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
