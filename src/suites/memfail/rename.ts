import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { escapeRegExp } from '../../base/text.js'

const list = z.array(z.string())
const names = readData(
  new URL('./names.json', import.meta.url),
  z.object({ given: list, family: list, unknownGiven: list, unknownFamily: list }),
)

/** A person's old and new name, and how to write it into text. */
export interface Renaming {
  to: string
  apply(text: string): string
}

/** Titles that are no given name. */
const TITLE =
  /^(?:mr|mrs|ms|dr|professor|prof|captain|sir|lady|aunt|uncle|coach|chef|detective|agent|old|little|the)\.?$/i

/**
 * Replaces a name wherever it stands as a word: first the whole name, then its given and family part alone, so that an essay that goes on
 * with the first name stays one person's.
 */
export function renaming(from: string, to: string): Renaming {
  const old = from.split(/\s+/)
  const fresh = to.split(/\s+/)
  const given = old.find((part) => !TITLE.test(part))
  const swaps: [RegExp, string][] = [[asWord(from), to]]
  if (given && old.length > 1) swaps.push([asWord(given), fresh[0]!])
  if (old.length > 1 && old.at(-1) !== given) swaps.push([asWord(old.at(-1)!), fresh.at(-1)!])
  return { to, apply: (text) => swaps.reduce((result, [pattern, name]) => result.replace(pattern, name), text) }
}

/** Fresh names in a fixed order, none of which stands in the given text. */
export function freshNames(kind: 'given' | 'full' | 'unknown', text: string): () => string {
  const said = new Set(text.toLowerCase().match(/\p{L}+/gu))
  const free = (list: readonly string[]) => list.filter((name) => !said.has(name.toLowerCase()))
  const pool =
    kind === 'given'
      ? free(names.given)
      : kind === 'full'
        ? zip(free(names.given), free(names.family))
        : cross(free(names.unknownGiven), free(names.unknownFamily))
  let next = 0
  return () => {
    const name = pool[next++]
    if (name === undefined) throw new Error(`More than ${pool.length} names are needed`)
    return name
  }
}

function zip(a: readonly string[], b: readonly string[]): string[] {
  return a.slice(0, b.length).map((first, i) => `${first} ${b[i]}`)
}

/** Every pair once, so ordered that neighbours share neither part. */
function cross(a: readonly string[], b: readonly string[]): string[] {
  return b.flatMap((_, shift) => a.map((first, i) => `${first} ${b[(i + shift) % b.length]}`))
}

function asWord(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(name)}(?![\\p{L}\\p{N}])`, 'gu')
}
