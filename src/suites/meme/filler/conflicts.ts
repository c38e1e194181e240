import { entryOf } from '../../../base/group-by.js'
import { fold } from '../../../base/text.js'
import type { Turn } from '../../../model/index.js'
import { standsIn } from '../validate-text.js'

const folded = new WeakMap<readonly Turn[], string>()

/**
 * Those of the values that occur in a session, whoever says them. Case, quotes, dashes and white space do not matter; a value counts only
 * as whole words.
 *
 * @example conflicts([{ role: 'user', text: 'A red  Kite!' }], ['red kite', 'kit']) // ['red kite']
 */
export function conflicts(turns: readonly Turn[], values: readonly string[]): string[] {
  const text = entryOf(folded, turns, () => fold(turns.map((turn) => turn.text).join('\n')))
  return values.filter((value) => value.trim() !== '' && standsIn(fold(value), text))
}
