import { inspect, isDeepStrictEqual } from 'node:util'

/** Longest piece of a value that is shown. */
const MOST_SHOWN = 120

/** Throws unless two values are deeply equal; the message ends in the first place where they differ, with what was there. */
export function assertSame(actual: unknown, expected: unknown, message: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  const { at, left, right } = firstDifference(actual, expected, '')
  throw new Error(
    `${message}${at === '' ? '' : `; they differ at ${at}`}\n  expected ${formatValue(right)}\n  got      ${formatValue(left)}`,
  )
}

function firstDifference(left: unknown, right: unknown, at: string): { at: string; left: unknown; right: unknown } {
  if (Array.isArray(left) && Array.isArray(right)) {
    const place = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => i).find(
      (i) => i >= left.length || i >= right.length || !isDeepStrictEqual(left[i], right[i]),
    )
    if (place !== undefined) return inside(left, right, place, `${at}[${place}]`)
  } else if (isObject(left) && isObject(right)) {
    const keys = [...new Set([...Object.keys(right), ...Object.keys(left)])]
    const key = keys.find((name) => !isDeepStrictEqual(left[name], right[name]))
    if (key !== undefined) return inside(left, right, key, at === '' ? key : `${at}.${key}`)
  }
  return { at, left, right }
}

function inside(left: object, right: object, key: string | number, at: string) {
  return firstDifference(Reflect.get(left, key), Reflect.get(right, key), at)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as text for a message: on one line, as JSON where it can be, cut when long. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = asJson(value) ?? inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY })
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** As JSON; undefined for what JSON cannot hold, such as a function or a circle. */
function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
