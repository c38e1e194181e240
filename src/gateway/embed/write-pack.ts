import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { bytesOf } from './vector-store.js'

/** How a pack begins, for `readPack`, beside which the format is told. */
const MAGIC = 'MEMVEC1\n'

/** What a pack is made of. */
export interface PackContents {
  embedder: string
  dimensions: number
  entries: readonly { key: Buffer; vector: Float32Array }[]
  /** Numbers as bytes: a quarter of the size, and cosines that are off by a thousandth. */
  isCoarse?: boolean
}

/** Writes a pack. The same entries give the same bytes, in whatever order they come. */
export function writePack(file: string, { embedder, dimensions, isCoarse, entries: given }: PackContents): void {
  const entries = given.toSorted((a, b) => a.key.compare(b.key))
  const header = Buffer.from(
    JSON.stringify({ embedder, dimensions, count: entries.length, ...(isCoarse && { isCoarse }) }),
  )
  const written = isCoarse ? coarseBytesOf : bytesOf
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  const body = Buffer.concat([
    Buffer.from(MAGIC, 'latin1'),
    length,
    header,
    ...entries.map((entry) => entry.key),
    ...entries.map((entry) => written(entry.vector)),
  ])
  writeFileSync(file, Buffer.concat([body, createHash('sha256').update(body).digest()]))
}

function coarseBytesOf(vector: Float32Array): Buffer {
  const factor = Math.fround(vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127) || 1
  const bytes = Buffer.alloc(4 + vector.length)
  bytes.writeFloatLE(factor)
  for (const [i, value] of vector.entries()) bytes.writeInt8(Math.round(value / factor), 4 + i)
  return bytes
}
