import { daySpans } from '../../language/days.js'
import { numbersInDigits } from '../../language/numbers.js'

const DAYS: Record<string, number> = { day: 1, week: 7, month: 30.44 }

/**
 * What is wrong with a duration that is told with the two days it lies between; null where nothing is, or no two days are told.
 *
 * @example wrongDuration(['4 weeks', 'from January 15, 2024 till March 15, 2024']) // '4 weeks: the days are 60 days apart'
 */
export function wrongDuration(lines: readonly string[]): string | null {
  for (const line of lines) {
    const spans = daySpans(line, { year: 2024 })
    const isJoined = spans.length === 1 && /\b(?:from|between)\b/i.test(line)
    const days = [...new Set(spans.flatMap(({ from, to }) => (from === to ? [from] : isJoined ? [from, to] : [])))]
    if (days.length !== 2) continue
    const [a, b] = days.map((day) => Date.parse(day))
    const apart = Math.abs(b! - a!) / 86_400_000
    for (const other of lines) {
      const [told, count, unit] = /\b(\d+) (day|week|month)s?\b/.exec(numbersInDigits(other.toLowerCase())) ?? []
      if (told === undefined) continue
      const long = Number(count) * DAYS[unit!]!
      // Both ends may count, and weeks and months are told whole.
      if (Math.abs(long - apart) > Math.max(1, DAYS[unit!]! - 1)) return `${told}: the days are ${apart} days apart`
    }
  }
  return null
}
