import { MONTH_NAMES, WEEKDAYS } from '../../../../base/calendar.js'
import { fold } from '../../../../base/text.js'
import { MONTH, plainNumbers } from '../../../../language/numbers.js'

/** A quantity or a fixed point in time that a text gives. */
export interface Measure {
  kind: 'time' | 'clock' | 'percent' | 'money' | 'quarter' | 'weekday' | 'date' | 'month' | 'season' | 'level' | 'count'
  /** Days for a time, month and day for a date, else the number or the place in the year or week. */
  value: number
  /** For a time, how many of which unit. */
  unit?: string
  count?: number
}

export interface Measures {
  found: readonly Measure[]
  /** The text without them. */
  rest: string
}

const DAYS: Record<string, number> = { minute: 1 / 1440, hour: 1 / 24, day: 1, week: 7, month: 365 / 12, year: 365 }
const UNIT = '(minute|min|hour|hr|day|week|month|year|yr)s?'
const DAY_NAMES = WEEKDAYS.map((name) => name.toLowerCase())
const SEASONS = ['spring', 'summer', 'autumn', 'winter']
const ORDINAL: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
}
const FRACTIONS: Record<string, number> = { half: 50, third: 33, quarter: 25, fifth: 20, tenth: 10 }
const SCALE: Record<string, number> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 }

type Reader = (groups: readonly string[]) => Measure

const days = (count: number, written: string): Measure => {
  const unit = written.startsWith('min') ? 'minute' : written === 'hr' ? 'hour' : written === 'yr' ? 'year' : written
  return { kind: 'time', value: count * DAYS[unit]!, unit, count }
}

const monthOf = (name: string) => MONTH_NAMES.findIndex((one) => one.startsWith(name.slice(0, 3)))

const date = (month: string, day: number): Measure => ({
  kind: 'date',
  value: 100 * monthOf(month) + day,
})
/** Minutes on the face of a clock: who says "at two" leaves open which half of the day. */
const clock = (hour: number, minutes = 0): Measure => ({ kind: 'clock', value: (hour % 12) * 60 + minutes })
const NAMED = String.raw`(${MONTH})\.?`
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** In the order in which they are taken out of a text. */
const READERS: readonly [RegExp, Reader][] = [
  [
    new RegExp(String.raw`\b${NAMED} (\d{1,2})(?:st|nd|rd|th)?\b(?!:)`, 'g'),
    ([, month, day]) => date(month!, Number(day)),
  ],
  [
    new RegExp(String.raw`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${NAMED}(?!\p{L})`, 'gu'),
    ([, day, month]) => date(month!, Number(day)),
  ],
  [
    new RegExp(String.raw`\b(?:the )?end of ${NAMED}(?!\p{L})`, 'gu'),
    ([, month]) => date(month!, LAST_DAYS[monthOf(month!)]!),
  ],
  [/\b\d{4}-(0[1-9]|1[0-2])-(\d\d)\b/g, ([, month, day]) => date(MONTH_NAMES[Number(month) - 1]!, Number(day))],
  [/\bhalf past (\d{1,2})\b/g, ([, hour]) => clock(Number(hour), 30)],
  [/\b(?:a )?quarter past (\d{1,2})\b/g, ([, hour]) => clock(Number(hour), 15)],
  [/\b(?:a )?quarter to (\d{1,2})\b/g, ([, hour]) => clock(Number(hour) + 11, 45)],
  [/\b(\d{1,2}):(\d\d)(?: ?[ap]\.?m\b\.?)?/g, ([, hour, minutes]) => clock(Number(hour), Number(minutes))],
  [
    /\b(\d{1,2}) ?(?:[ap]\.?m\b\.?|o'clock\b|in the (?:morning|afternoon|evening)\b)/g,
    ([, hour]) => clock(Number(hour)),
  ],
  [
    /\b(month|week|day)s? (\d{1,2}) ?(?:-|to|through|until) ?(\d{1,2})\b/g,
    ([, unit, from, to]) => days(Number(to) - Number(from) + 1, unit!),
  ],
  [/\b(\d+) years?,? (?:and )?(\d+) months?\b/g, ([, y, m]) => days(Number(y) * 12 + Number(m), 'month')],
  [
    /\b(?:(\d+)|an?)[- ](year|month|week|hour|day)s?[- ]and[- ]an?[- ](half|quarter)\b/g,
    ([, n, unit, part]) => days(Number(n ?? 1) + (part === 'half' ? 0.5 : 0.25), unit!),
  ],
  [/\b(\d+) and a half[- ](year|month|week|hour|day)s?\b/g, ([, n, unit]) => days(Number(n) + 0.5, unit!)],
  [/\b(?:half[- ](?:an? )?|0\.5 )(year|hour|day|month)\b/g, ([, unit]) => days(0.5, unit!)],
  [/\b(?:75 percent|3[- ]quarters?)[- ](?:of an )?hour\b/g, () => days(45, 'minute')],
  [/\bquarter[- ](?:of an )?hour\b/g, () => days(15, 'minute')],
  [/\b(?:a )?fortnight\b/g, () => days(14, 'day')],
  [/\b(?:within|over|in|for|after|inside) (?:a|1|the (?:next|coming)|one) quarter\b/g, () => days(3, 'month')],
  [
    /\b(?:in|over|within|by|during|of|after) (?:the |its )?(?:(?:end|close) of )?(?:the |its )?(?:first|1st|opening) (year|month|week)\b/g,
    ([, unit]) => days(1, unit!),
  ],
  [/\b(year|month|week|day) (\d{1,2})\b/g, ([, unit, n]) => days(Number(n), unit!)],
  [new RegExp(String.raw`(?<![\d.,])\+?(\d+(?:\.\d+)?)[- ]?${UNIT}\b`, 'g'), ([, n, unit]) => days(Number(n), unit!)],
  [/(?<![\d.,])(\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)/g, ([, n]) => ({ kind: 'percent', value: Number(n) })],
  [
    /\b(\d+) (?:out of|in) (?:every )?(10|100|5|4)\b/g,
    ([, n, of]) => ({ kind: 'percent', value: (100 * Number(n)) / Number(of) }),
  ],
  [/\bq([1-4])\b/g, ([, n]) => ({ kind: 'quarter', value: Number(n) })],
  [
    /\b(first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter\b/g,
    ([, n]) => ({ kind: 'quarter', value: ORDINAL[n!]! }),
  ],
  [
    /\$(\d[\d,]*(?:\.\d+)?)(?: ?(k|thousand|m|million|bn|billion)\b)?/g,
    ([, n, scale]) => ({
      kind: 'money',
      value: Number(n!.replaceAll(',', '')) * (SCALE[scale ?? ''] ?? 1),
    }),
  ],
  [
    new RegExp(String.raw`\b(${DAY_NAMES.join('|')})s?\b`, 'g'),
    ([, day]) => ({ kind: 'weekday', value: DAY_NAMES.indexOf(day!) }),
  ],
  [
    new RegExp(
      String.raw`\b(${MONTH_NAMES.filter((name) => name !== 'may' && name !== 'march').join('|')}|(?:may|march)(?= \d))\b`,
      'g',
    ),
    ([, name]) => ({
      kind: 'month',
      value: monthOf(name!),
    }),
  ],
  [
    /\b(spring|summer|autumn|winter|(?<=in (?:the )?)fall)\b/g,
    ([, name]) => ({
      kind: 'season',
      value: SEASONS.indexOf(name === 'fall' ? 'autumn' : name!),
    }),
  ],
]
/** In answers only: a plan that speaks of a half need not mean a share. */
const LOOSE: readonly [RegExp, Reader][] = [
  [/\bfirst (year|month|week)\b/g, ([, unit]) => days(1, unit!)],
  [/\b(?:an?|1) (half|third|quarter|fifth|tenth)\b/g, ([, part]) => ({ kind: 'percent', value: FRACTIONS[part!]! })],
  [/\b(?:by|in) half\b|\bhalv(?:e|es|ed|ing)\b/g, () => ({ kind: 'percent', value: 50 })],
  [/\b(?:doubl(?:e|es|ed|ing)|twice|2 times)\b/g, () => ({ kind: 'percent', value: 100 })],
]
const LEVELS: Record<string, number> = { low: 1, minor: 1, medium: 2, moderate: 2, high: 3, severe: 3, critical: 4 }
const LEVEL = Object.keys(LEVELS).join('|')
const level: Reader = ([, name]) => ({ kind: 'level', value: LEVELS[name!]! })
/** How grave something is rated: in a plan the note in parentheses, in an answer any such word. */
const RATED: readonly [RegExp, Reader] = [
  new RegExp(String.raw`\((${LEVEL})(?: risk| priority| impact)?\)`, 'g'),
  level,
]
const RATED_LOOSELY: readonly [RegExp, Reader] = [new RegExp(String.raw`(?<![\w-])(${LEVEL})(?![\w-])`, 'g'), level]
const COUNT = /(?<![\p{L}\p{N}.,+/-])(\d{1,3}(?:,\d{3})+|\d+)(?![\p{L}\p{N}]|[.,/-]\d|-\p{L}\d)/gu
/** "6, 12, and 18-month": the unit belongs to all. */
const LISTED = new RegExp(
  String.raw`\b(\d+(?:(?:, | and |, and | to | ?- ?| or )\d+)+)([- ]?)(?:${UNIT}\b|(%|percent\b|per cent\b))`,
  'g',
)

const known = new Map<string, Measures>()

/**
 * What a text gives in numbers, durations and fixed times, brought to common terms.
 *
 * @param loose also take shares said in passing ("a fifth more") for numbers
 * @example measuresIn('a year and a half').found // [{ kind: 'time', value: 547.5, unit: 'year', count: 1.5 }]
 */
export function measuresIn(text: string, loose: boolean): Measures {
  const key = `${loose}${text}`
  let measures = known.get(key)
  if (!measures) {
    measures = read(text, loose)
    if (known.size >= 20_000) known.clear()
    known.set(key, measures)
  }
  return measures
}

function read(text: string, loose: boolean): Measures {
  const found: Measure[] = []
  let rest = plainNumbers(fold(text)).replace(LISTED, (_, list: string, _sign, unit?: string, percent?: string) =>
    (list.match(/\d+/g) ?? []).map((n) => (percent ? `${n}%` : `${n} ${unit}s`)).join(' '),
  )
  for (const [pattern, reader] of [...READERS, ...(loose ? [...LOOSE, RATED_LOOSELY] : [RATED])]) {
    rest = rest.replace(pattern, (...groups: string[]) => {
      found.push(reader(groups))
      return ' '
    })
  }
  rest = rest.replace(COUNT, (digits: string) => {
    const value = Number(digits.replaceAll(',', ''))
    if (value === 1 || (value >= 1990 && value < 2100)) return ' '
    found.push({ kind: 'count', value })
    return ' '
  })
  return { found, rest }
}

/** Whether some of the measures of a line say what is wanted, also with the unit or the sign of money left out. */
export function givesMeasure(given: readonly Measure[], wanted: Measure): boolean {
  return given.some((one) => {
    if (sameMeasure(one, wanted)) return true
    if (one.kind !== 'count') return false
    if (wanted.kind === 'money') return one.value === wanted.value && one.value >= 1000
    return wanted.kind === 'time' && one.value === wanted.count && given.some(({ unit }) => unit === wanted.unit)
  })
}

/** Whether two measures say the same: months and weeks have no fixed number of days. */
export function sameMeasure(a: Measure, b: Measure): boolean {
  if (a.kind !== b.kind) return false
  return Math.abs(a.value - b.value) <= (a.kind === 'time' ? 0.03 * a.value : a.kind === 'percent' ? 0.5 : 0.005)
}
