import type { Edge } from './graph.js'

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** A time that a model wrote, in UTC; null for what is none. Without a zone it is UTC, whatever the machine's is. */
export function timeIn(text: string | null): string | null {
  const found = ISO.exec(text?.trim() ?? '')
  if (!found) return null
  const zoned = found[0].replace(' ', 'T') + (found[1] || found[0].length === 10 ? '' : 'Z')
  const time = Date.parse(zoned)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/**
 * Ends facts that a new one contradicts. A known fact ends when it began earlier: at the time from which the new one holds. Facts that never held
 * together stay as they are, and a new fact that began before one that contradicts it has ended itself. Without a beginning on both sides nothing
 * ends.
 *
 * @param now when the graph learns of it
 * @returns the new fact, and known facts that end, changed
 */
export function invalidate(stated: Edge, contradicted: readonly Edge[], now: string): { edge: Edge; ended: Edge[] } {
  let edge: Edge = stated.invalidAt !== null && stated.expiredAt === null ? { ...stated, expiredAt: now } : stated
  if (edge.expiredAt === null && edge.validAt !== null) {
    const later = contradicted
      .flatMap(({ validAt }) => validAt ?? [])
      .filter((time) => time > edge.validAt!)
      .sort()[0]
    if (later !== undefined) edge = { ...edge, invalidAt: later, expiredAt: now }
  }
  const ended = contradicted.flatMap((known): Edge[] => {
    const { validAt, invalidAt } = known
    if (validAt === null || stated.validAt === null) return []
    if (invalidAt !== null && invalidAt <= stated.validAt) return []
    if (stated.invalidAt !== null && stated.invalidAt <= validAt) return []
    return validAt < stated.validAt ? [{ ...known, invalidAt: stated.validAt, expiredAt: known.expiredAt ?? now }] : []
  })
  return { edge, ended }
}
