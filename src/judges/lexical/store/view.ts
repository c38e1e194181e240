import { sentences, withoutGaps } from '../../../base/text.js'
import { plainWords } from '../../../language/tokens.js'
import type { Memory } from '../../../model/index.js'

/** A memory as the judge reads it. */
export interface MemoryView {
  id: string
  /** The statements it makes, in order: sentences, lines or triples, without labels and time stamps. */
  statements: string[]
}

/** Neighbouring statements of one memory, read together. */
export interface Passage {
  memory: string
  text: string
  /** How many statements it spans. */
  span: number
}

const NOTE_METADATA = /^\s*(?:keywords|tags|context|topics?|categor(?:y|ies))\s*:/i
const SPEAKER = /^\s*(?:user|assistant|human|ai|system)\s*:\s*/i
const TRIPLE = /\s*-\[([^\]]{0,200})\]->\s*/g
const ARROW = /\s*(?:(?<!-)-+>|→|=>)\s*/g
const TIMESTAMP = /\b(?:at|on)?\s*\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?\s*,?/gi

/** Reads a memory of any common shape: prose, `a -[relation]-> b`, notes with a line of keywords, turns with a speaker. */
export function viewOf(memory: Memory): MemoryView {
  const text = withoutGaps(memory.text)
  const statements = text
    .split(/\n+/)
    .filter((line) => !NOTE_METADATA.test(line))
    .flatMap((line) => sentences(plainStatement(line)))
  return { id: memory.id, statements: statements.length > 0 ? statements : [plainStatement(text)] }
}

/** Every run of up to `most` neighbouring statements. */
export function passages(view: MemoryView, most: number): Passage[] {
  const found: Passage[] = []
  for (let span = 1; span <= Math.min(most, view.statements.length); span++) {
    for (let i = 0; i + span <= view.statements.length; i++) {
      found.push({ memory: view.id, text: view.statements.slice(i, i + span).join(' '), span })
    }
  }
  return found
}

/** The words of a text as one string, for finding it inside another whatever its case, spacing and punctuation. */
export function wordString(text: string): string {
  return ` ${plainWords(text).join(' ')} `
}

/**
 * What finds a text in a `wordString`.
 *
 * @param free places of words that are numbers, for which any other number will do
 */
export function wordPattern(text: string, free: ReadonlySet<number>): RegExp {
  const words = plainWords(text).map((word, at) => (free.has(at) ? '\\d[\\d.,]*' : word.replaceAll('.', '\\.')))
  return new RegExp(` ${words.join(' ')} `)
}

function plainStatement(line: string): string {
  return line
    .replace(SPEAKER, '')
    .replace(TIMESTAMP, ' ')
    .replace(TRIPLE, (_, relation: string) => ` ${relation.replaceAll('_', ' ')} `)
    .replace(ARROW, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
