import { readFileSync } from 'node:fs'
import { sha256 } from '../../base/hash.js'

/** Prompts of one file, by the names that stand after `@@`. */
export interface PromptFile {
  /** Of all sections; part of the keys of verdicts and answers. */
  hash: string
  sections: ReadonlyMap<string, string>
  /** The text of a section. Asking for one that is not there is a mistake of the program. */
  section(name: string): string
  /** A section with its `{places}` filled. What is filled in is never read for places again. */
  fill(name: string, values: Readonly<Record<string, string | number>>): string
  /** What a model is told first, with the section `fence` in its place: it says what is data, however the rest is worded. */
  system(): string
}

/**
 * Reads a file of prompts: sections that begin with a line `@@ name`.
 *
 * @example readPrompts(new URL('./facts.txt', import.meta.url)).section('system')
 */
export function readPrompts(file: URL): PromptFile {
  return promptsOf(new Map(sectionsIn(readFileSync(file, 'utf8'))))
}

export function promptsOf(sections: ReadonlyMap<string, string>): PromptFile {
  const section = (name: string): string => {
    const found = sections.get(name)
    if (found === undefined) throw new Error(`There is no section "${name}" among ${[...sections.keys()].join(', ')}`)
    return found
  }
  const fill: PromptFile['fill'] = (name, values) =>
    section(name).replace(PLACE, (_, place: string) => {
      const value = values[place]
      if (value === undefined) throw new Error(`Nothing to fill {${place}} of "${name}" with`)
      return String(value)
    })
  return {
    hash: sha256(JSON.stringify([...sections])).slice(0, 12),
    sections,
    section,
    fill,
    system: () => fill('system', { fence: section('fence') }),
  }
}

/** Prompts as the text of a file. */
export function promptText(sections: ReadonlyMap<string, string>): string {
  return [...sections].map(([name, text]) => `@@ ${name}\n${text}\n`).join('\n')
}

/** What is filled in, by its name. */
export const PLACE = /\{(\w+)\}/g

/** Sections with their names, in order. */
export function sectionsIn(text: string): [name: string, section: string][] {
  return normalizeText(text)
    .split(/^@@ /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n')
      return [name.trim(), lines.join('\n').trim()]
    })
}

/** A text as editors of all systems write it. */
export function normalizeText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}
