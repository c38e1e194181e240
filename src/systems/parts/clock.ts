/** Scenario time in the forms in which systems write it, read without a time zone of the machine; what is no ISO 8601 time stays as it is. */
import { MONTHS, WEEKDAYS } from '../../base/calendar.js'

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/
const HOUR = 3_600_000

/** `2024-05-06` */
export function dayOf(time: string): string {
  return ISO.exec(time) ? time.slice(0, 10) : time
}

/** `08:30` */
export function hourOf(time: string): string {
  const found = ISO.exec(time)
  return found ? `${found[4] ?? '00'}:${found[5] ?? '00'}` : time
}

/** `2024-05-06 08:30` */
export function minuteOf(time: string): string {
  return ISO.test(time) ? `${dayOf(time)} ${hourOf(time)}` : time
}

/** `Monday`; nothing for what is no time. */
export function weekdayOf(time: string): string {
  const found = ISO.exec(time)
  return found
    ? WEEKDAYS[new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]))).getUTCDay()]!
    : ''
}

/** `Monday, 6 May 2024` */
export function longDayOf(time: string): string {
  const [, year, month, day] = ISO.exec(time) ?? []
  return year ? `${weekdayOf(time)}, ${Number(day)} ${MONTHS[Number(month) - 1]} ${Number(year)}` : time
}

/** Hours from one time to another; 0 when either is no time. */
export function hoursBetween(from: string, to: string): number {
  const hours = (Date.parse(to) - Date.parse(from)) / HOUR
  return Number.isNaN(hours) ? 0 : hours
}
