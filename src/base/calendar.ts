/** Names of the months, in order. */
export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')

/** The same in small letters. */
export const MONTH_NAMES: readonly string[] = MONTHS.map((name) => name.toLowerCase())

/** The first three letters of each: `jan`. */
export const MONTH_STEMS: readonly string[] = MONTH_NAMES.map((name) => name.slice(0, 3))

/** Names of the days of a week, beginning as `Date` counts them. */
export const WEEKDAYS: readonly string[] = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** The same in small letters. */
export const DAY_NAMES: readonly string[] = WEEKDAYS.map((name) => name.toLowerCase())
