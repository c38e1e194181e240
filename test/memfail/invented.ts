import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

const NAMES = new URL('../../src/corpora/memfail/grammar/names.json', import.meta.url)
const namesOf = JSON.parse(readFileSync(NAMES, 'utf8')) as Record<string, { parts: string[][] }>
/** The kinds of names there are. */
export const nameKinds = Object.keys(namesOf)

/** Whether a word could come out as a name of a kind. */
export function isInventable(kind: string, word: string): boolean {
  const fits = (rest: string, at: number): boolean => {
    const list = namesOf[kind]!.parts[at]
    if (!list) return rest === ''
    return list.some((part) => rest.startsWith(part) && fits(rest.slice(part.length), at + 1))
  }
  return fits(word.toLowerCase(), 0)
}

/** Fails when a name that stands in texts could come out as an invented one, or when they name too few for that to tell anything. */
export const expectFree = (texts: readonly string[], least: number) => {
  const taken = new Set(texts.join(' ').match(/\p{Lu}\p{L}+/gu))
  expect(taken.size).toBeGreaterThan(least)
  for (const kind of nameKinds)
    expect(
      [...taken].filter((word) => isInventable(kind, word)),
      kind,
    ).toEqual([])
}
