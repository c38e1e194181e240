import { readFileSync } from 'node:fs'
import { sha256 } from '../../base/hash.js'

/** Prompts of one file, by the names that stand after `@@`. */
export interface PromptFile {
  /** Of everything in the file; part of verdict keys. */
  hash: string
  /** The text of a section. Asking for one that is not there is a mistake of the program. */
  section(name: string): string
  /** A section with its `{places}` filled. What is filled in is never read for places again. */
  fill(name: string, values: Readonly<Record<string, string | number>>): string
}

/**
 * Reads a file of prompts: sections that begin with a line `@@ name`.
 *
 * @example readPrompts(new URL('./facts.txt', import.meta.url)).section('system')
 */
export function readPrompts(file: URL): PromptFile {
  const text = readFileSync(file, 'utf8')
  const sections = new Map<string, string>()
  for (const part of text.split(/^@@ /m).slice(1)) {
    const end = part.indexOf('\n')
    sections.set(part.slice(0, end).trim(), part.slice(end + 1).trim())
  }
  const section = (name: string): string => {
    const found = sections.get(name)
    if (found === undefined) throw new Error(`${file.pathname} has no section "${name}"`)
    return found
  }
  return {
    hash: sha256(text).slice(0, 12),
    section,
    fill: (name, values) =>
      section(name).replace(/\{(\w+)\}/g, (_, place: string) => {
        const value = values[place]
        if (value === undefined) throw new Error(`Nothing to fill {${place}} of "${name}" with`)
        return String(value)
      }),
  }
}
