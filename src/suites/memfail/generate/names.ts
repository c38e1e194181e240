import { z } from 'zod'
import { readData } from '../../../base/data-file.js'
import { capital } from './english.js'

/** A kind of name: its parts are strung together, one of each list. Lists of consonants and of vowels take turns. */
const Kind = z.strictObject({ about: z.string(), parts: z.array(z.array(z.string()).min(1)).min(2) })
const kinds = readData(
  new URL('../../../corpora/memfail/grammar/names.json', import.meta.url),
  z.record(z.string(), Kind),
)

const counts = new Map(
  Object.entries(kinds).map(([kind, { parts }]) => [kind, parts.reduce((product, list) => product * list.length, 1)]),
)

/** How many names of a kind there are. */
export function nameCount(kind: string): number {
  const count = counts.get(kind)
  if (count === undefined) throw new Error(`There is no kind of name "${kind}"`)
  return count
}

/**
 * The name of a kind with a number; different numbers give different names.
 *
 * @example inventedName('town', 4711)
 */
export function inventedName(kind: string, number: number): string {
  let rest = number % nameCount(kind)
  let name = ''
  for (const list of kinds[kind]!.parts) {
    name += list[rest % list.length]
    rest = Math.floor(rest / list.length)
  }
  return capital(name)
}
