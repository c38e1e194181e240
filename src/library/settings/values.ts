import { UserError } from '../../base/errors.js'
import { wholeNumber } from '../../base/whole-number.js'
import type { RunRequest } from '../../engine/plan.js'
import { type Depth, SYSTEM_TIMEOUT_MS } from '../../model/index.js'
import type { Several } from '../types.js'

/** One or several as a list; undefined where nothing was given. */
export function listOf<T>(given: Several<T> | undefined): T[] | undefined {
  return given === undefined ? undefined : ([given as T | T[]].flat() as T[])
}

/** Numbers, each once, in their order. */
export function inOrder(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** Whole numbers; null when none was given. */
export function wholeNumbers(
  flag: string,
  given: Several<number | string> | undefined,
  low: number,
  high: number,
): number[] | null {
  const numbers = listOf(given)?.map((one) => wholeNumber(flag, one, low, high))
  return numbers ? inOrder(numbers) : null
}

/** The one depth that was named, in memories or in tokens of context. @param what becomes of it */
export function depthFrom({ k, tokenBudget }: { k?: number; tokenBudget?: number }, what: string): Depth | null {
  if (k !== undefined && tokenBudget !== undefined)
    throw new UserError('--k and --token-budget exclude each other here.', `Name the one depth that is ${what}.`)
  if (tokenBudget !== undefined) return { tokens: wholeNumber('token-budget', tokenBudget, 2) }
  return k === undefined ? null : { k: wholeNumber('k', k, 1) }
}

/** Seconds in milliseconds. */
export function secondsFrom(flag: string, given: number | string): number {
  const seconds = Number(given)
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UserError(`Expected --${flag} to be a number of seconds above 0, got "${given}".`)
  return seconds * 1000
}

/** The limit of one call of a system in milliseconds, as asked or the usual one. */
export function systemMsFrom({ systemTimeout }: { systemTimeout?: number }): number {
  return systemTimeout === undefined ? SYSTEM_TIMEOUT_MS : secondsFrom('system-timeout', systemTimeout)
}

/** How many rows: `quick`, `paper` or a number. */
export function sizeFrom(given: RunRequest['size']): RunRequest['size'] {
  const text = String(given)
  if (text === 'quick' || text === 'paper') return text
  if (!/^\d+$/.test(text)) throw new UserError(`Expected --size to be quick, paper or a number of rows, got "${text}".`)
  return wholeNumber('size', text, 1)
}

/** A word that must be one of a few. */
export function oneOf<T extends string>(flag: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw new UserError(`Expected --${flag} to be ${values.join(' or ')}, got "${text}".`)
  return value
}
