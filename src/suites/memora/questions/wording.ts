import { MONTHS } from '../../../base/calendar.js'
import { budgeted, counted, spent } from '../talk/wording.js'
import type { Period } from './periods.js'

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const COUNTS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/** Cents as money: `$4.50`. */
export const money = (cents: number): string => spent(cents / 100)

/** Forms in which an amount of cents may be written. */
export function moneyForms(cents: number): string[] {
  const forms = [money(cents), budgeted(cents / 100), (cents / 100).toFixed(2), `${cents / 100} dollars`]
  return [...new Set(forms)]
}

/** `64,059 steps` */
export const steps = (count: number): string => `${counted(count)} steps`

/** Forms in which a count may be written. */
export function countForms(count: number, unit = ''): string[] {
  const written = [counted(count), String(count), ...(COUNTS[count] === undefined ? [] : [COUNTS[count]])]
  return [...new Set(written)].map((one) =>
    unit === '' ? one : `${one} ${count === 1 ? unit.replace(/s$/, '') : unit}`,
  )
}

/** `7 June 2025` */
export function longDate(day: string): string {
  const { date, month, year } = partsOf(day)
  return `${date} ${month} ${year}`
}

/** `Saturday, 7 June 2025` */
export function weekdayDate(day: string): string {
  return `${WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]}, ${longDate(day)}`
}

/** Forms in which a day may be written. */
export function dateForms(day: string): string[] {
  const { date, month } = partsOf(day)
  const short = month.slice(0, 3)
  const ordinal = `${date}${ordinalEnding(date)}`
  const forms = [
    `${month} ${date}`,
    `${date} ${month}`,
    `${month} ${ordinal}`,
    `${ordinal} of ${month}`,
    `${ordinal} ${month}`,
    `${short} ${date}`,
    `${date} ${short}`,
    day,
  ]
  return [...new Set(forms)]
}

/** `June` */
export const monthName = (day: string): string => partsOf(day).month

/** `1 to 7 June 2025`, or with both months where they differ. */
export function periodText({ from, to }: Period): string {
  const [first, last] = [partsOf(from), partsOf(to)]
  if (from === to) return longDate(from)
  return first.month === last.month
    ? `${first.date} to ${longDate(to)}`
    : `${first.date} ${first.month} to ${longDate(to)}`
}

/** Forms in which the week at a place, counted from 0, may be named. */
export function weekForms({ from, to }: Period, place: number): string[] {
  const [first, last] = [partsOf(from), partsOf(to)]
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'][place]
  const end = first.month === last.month ? `${last.date}` : `${last.month} ${last.date}`
  return [
    periodText({ from, to }).replace(/ \d{4}$/, ''),
    ...['-', '\u2013', ' - ', ' to '].map((mark) => `${first.month} ${first.date}${mark}${end}`),
    `${first.date}-${last.date} ${last.month}`,
    ...(names === undefined ? [] : [`${names} week`]),
    `week ${place + 1}`,
    ...dateForms(from).map((form) => `week of ${form}`),
  ]
}

/** Names by which an item of taste goes: without its article, and a decade in words. */
export function itemForms(item: string): string[] {
  const decade = /^(?:19|20)(\d)0s$/.exec(item)
  const bare = item.replace(/^(?:The|A|An) (?=\S)/, '')
  const words = decade
    ? ['', '', 'twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties'][
        Number(decade[1])
      ]
    : undefined
  const short = decade?.[0].startsWith('19') ? [`${decade[1]}0s`] : []
  return [...new Set([item, bare, ...short, ...(words ? [words] : [])])]
}

/** `success_metrics` as words. */
export const fieldName = (field: string): string => field.replaceAll('_', ' ')

function partsOf(day: string): { date: number; month: string; year: string } {
  const [year, month, date] = day.split('-') as [string, string, string]
  return { date: Number(date), month: MONTHS[Number(month) - 1]!, year }
}

function ordinalEnding(date: number): string {
  if (date >= 11 && date <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][date % 10] ?? 'th'
}
