/**
 * Scenario time in the forms in which systems write it. Times are read as they stand, without a time zone of the machine; what is no
 * ISO 8601 time stays as it is.
 *
 * @module
 */
import { MONTHS, WEEKDAYS } from '../../base/calendar.js'

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/
const HOUR = 3_600_000

interface Parts {
  year: number
  month: number
  day: number
  hour: string
  minute: string
}

/** `2024-05-06` */
export function dayOf(time: string): string {
  return ISO.test(time) ? time.slice(0, 10) : time
}

/** `2024-05-06 08:30` */
export function minuteOf(time: string): string {
  const parts = partsOf(time)
  return parts ? `${dayOf(time)} ${parts.hour}:${parts.minute}` : time
}

/** `08:30` */
export function hourOf(time: string): string {
  const parts = partsOf(time)
  return parts ? `${parts.hour}:${parts.minute}` : time
}

/** `Monday`; nothing for what is no time. */
export function weekdayOf(time: string): string {
  const parts = partsOf(time)
  return parts ? WEEKDAYS[new Date(Date.UTC(parts.year, parts.month - 1, parts.day)).getUTCDay()]! : ''
}

/** `Monday, 6 May 2024` */
export function longDayOf(time: string): string {
  const parts = partsOf(time)
  return parts ? `${weekdayOf(time)}, ${parts.day} ${MONTHS[parts.month - 1]} ${parts.year}` : time
}

/** Hours from one time to another; 0 when either is no time. */
export function hoursBetween(from: string, to: string): number {
  const hours = (Date.parse(to) - Date.parse(from)) / HOUR
  return Number.isNaN(hours) ? 0 : hours
}

function partsOf(time: string): Parts | null {
  const found = ISO.exec(time)
  if (!found) return null
  const [, year, month, day, hour = '00', minute = '00'] = found
  return { year: Number(year), month: Number(month), day: Number(day), hour, minute }
}
