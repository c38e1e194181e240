/** Names of the months, in order. */
export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')

/** Names of the days of a week, beginning as `Date` counts them. */
export const WEEKDAYS: readonly string[] = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
