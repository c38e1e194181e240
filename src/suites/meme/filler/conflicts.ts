import { fold } from '../../../base/text.js'
import type { Turn } from '../../../model/index.js'

const folded = new WeakMap<readonly Turn[], string>()
const LETTER = /[\p{L}\p{N}]/u

/**
 * Those of the values that occur in a session, whoever says them. Case, quotes, dashes and white space do not matter; a value counts only
 * as whole words.
 *
 * @example conflicts([{ role: 'user', text: 'A red  Kite!' }], ['red kite', 'kit']) // ['red kite']
 */
export function conflicts(turns: readonly Turn[], values: readonly string[]): string[] {
  let text = folded.get(turns)
  if (text === undefined) {
    text = fold(turns.map((turn) => turn.text).join('\n'))
    folded.set(turns, text)
  }
  return values.filter((value) => occurs(fold(value), text))
}

function occurs(value: string, text: string): boolean {
  if (value === '') return false
  const opens = LETTER.test(value.at(0)!)
  const closes = LETTER.test(value.at(-1)!)
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + value.length] ?? ''
    if (!(opens && LETTER.test(before)) && !(closes && LETTER.test(after))) return true
  }
  return false
}
