import { MONTHS } from '../../../../base/calendar.js'

/** The months in small letters. */
export const MONTH_NAMES: readonly string[] = MONTHS.map((name) => name.toLowerCase())

/** A month in small letters, in full or short, as the source of a pattern. */
export const MONTH = `(?:${MONTH_NAMES.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)`

export const ORDINALS: readonly string[] = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
