import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SuiteWords } from '../kinds/suite-words.js'

const TEXT = 'lab/attributes/text'

interface AttributeLine {
  attribute: string
  names: string[]
  tellings: string[]
}

/** A text, and the place of the attribute that it names or tells. */
export interface AttributeText {
  owner: number
  text: string
}

/** What the signs that ship were made of: the hash of all texts. */
export const MADE_OF = 'lab/attributes/made-of.sha256'

/** The texts as they go into the inventory: names less words of the suites, and tellings that have none. */
export function readAttributes(): { attributes: number; names: AttributeText[]; tellings: AttributeText[] } {
  const suites = new SuiteWords()
  const lines = readdirSync(TEXT)
    .sort()
    .flatMap((file) => readFileSync(join(TEXT, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as AttributeLine)
  // Two writers may have thought of the same attribute.
  const owners = new Map<string, number>()
  for (const { attribute } of lines)
    if (!owners.has(attribute.toLowerCase())) owners.set(attribute.toLowerCase(), owners.size)
  const rowsOf = (texts: (line: AttributeLine) => string[]) =>
    lines.flatMap((line) => {
      const owner = owners.get(line.attribute.toLowerCase())!
      return [...new Set(texts(line))].filter(Boolean).map((text) => ({ owner, text }))
    })
  return {
    attributes: owners.size,
    names: rowsOf(({ attribute, names }) => [attribute, ...names].map((name) => suites.ownWords(name))),
    tellings: rowsOf(({ tellings }) => tellings.filter((telling) => suites.isOwn(telling))),
  }
}

export function hashOf({ names, tellings }: ReturnType<typeof readAttributes>): string {
  return createHash('sha256')
    .update(JSON.stringify([names, tellings]))
    .digest('hex')
}
