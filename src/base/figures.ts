/** What stands for a number that is not there. */
export const NONE = '–'

/** A rate as whole per cent, without the sign. Never rounds up to 100 or down to 0 what is neither: 0.9996 is `>99`. */
export function percent(rate: number | null | undefined): string {
  if (rate === null || rate === undefined || !Number.isFinite(rate)) return NONE
  if (rate > 0 && rate < 0.005) return '<1'
  if (rate < 1 && rate >= 0.995) return '>99'
  return String(Math.round(rate * 100))
}

/** The same of what may be below nothing. */
export function signedPercent(rate: number | null | undefined): string {
  return rate != null && rate < 0 ? `−${percent(-rate)}` : percent(rate)
}

/** A figure as whole per cent, without the sign. None is special: a sum of shares may be above 100 or below 0. */
export function wholePercent(value: number | null | undefined): string {
  return value == null ? NONE : `${value < 0 ? '−' : ''}${(100 * Math.abs(value)).toFixed(0)}`
}

/** A share as `55 %` with at most one digit behind the point, whatever the machine makes of the product; with `digits`, exactly so many. */
export function inPercent(share: number, digits?: number): string {
  const rounded = (100 * share).toFixed(digits ?? 1)
  return `${digits === undefined ? Number(rounded) : rounded} %`
}

/** A whole number with thousands marked: 12,345. */
export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** Money as people read it: `$0`, `$0.00012`, `$12.50`. A price that is not known says so; it is never nothing. */
export function dollars(usd: number | null): string {
  if (usd === null) return 'unknown'
  if (usd === 0) return '$0'
  if (usd >= 1) return `$${usd.toFixed(2)}`
  if (usd < 0.0000001) return '<$0.0000001'
  return `$${usd.toFixed(Math.min(9, 1 - Math.floor(Math.log10(usd))))}`
}

/** A length of time as roughly as it is known: `about 40 s`, `about 12 min`, `about 3.5 h`. */
export function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `about ${Math.max(1, Math.round(seconds))} s`
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s`
  const minutes = seconds / 60
  return minutes < 90 ? `about ${Math.round(minutes)} min` : `about ${(minutes / 60).toFixed(1)} h`
}
