import { MONTHS, WEEKDAYS } from '../../base/calendar.js'
import type { Random } from '../../base/random.js'
import { ORDINALS, TENS, UNITS } from '../../language/number-words.js'
import { ordinal, type Period, weekdayOf } from './days.js'
import type { FieldValue, Liking } from './trace.js'

/** `$4.50`: money spent, always with cents. */
export const spent = (amount: number): string => `$${grouped(amount.toFixed(2))}`

/** `$40` or `$325,000`: budgets, with cents only where there are some. */
export const budgeted = (amount: number): string =>
  Number.isInteger(amount) ? `$${grouped(String(amount))}` : spent(amount)

/** `8,432` */
export const counted = (count: number): string => grouped(String(count))

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',')

/** Cents as money: `$4.50`. */
export const money = (cents: number): string => spent(cents / 100)

/** Forms in which an amount of cents may be written. */
export function moneyForms(cents: number): string[] {
  const forms = [money(cents), budgeted(cents / 100), (cents / 100).toFixed(2), `${cents / 100} dollars`]
  return [...new Set(forms)]
}

/** `64,059 steps` */
export const steps = (count: number): string => `${counted(count)} steps`

/** Numbers up to twenty in words. */
const NUMBERS = [...UNITS, TENS[0]!]

/** A small number in digits and in words. */
export const numberForms = (count: number): string[] => [String(count), NUMBERS[count] ?? []].flat()

/** Forms in which a count may be written. */
export function countForms(count: number, unit = ''): string[] {
  const written = [...new Set([counted(count), ...numberForms(count)])]
  return written.map((one) => (unit === '' ? one : `${one} ${count === 1 ? unit.replace(/s$/, '') : unit}`))
}

/** What a meal is called in a sentence. */
export const mealName = (meal: string): string => (meal === 'grocery' ? 'groceries' : meal)

/** Words for a meal in a text. */
export const mealForms = (meal: string): string[] => (meal === 'grocery' ? ['groceries', 'grocery'] : [meal])

/** `7 June 2025` */
export function longDate(day: string): string {
  const { date, month, year } = partsOf(day)
  return `${date} ${month} ${year}`
}

/** `Saturday, 7 June 2025` */
export const weekdayDate = (day: string): string => `${WEEKDAYS[weekdayOf(day)]}, ${longDate(day)}`

/** Forms in which a day may be written. */
export function dateForms(day: string): string[] {
  const { date, month } = partsOf(day)
  const short = month.slice(0, 3)
  const place = ordinal(date)
  const forms = [
    ...[`${month} ${date}`, `${date} ${month}`, `${month} ${place}`, `${place} of ${month}`, `${place} ${month}`],
    ...[`${short} ${date}`, `${date} ${short}`, day],
  ]
  return [...new Set(forms)]
}

/** A day as people say it; the year is named when it is another one than that of `today`. */
export function dated(day: string, today: string, random: Random): string {
  const { date, month, year } = partsOf(day)
  const weekday = WEEKDAYS[weekdayOf(day)]!
  if (year !== today.slice(0, 4)) return `${month} ${date}, ${year}`
  return random.pick([
    `${month} ${date}`,
    `${weekday}, ${month} ${date}`,
    `${date} ${month}`,
    `${month} ${ordinal(date)}`,
    `the ${ordinal(date)} of ${month}`,
    `${weekday}, ${date} ${month}`,
  ])
}

/** `June` */
export const monthName = (day: string): string => partsOf(day).month

/** `1 to 7 June 2025`, or with both months where they differ. */
export function periodText({ from, to }: Period): string {
  const [first, last] = [partsOf(from), partsOf(to)]
  if (from === to) return longDate(from)
  return `${first.date}${first.month === last.month ? '' : ` ${first.month}`} to ${longDate(to)}`
}

/** Forms in which the week at a place, counted from 0, may be named. */
export function weekForms({ from, to }: Period, place: number): string[] {
  const [first, last] = [partsOf(from), partsOf(to)]
  const name = ORDINALS.slice(1, 7)[place]
  const end = first.month === last.month ? `${last.date}` : `${last.month} ${last.date}`
  return [
    periodText({ from, to }).replace(/ \d{4}$/, ''),
    ...['-', '\u2013', ' - ', ' to '].map((mark) => `${first.month} ${first.date}${mark}${end}`),
    `${first.date}-${last.date} ${last.month}`,
    ...(name === undefined ? [] : [`${name} week`]),
    `week ${place + 1}`,
    ...dateForms(from).map((form) => `week of ${form}`),
  ]
}

const DECADES = ['twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties']

/** Names by which an item of taste goes: without its article, and a decade in words. */
export function itemForms(item: string): string[] {
  const [, century, decade] = /^(19|20)(\d)0s$/.exec(item) ?? []
  const bare = item.replace(/^(?:The|A|An) (?=\S)/, '')
  const short = century === '19' ? [`${decade}0s`] : []
  return [...new Set([item, bare, ...short, DECADES[Number(decade) - 2] ?? []].flat())]
}

/** `success_metrics` as words. */
export const fieldName = (field: string): string => field.replaceAll('_', ' ')

/**
 * One value, or several with `and` before the last, each in quotation marks when they are phrases; semicolons where a value has a comma
 * of its own. Money is never quoted.
 */
export function listed(value: FieldValue, quoted: boolean): string {
  if (typeof value === 'number') return budgeted(value)
  const values = [value].flat().map((one) => (quoted ? `"${one}"` : one))
  if (values.length < 2) return values[0] ?? ''
  const mark = values.some((one) => one.includes(',')) ? ';' : ','
  return `${values.slice(0, -1).join(`${mark} `)}${mark === ';' ? ';' : ''} and ${values.at(-1)}`
}

export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** Forms of liking and disliking, for the slots of phrases. */
export const LIKING: Record<Liking, Record<'like' | 'liked' | 'likes' | 'liking', string>> = {
  like: { like: 'like', liked: 'liked', likes: 'likes', liking: 'liking for' },
  dislike: { like: 'dislike', liked: 'disliked', likes: 'dislikes', liking: 'dislike of' },
}

function partsOf(day: string): { date: number; month: string; year: string } {
  const [year, month, date] = day.split('-') as [string, string, string]
  return { date: Number(date), month: MONTHS[Number(month) - 1]!, year }
}
