import { UserError } from './errors.js'

/** A whole number within bounds, or a `UserError` that says what was expected. */
export function wholeNumber(flag: string, given: number | string, low: number, high = Number.MAX_SAFE_INTEGER): number {
  const text = String(given)
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= low && value <= high)) {
    const range = high === Number.MAX_SAFE_INTEGER ? `from ${low} up` : `from ${low} to ${high}`
    throw new UserError(`Expected --${flag} to be a whole number ${range}, got "${text}".`)
  }
  return value
}
