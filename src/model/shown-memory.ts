import { countTokens } from '../base/tokens.js'
import type { Memory } from './system.js'

const DAY = String.raw`\d{4}-\d{2}-\d{2}`
const CLOCK = String.raw`\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?`
const TIME = new RegExp(`^${DAY}(?:[T ]${CLOCK})?$`)

/** Whether a text is a day, or a day and the time of that day, as ISO 8601 writes them. */
export function isIsoTime(text: string): boolean {
  // What follows the seconds says nothing of whether there is such a day and hour.
  return TIME.test(text) && !Number.isNaN(Date.parse(`${text.slice(0, 10)}T${text.slice(11, 16) || '00:00'}Z`))
}

/**
 * A memory as readers are shown it: its time to the minute, whether it no longer holds, and its text. Budgets and counts of tokens are of
 * this, so that a memory pays for all that is read of it.
 *
 * @example shownMemory({ text: 'I bake.', time: '2026-03-04T09:00:00Z' }) // '(2026-03-04 09:00) I bake.'
 */
export function shownMemory({ text, time, status }: Pick<Memory, 'text' | 'time' | 'status'>): string {
  const marks = [
    ...(time ? [`${time.slice(0, 10)} ${time.slice(11, 16)}`.trim()] : []),
    ...(status && status !== 'live' ? ['no longer holds'] : []),
  ]
  return marks.length > 0 ? `(${marks.join(', ')}) ${text.trim()}` : text.trim()
}

/** Tokens of a memory as readers are shown it. */
export function shownTokens(memory: Pick<Memory, 'text' | 'time' | 'status'>): number {
  return countTokens(shownMemory(memory))
}
