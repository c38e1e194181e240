import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/folders.js'
import type { Memory } from '../../model/index.js'
import type { StatementCues } from './cues.js'

/** A line of the file: a memory, and how often the conversations it came from were stored by then. */
export interface NoteLine {
  memory: Memory
  times: Record<string, number>
  /** What the note does, where its words do not tell. */
  cues?: StatementCues
  /** It is a request to forget that was read, and of which it is not clear what it means. */
  isOpen?: boolean
}

/** Notes in a file, a line each. What was written whole is there after a kill; half a line is cut off. */
export class NoteFile {
  readonly #path: string

  constructor(folder: string) {
    makeFolder(folder)
    this.#path = join(folder, 'notes.jsonl')
  }

  /** All lines. A conversation that was not written to its end is cut off. */
  read(): NoteLine[] {
    if (!existsSync(this.#path)) return []
    const bytes = readFileSync(this.#path)
    const end = bytes.lastIndexOf(10) + 1
    if (end < bytes.length) truncateSync(this.#path, end)
    const batches = bytes.toString('utf8', 0, end).split('\n').filter(Boolean)
    return batches.flatMap((batch) => JSON.parse(batch) as NoteLine[])
  }

  /** Adds the notes of a conversation, all or none. */
  append(lines: readonly NoteLine[]): void {
    if (lines.length > 0) appendFileSync(this.#path, `${JSON.stringify(lines)}\n`)
  }

  /** Puts others in the place of all lines, at once. */
  rewrite(lines: readonly NoteLine[]): void {
    const part = `${this.#path}.part`
    writeFileSync(part, lines.map((line) => `${JSON.stringify([line])}\n`).join(''))
    const file = openSync(part, 'r')
    fsyncSync(file)
    closeSync(file)
    renameSync(part, this.#path)
  }
}
