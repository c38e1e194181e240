import { UserError } from '../../../base/errors.js'
import type { CoexistingRow, ConditionalRow, LongHopRow, PersonaRow } from '../../../corpora/memfail/schema.js'
import { coexistingRow } from './coexisting.js'
import { conditionalRow } from './conditional.js'
import { longHopRows } from './long-hop.js'
import { personaRow } from './persona.js'

export { GENERATOR_VERSION } from './source.js'

/** Rows by task. Conditional rows carry both the easy and the hard telling. */
export interface GeneratedRows {
  conditional: ConditionalRow
  coexisting: CoexistingRow
  persona: PersonaRow
  'long-hop': LongHopRow
}

export type GeneratedTask = keyof GeneratedRows

/** Up to this many rows, everything that must be unique is. */
export const MOST_ROWS = 1_000_000

/** Lists are made as a whole by long-hop, whose options come from the block; the others row by row. */
const makers: { [T in GeneratedTask]: (n: number, seed: number) => Generator<GeneratedRows[T]> } = {
  conditional: (n, seed) => each(n, seed, conditionalRow),
  coexisting: (n, seed) => each(n, seed, coexistingRow),
  persona: (n, seed) => each(n, seed, personaRow),
  'long-hop': longHopRows,
}

/**
 * Rows one after another; the same task, number and seed always give the same rows, in constant memory. A longer list of conditional,
 * coexisting or persona rows begins with the shorter one.
 *
 * @example for (const row of generateRows('persona', 100, 7)) console.log(row.essay)
 */
export function* generateRows<T extends GeneratedTask>(task: T, n: number, seed: number): Generator<GeneratedRows[T]> {
  if (!Number.isInteger(n) || n < 1 || n > MOST_ROWS) {
    throw new UserError(
      `Expected a number of rows from 1 to ${MOST_ROWS}, got ${n}.`,
      'Use another seed for more rows.',
    )
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new UserError(`Expected a seed that is a whole number from 0 up, got ${seed}.`)
  }
  yield* makers[task](n, seed)
}

function* each<R>(n: number, seed: number, make: (index: number, seed: number) => R): Generator<R> {
  for (let index = 0; index < n; index++) yield make(index, seed)
}
