import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { UserError } from 'memscope'
import { lockFolder } from './lock.js'
import type { NoteContent } from './note.js'

/** A line of the file: a conversation with its notes. */
export interface NoteLine {
  /** What the ids of its notes begin with. */
  name: string
  source: string
  time: string
  notes: readonly NoteContent[]
}

/** What the first line of a file says. */
const FORMAT = 1
const HEADER = `${JSON.stringify({ mosaic: FORMAT })}\n`
const LINE_END = 10

/**
 * Notes in a file, a conversation a line, for one memory at a time. What `append` has written is there after a crash; what was cut off by one
 * is removed. A damaged line is told and left where it is, and the others are read.
 */
export class NoteFile {
  readonly #path: string
  readonly #unlock: () => void
  /** Where the last whole line ends. */
  #end = 0
  /** Numbers of lines that cannot be read. */
  #damaged: number[] = []

  /** Opens the file in a folder. @throws UserError when another memory has it, or it is none of Mosaic's */
  constructor(
    folder: string,
    private readonly warn: (message: string) => void,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#path = join(folder, 'notes.jsonl')
    this.#unlock = lockFolder(folder)
    try {
      this.#prepare()
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  /** All lines that can be read. */
  read(): NoteLine[] {
    const [, ...lines] = readFileSync(this.#path).toString('utf8', 0, this.#end).split('\n').slice(0, -1)
    this.#damaged = []
    return lines.flatMap((text, i) => {
      const line = parseLine(text)
      if (line) return [line]
      this.#damaged.push(i + 2)
      this.warn(`${this.#path}, line ${i + 2}: damaged, and left out. The other lines are read.`)
      return []
    })
  }

  /** Adds a conversation, all of it or nothing. */
  append(line: NoteLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    const file = openSync(this.#path, 'r+')
    try {
      // What an append left behind that could not be taken back.
      if (fstatSync(file).size > this.#end) ftruncateSync(file, this.#end)
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, this.#end + at)
        fsyncSync(file)
      } catch (error) {
        ftruncateSync(file, this.#end)
        throw error
      }
      this.#end += bytes.length
    } finally {
      closeSync(file)
    }
  }

  /** Puts others in the place of all lines, at once. Refused while a line is damaged: what is to go may stand in it. */
  rewrite(lines: readonly NoteLine[]): void {
    if (this.#damaged.length > 0)
      throw new UserError(
        `Nothing was changed: ${this.#path} has damaged lines (${this.#damaged.join(', ')}), and nobody can say what stands in them.`,
        'Mend or delete them, and open the memory again.',
      )
    this.#replace(HEADER + lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  close(): void {
    this.#unlock()
  }

  #prepare(): void {
    rmSync(`${this.#path}.part`, { force: true })
    const bytes = existsSync(this.#path) ? readFileSync(this.#path) : Buffer.alloc(0)
    if (bytes.length === 0) {
      this.#replace(HEADER)
      return
    }
    const [head = ''] = bytes.toString('utf8').split('\n', 1)
    if (!bytes.includes(LINE_END) || formatOf(head) !== FORMAT)
      throw new UserError(
        `${this.#path} is no file of Mosaic's: its first line is not ${HEADER.trim()}. It was left as it is.`,
        'Give another folder.',
      )
    this.#end = bytes.lastIndexOf(LINE_END) + 1
    if (this.#end < bytes.length) truncateSync(this.#path, this.#end)
  }

  #replace(text: string): void {
    const bytes = Buffer.from(text)
    const part = `${this.#path}.part`
    try {
      const file = openSync(part, 'w', 0o600)
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(part, this.#path)
    } catch (error) {
      rmSync(part, { force: true })
      throw error
    }
    this.#end = bytes.length
  }
}

/** The format that a first line names; a mark that an editor put before it does no harm. */
function formatOf(head: string): unknown {
  const value = parsed(head.replace(/^\ufeff/, ''))
  return isObject(value) ? value.mosaic : undefined
}

function parseLine(text: string): NoteLine | null {
  const line = parsed(text)
  if (!isObject(line) || !Array.isArray(line.notes)) return null
  const isTold = [line.name, line.source, line.time].every((one) => typeof one === 'string')
  return isTold && line.notes.every(isContent) ? (line as unknown as NoteLine) : null
}

function isContent(note: unknown): note is NoteContent {
  if (!isObject(note) || typeof note.id !== 'string' || typeof note.text !== 'string') return false
  const { role, clauses, claim, restsOn = [] } = note
  const isClaim = (value: unknown) => isObject(value) && typeof value.about === 'string'
  return (
    (role === 'user' || role === 'assistant') &&
    Array.isArray(clauses) &&
    clauses.every((clause) => typeof clause === 'string') &&
    (claim === undefined || (isClaim(claim) && typeof (claim as { value?: unknown }).value === 'string')) &&
    Array.isArray(restsOn) &&
    restsOn.every(isClaim)
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Told as damaged by whoever asked.
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
