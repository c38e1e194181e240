import { dayAfter } from '../simulate/draw.js'
import type { LifeTrace } from '../trace.js'

/** Some days in a row, first and last included. */
export interface Period {
  from: string
  to: string
}

const DAY = 86_400_000

/** How many days lie in a period. */
export function daysIn({ from, to }: Period): number {
  return (Date.parse(to) - Date.parse(from)) / DAY + 1
}

/** The whole of a life. */
export function lifeOf({ start, end }: LifeTrace): Period {
  return { from: start, to: end }
}

/** Weeks of seven days from the first day on; a short last one is left out. */
export function fullWeeks(trace: LifeTrace): Period[] {
  const weeks: Period[] = []
  for (let from = trace.start; dayAfter(from, 6) <= trace.end; from = dayAfter(from, 7)) {
    weeks.push({ from, to: dayAfter(from, 6) })
  }
  return weeks
}

/** Calendar months, the first and the last cut to the days of the life. */
export function months({ start, end }: LifeTrace): Period[] {
  const found: Period[] = []
  for (let from = start; from <= end; ) {
    const [year, month] = from.split('-').map(Number) as [number, number]
    const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
    const last = dayAfter(next, -1)
    found.push({ from, to: last < end ? last : end })
    from = next
  }
  return found
}

/** Lives longer than this are looked at by calendar months, shorter ones by weeks. */
const LONGEST_BY_WEEK = 45

/** Whether a life is so long that it is looked at by calendar months. */
export function isByMonth(trace: LifeTrace): boolean {
  return daysIn(lifeOf(trace)) > LONGEST_BY_WEEK
}

/** Whether a day lies in a period. */
export function isIn(day: string, { from, to }: Period): boolean {
  return day >= from && day <= to
}

/** `weekly`, `monthly` and `quarterly` are the published durations; any other is so many days. */
export function durationOf(trace: LifeTrace): string {
  const days = daysIn(lifeOf(trace))
  return { 7: 'weekly', 28: 'monthly', 92: 'quarterly' }[days] ?? `${days}d`
}
