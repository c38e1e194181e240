import { cleanText } from '../../base/fence.js'
import { groupBy } from '../../base/group-by.js'
import { fold } from '../../base/text.js'
import type { Conversation, Memory } from '../../model/index.js'
import { type Kept, memoryOf, rowOfMemory } from '../parts/index.js'

/** Whatever ends a line somewhere. */
const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

/** A line, and how a model is shown it. */
interface Line extends Kept {
  readonly shown: string
}

/** The one file, line by line. A line that is written again as it was stays the same memory, any other is one of the conversation that wrote it. */
export class MemoryFile {
  #lines: Line[] = []
  /** The file as it was last shown; null when more than lines at its end has changed since. */
  #shown: string | null = ''
  /** Lines that were ever written, by which they are named. */
  #written = 0

  get lines(): readonly Kept[] {
    return this.#lines
  }

  /** A copy to work on, until it is {@link adopt}ed. */
  draft(): MemoryFile {
    const copy = new MemoryFile()
    copy.adopt(this)
    return copy
  }

  /** Becomes what another file is now. */
  adopt(other: MemoryFile): void {
    this.#lines = [...other.#lines]
    this.#shown = other.#shown
    this.#written = other.#written
  }

  /** The file as a model is shown it. */
  show(): string {
    this.#shown ??= this.#lines.map(({ shown }) => shown).join('\n')
    return this.#lines.length === 0 ? '(empty)' : this.#shown
  }

  /** Adds lines at the end, and says how many. */
  append(content: string, conversation: Conversation): number {
    const added = linesOf(content).map((text) => this.#lineOf(text, conversation))
    for (const line of added) this.#add(line)
    return added.length
  }

  /** Puts lines in the place of all there are, and says how many. */
  write(content: string, conversation: Conversation): number {
    const before = groupBy(this.#lines, ({ text }) => text)
    this.#lines = linesOf(content).map((text) => before.get(text)?.shift() ?? this.#lineOf(text, conversation))
    this.#shown = null
    return this.#lines.length
  }

  insert(memories: readonly Memory[]): void {
    for (const memory of memories) this.#add(lineOf(rowOfMemory(memory)))
  }

  /**
   * The lines that a reply quotes, in its order, each once. Bullets, dates in brackets, case and white space do not matter; what is no line
   * of the file is given as it was said, under an id of its own, for it is what a reader would see.
   */
  quoted(reply: string): Memory[] {
    const whole = groupBy(this.#lines, ({ text }) => keyOf(text))
    const undated = groupBy(this.#lines, ({ text }) => withoutDay(keyOf(text)))
    const found = new Map<string, Memory>()
    for (const [i, line] of linesOf(reply).entries()) {
      const key = keyOf(line)
      const held = whole.get(key)?.shift() ?? undated.get(withoutDay(key))?.find(({ id }) => !found.has(id))
      const memory = held ? memoryOf(held) : { id: `said-${i + 1}`, text: line }
      found.set(memory.id, memory)
    }
    return [...found.values()]
  }

  #add(line: Line): void {
    if (this.#shown !== null) this.#shown = this.#lines.length === 0 ? line.shown : `${this.#shown}\n${line.shown}`
    this.#lines.push(line)
  }

  #lineOf(text: string, { id, time }: Conversation): Line {
    return lineOf({ id: `l${++this.#written}`, text, time, sources: [id] })
  }
}

function linesOf(content: string): string[] {
  return content
    .split(BREAK)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function lineOf(line: Kept): Line {
  return { ...line, shown: shownAs(line.text) }
}

function shownAs(text: string): string {
  return cleanText(text.replace(BREAK, ' '))
}

function keyOf(line: string): string {
  return fold(shownAs(line).replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''))
}

function withoutDay(key: string): string {
  return key.replace(/^\[[^\]]*\]\s*/, '')
}
