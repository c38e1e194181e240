import { MONTH_STEMS, WEEKDAYS } from '../../base/calendar.js'
import { fold } from '../../base/text.js'
import { dayOf, weekdayOf } from '../parts/index.js'
import { FIXED } from './fixed.js'

/** Days from and to, both included, as `2024-05-06`. */
export interface TimeSpan {
  from: string
  to: string
}

const DAY_MS = 86_400_000
const MONTH = `(${MONTH_STEMS.join('|')})[a-z]*`
const WEEK_DAYS = 7

/** The days an expression of time means, seen from a moment, with a week to either side when it speaks of weeks; null for what names no day. */
export function spanOf(expression: string, now: string): TimeSpan | null {
  const text = fold(expression)
  const day = namedDay(text, now) ?? relativeDay(text, now)
  if (day === null || Number.isNaN(day)) return null
  const slack = /\bweeks?\b/.test(text) ? FIXED.weekDays * DAY_MS : 0
  return { from: isoDay(day - slack), to: isoDay(day + slack) }
}

function namedDay(text: string, now: string): number | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text)
  if (iso) return Date.UTC(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? (\\d{4}))?\\b`).exec(text)
  const monthFirst = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b`).exec(text)
  const [day, month, year] = dayFirst
    ? [dayFirst[1], dayFirst[2], dayFirst[3]]
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]]
  if (!day || !month) return null
  return Date.UTC(Number(year ?? now.slice(0, 4)), MONTH_STEMS.indexOf(month), Number(day))
}

function relativeDay(text: string, now: string): number | null {
  const today = Date.parse(dayOf(now))
  const ago = /\b(\d+|an?) (day|week)s? ago\b/.exec(text)
  if (ago) {
    const count = /^an?$/.test(ago[1]!) ? 1 : Number(ago[1])
    return today - count * (ago[2] === 'week' ? WEEK_DAYS : 1) * DAY_MS
  }
  if (/\byesterday\b|\blast night\b/.test(text)) return today - DAY_MS
  if (/\btomorrow\b/.test(text)) return today + DAY_MS
  if (/\btoday\b|\btonight\b|\bthis week\b/.test(text)) return today
  if (/\blast week\b/.test(text)) return today - WEEK_DAYS * DAY_MS
  if (/\bnext week\b/.test(text)) return today + WEEK_DAYS * DAY_MS
  const past = WEEKDAYS.findIndex((name) => new RegExp(`\\b${name}\\b`, 'i').test(text))
  if (past < 0) return null
  const back = (WEEKDAYS.indexOf(weekdayOf(now)) - past + WEEK_DAYS) % WEEK_DAYS
  return today - (back === 0 ? WEEK_DAYS : back) * DAY_MS
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
