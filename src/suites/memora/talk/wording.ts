import { MONTHS, WEEKDAYS } from '../../../base/calendar.js'
import type { Random } from '../../../base/random.js'
import type { FieldValue, Liking } from '../trace.js'

/** `$4.50`: money spent, always with cents. */
export const spent = (amount: number): string => `$${grouped(amount.toFixed(2))}`

/** `$40` or `$325,000`: budgets, with cents only where there are some. */
export const budgeted = (amount: number): string =>
  Number.isInteger(amount) ? `$${grouped(String(amount))}` : spent(amount)

/** `8,432` */
export const counted = (count: number): string => grouped(String(count))

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',')

/** A day as people say it; the year is named when it is another one than that of `today`. */
export function dated(day: string, today: string, random: Random): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const name = MONTHS[month - 1]!
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!
  if (year !== Number(today.slice(0, 4))) return `${name} ${date}, ${year}`
  return random.pick([
    `${name} ${date}`,
    `${weekday}, ${name} ${date}`,
    `${date} ${name}`,
    `${name} ${date}${ending(date)}`,
    `the ${date}${ending(date)} of ${name}`,
    `${weekday}, ${date} ${name}`,
  ])
}

function ending(date: number): string {
  if (date >= 11 && date <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][date % 10] ?? 'th'
}

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

export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** Forms of liking and disliking, for the slots of phrases. */
export const LIKING: Record<Liking, Record<'like' | 'liked' | 'likes' | 'liking', string>> = {
  like: { like: 'like', liked: 'liked', likes: 'likes', liking: 'liking for' },
  dislike: { like: 'dislike', liked: 'disliked', likes: 'dislikes', liking: 'dislike of' },
}
