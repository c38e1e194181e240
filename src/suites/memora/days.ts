import { groupBy } from '../../base/group-by.js'
import type { LifeTrace } from './trace.js'

/** The published durations, by the number of their days. */
export const DURATIONS = { 7: 'weekly', 28: 'monthly', 92: 'quarterly' } as const
export type Duration = (typeof DURATIONS)[keyof typeof DURATIONS]
export const DAYS: Record<Duration, number> = { weekly: 7, monthly: 28, quarterly: 92 }

/** Some days in a row, first and last included. */
export interface Period {
  from: string
  to: string
}

const DAY = 86_400_000

/** Days from one to another. */
export const distance = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY

/** The day so many days later, as `YYYY-MM-DD`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** The place of a day in its week, from Sunday, 0. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** A number as a place: `17th`. */
export function ordinal(place: number): string {
  const ending = place >= 11 && place <= 13 ? undefined : ['th', 'st', 'nd', 'rd'][place % 10]
  return `${place}${ending ?? 'th'}`
}

export const daysIn = ({ from, to }: Period): number => distance(from, to) + 1

export const isIn = (day: string, { from, to }: Period): boolean => day >= from && day <= to

export const lifeOf = ({ start, end }: LifeTrace): Period => ({ from: start, to: end })

/** Periods of so many days from the first day on; a short last one is left out. */
export function windows(life: Period, days: number): Period[] {
  return Array.from({ length: Math.floor(daysIn(life) / days) }, (_, at) => {
    const from = dayAfter(life.from, at * days)
    return { from, to: dayAfter(from, days - 1) }
  })
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

export const isByMonth = (trace: LifeTrace): boolean => daysIn(lifeOf(trace)) > LONGEST_BY_WEEK

/** `weekly`, `monthly` and `quarterly` are the published durations; any other is so many days, such as `4d`. */
export function durationOf(trace: LifeTrace): string {
  const days = daysIn(lifeOf(trace))
  return DURATIONS[days as keyof typeof DURATIONS] ?? `${days}d`
}

/** The day's first and last minute for talk. */
const [MORNING, EVENING] = [8 * 60, 21 * 60]

/** When the conversations on these days take place: those of one day are spread from morning to evening. */
export function timesOn(days: readonly string[]): string[] {
  const onDay = groupBy(days.keys(), (at) => days[at]!)
  return days.map((day, at) => {
    const own = onDay.get(day)!
    const share = (own.indexOf(at) + 0.5) / own.length
    const seconds = Math.floor((MORNING + share * (EVENING - MORNING)) * 60)
    return `${day}T${new Date(seconds * 1000).toISOString().slice(11, 19)}Z`
  })
}
