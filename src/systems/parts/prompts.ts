import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { UserError, unknownName } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import type { SystemContext } from '../../model/index.js'

/** The option that every system with prompts has; it is added to a definition's own. */
export const PROMPTS_OPTION = {
  default: '',
  about: 'a JSON file of texts to use in place of its own prompts: { "<name>": "<text>" }',
} as const

/** What `{places}` of prompts are filled with. */
export type PromptValues = Readonly<Record<string, string | number>>

/** A system's own prompts with what the user put in their place. What places are filled with is never read for places again. */
export function promptsOf<Name extends string>(
  own: Readonly<Record<Name, string>>,
  { prompts: given = {} }: Pick<SystemContext, 'prompts'>,
) {
  return {
    text: (name: Name, values: PromptValues = {}): string =>
      (given[name] ?? own[name]).replace(PLACE, (_, place: string) => {
        const value = values[place]
        if (value === undefined) throw new Error(`Nothing to fill {${place}} of the prompt "${name}" with`)
        return String(value)
      }),
  }
}

const PLACE = /\{(\w+)\}/g

const File = z.record(z.string(), z.string())

/** Reads a user's file of prompts: the texts, and the path with a hash of them, which stands for them in labels and fingerprints. */
export function readPromptFile(
  path: string,
  own: Readonly<Record<string, string>>,
  cwd: string,
): { prompts: Record<string, string>; print: string } {
  const file = resolve(cwd, path)
  if (!existsSync(file))
    throw new UserError(`There is no file of prompts "${path}".`, 'Give a path relative to where you are.')
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`"${path}" is not JSON: ${error instanceof Error ? error.message : error}.`, EXAMPLE)
  }
  const read = File.safeParse(json)
  if (!read.success) throw new UserError(`"${path}" does not map names to texts.`, EXAMPLE)
  for (const [name, text] of Object.entries(read.data)) {
    if (!Object.hasOwn(own, name)) throw unknownName('prompt', name, Object.keys(own))
    const [wanted, found] = [placesIn(own[name]!), placesIn(text)]
    if (wanted !== found) {
      throw new UserError(
        `The prompt "${name}" in "${path}" has the places ${found || 'none'}.`,
        `It must have ${wanted || 'none'}, as the one it replaces.`,
      )
    }
  }
  return { prompts: read.data, print: `${path}@${fingerprint(read.data).slice(0, 8)}` }
}

const EXAMPLE = 'Write it like { "extract": "List what the user says …" }.'

function placesIn(text: string): string {
  return [...new Set([...text.matchAll(PLACE)].map(([place]) => place))].sort().join(' ')
}
