import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder, PRIVATE_FILE } from '../../base/folders.js'
import { orExplain } from '../keep/keep-database.js'
import { bytesOf, KEY_BYTES, type VectorSource, vectorOf } from './vector-store.js'

/** Begins every record, so that reading finds its way again after a torn one. */
const MAGIC = Buffer.from('\x93MSvec\r\n', 'latin1')
const CRC_BYTES = 4
/** Records read at a time while looking through the file. */
const CHUNK = 2048

/**
 * Vectors of one embedder on disk: a file to which records are only ever added, each magic, key, vector and a checksum over both. Several
 * processes may add to it at once. A record that was torn or changed counts as missing; whatever is missing is computed and added again.
 * Opening reads through the file once for the places of keys; vectors are read when they are asked for.
 */
export class VectorCache implements VectorSource {
  readonly #file: string
  readonly #folder: string
  /** Opened at first use: who only looks things up in bundled packs leaves no file behind. */
  #opened: number | null = null
  readonly #recordBytes: number
  /** Where the newest record of each key begins. */
  #places = new Map<string, number>()
  /** How far the file was looked through. */
  #seen = 0

  constructor(folder: string, embedder: string, dimensions: number) {
    this.#file = join(folder, `${embedder.replace(/[^\w.-]+/g, '-')}.vectors`)
    this.#recordBytes = MAGIC.length + KEY_BYTES + dimensions * 4 + CRC_BYTES
    this.#folder = folder
  }

  get #fd(): number {
    if (this.#opened === null) {
      makePrivateFolder(this.#folder)
      this.#opened = openSync(this.#file, 'a+', PRIVATE_FILE)
    }
    return this.#opened
  }

  get(keys: readonly Buffer[]): (Float32Array | undefined)[] {
    return this.#orExplain(() => {
      this.#catchUp()
      return keys.map((key) => {
        const place = this.#places.get(key.toString('latin1'))
        if (place === undefined) return undefined
        const record = Buffer.alloc(this.#recordBytes)
        readSync(this.#fd, record, 0, record.length, place)
        return this.#isWhole(record, 0) ? vectorOf(record.subarray(MAGIC.length + KEY_BYTES, -CRC_BYTES)) : undefined
      })
    })
  }

  /** Keys of everything that is kept. */
  keys(): Buffer[] {
    return this.#orExplain(() => {
      this.#catchUp()
      return [...this.#places.keys()].map((key) => Buffer.from(key, 'latin1'))
    })
  }

  /** Keeps vectors. They survive the end of the process, however it ends. */
  put(entries: readonly { key: Buffer; vector: Float32Array }[]): void {
    if (entries.length === 0) return
    const records = entries.map(({ key, vector }) => {
      const body = Buffer.concat([MAGIC, key, bytesOf(vector)])
      const checksum = Buffer.alloc(CRC_BYTES)
      checksum.writeUInt32LE(crc32(body))
      return Buffer.concat([body, checksum])
    })
    // One write for all: the system appends it as a whole, also when another process writes at the same time.
    const bytes = Buffer.concat(records)
    this.#orExplain(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at)
    })
  }

  close(): void {
    if (this.#opened !== null) closeSync(this.#opened)
    this.#opened = null
  }

  /** Notes the places of records that were added since the last look, by this process or another. */
  #catchUp(): void {
    const size = fstatSync(this.#fd).size
    while (size - this.#seen >= this.#recordBytes) {
      const chunk = Buffer.allocUnsafe(Math.min(size - this.#seen, CHUNK * this.#recordBytes))
      const bytes = chunk.subarray(0, readSync(this.#fd, chunk, 0, chunk.length, this.#seen))
      const used = this.#noteRecords(bytes, this.#seen)
      if (used === 0) return
      this.#seen += used
    }
  }

  /** Notes the records in a stretch of the file, and returns how much of it needs no second look. */
  #noteRecords(bytes: Buffer, offset: number): number {
    const { length } = MAGIC
    let at = 0
    while (at + this.#recordBytes <= bytes.length) {
      const next = at + this.#recordBytes
      const looksRight = this.#magicAt(bytes, at)
      if (looksRight && (this.#magicAt(bytes, next) || this.#isWhole(bytes, at))) {
        this.#places.set(bytes.toString('latin1', at + length, at + length + KEY_BYTES), offset + at)
        at = next
        continue
      }
      const found = bytes.indexOf(MAGIC, at + 1)
      at = found >= 0 ? found : bytes.length - length + 1
    }
    return at
  }

  #magicAt(bytes: Buffer, at: number): boolean {
    return bytes.length >= at + MAGIC.length && MAGIC.compare(bytes, at, at + MAGIC.length) === 0
  }

  #isWhole(bytes: Buffer, at: number): boolean {
    const end = at + this.#recordBytes - CRC_BYTES
    return this.#magicAt(bytes, at) && crc32(bytes.subarray(at, end)) === bytes.readUInt32LE(end)
  }

  #orExplain<T>(work: () => T): T {
    return orExplain(`cache of vectors at ${this.#file}`, 'choose another with --home <folder>.', work)
  }
}
