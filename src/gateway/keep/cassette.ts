import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { isFolder, makePrivateFolder, PRIVATE_FILE } from '../../base/folders.js'
import { bytesOf, vectorOf } from '../embed/vector-store.js'
import { parseJson } from '../json.js'
import type { Redactor } from '../redact.js'
import { type CallIdentity, WireReply, type WireRequest } from '../wire.js'
import { orExplain } from './keep-database.js'

const Chat = z.object({
  v: z.literal(1),
  kind: z.literal('chat'),
  key: z.string(),
  model: z.string(),
  trial: z.number(),
  ask: z.number(),
  label: z.string().optional(),
  request: z.unknown(),
  reply: WireReply,
})
const Embedding = z.object({
  v: z.literal(1),
  kind: z.literal('embedding'),
  key: z.string(),
  model: z.string(),
  text: z.string(),
  /** Little-endian 32-bit floats in base64. */
  vector: z.string().refine((text) => Buffer.from(text, 'base64').length % 4 === 0, 'is no list of floats'),
})
const Entry = z.discriminatedUnion('kind', [Chat, Embedding])
type Entry = z.infer<typeof Entry>

/** Recorded traffic as JSON lines, added as replies come and sorted by hash at the end, so that the same run twice gives the same file. */
export class Cassette {
  readonly #file: string
  readonly #redactor: Redactor
  readonly #entries = new Map<string, Entry>()
  #fd: number | null = null

  constructor(file: string, mode: 'record' | 'replay', redactor: Redactor) {
    this.#file = file
    this.#redactor = redactor
    if (mode === 'replay' && !existsSync(file)) {
      throw new UserError(`There is no cassette ${file} to replay.`, 'Record one first, or check its path.')
    }
    if (isFolder(file)) throw new UserError(`The cassette ${file} is a folder.`, 'Name a file in it.')
    this.#orExplain(() => {
      if (existsSync(file)) this.#load(mode)
      if (mode === 'record') {
        makePrivateFolder(dirname(file))
        this.#fd = openSync(file, 'a', PRIVATE_FILE)
      }
    })
  }

  get size(): number {
    return this.#entries.size
  }

  reply(key: string): WireReply | null {
    const entry = this.#entries.get(key)
    return entry?.kind === 'chat' ? entry.reply : null
  }

  vector(key: string): Float32Array | null {
    const entry = this.#entries.get(key)
    return entry?.kind === 'embedding' ? vectorOf(Buffer.from(entry.vector, 'base64')) : null
  }

  /** Length of the vectors of a model, when there is one. */
  vectorLength(model: string): number | null {
    for (const entry of this.#entries.values()) {
      if (entry.kind === 'embedding' && entry.model === model) return Buffer.from(entry.vector, 'base64').length / 4
    }
    return null
  }

  putReply(key: string, call: CallIdentity, label: string | undefined, request: WireRequest, reply: WireReply): void {
    const { provider, model, trial, ask } = call
    const named = { key, model: `${provider}:${model}`, trial, ask, ...(label !== undefined && { label }) }
    this.#put({ v: 1, kind: 'chat', ...named, request, reply })
  }

  putVector(key: string, model: string, text: string, vector: Float32Array): void {
    this.#put({ v: 1, kind: 'embedding', key, model, text, vector: bytesOf(vector).toString('base64') })
  }

  close(): void {
    if (this.#fd === null) return
    closeSync(this.#fd)
    this.#fd = null
    const sorted = [...this.#entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    const beside = `${this.#file}.${process.pid}.tmp`
    this.#orExplain(() => {
      try {
        writeFileSync(beside, sorted.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: PRIVATE_FILE })
        renameSync(beside, this.#file)
      } finally {
        rmSync(beside, { force: true })
      }
    })
  }

  #put(entry: Entry): void {
    if (this.#fd === null || this.#entries.has(entry.key)) return
    const clean = this.#redactor.value(entry)
    this.#entries.set(entry.key, clean)
    const fd = this.#fd
    this.#orExplain(() => writeSync(fd, `${JSON.stringify(clean)}\n`))
  }

  /** What is paid for and cannot be recorded ends the run: a cassette with gaps would be of no use. */
  #orExplain(work: () => void): void {
    orExplain(`cassette ${this.#file}`, 'name another file.', work)
  }

  #load(mode: 'record' | 'replay'): void {
    const bytes = readFileSync(this.#file)
    const whole = bytes.lastIndexOf(10) + 1
    // A last line without an end was being written when its process was killed.
    if (mode === 'record' && whole < bytes.length) truncateSync(this.#file, whole)
    for (const [i, line] of bytes.toString('utf8', 0, whole).split('\n').entries()) {
      if (line.trim() === '') continue
      const entry = Entry.safeParse(parseJson(line))
      if (!entry.success) {
        throw new UserError(
          `${this.#file}:${i + 1} is not a line of a cassette.`,
          'Record it again, or restore the file from where it came.',
        )
      }
      this.#entries.set(entry.data.key, entry.data)
    }
  }
}
