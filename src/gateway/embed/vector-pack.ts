import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UserError } from '../../base/errors.js'
import { KEY_BYTES, type VectorSource, vectorOf } from './vector-store.js'

/*
 * A pack is: magic, length of the header, header as JSON, keys in ascending order, vectors in the same order, SHA-256 of all before it.
 * A vector is its numbers, or, in a coarse pack, a factor and each number as a byte.
 */
const MAGIC = 'MEMVEC1\n'
const HASH_BYTES = 32

/** Vectors that ship with the package: read-only, all made by one embedder. */
export interface VectorPack extends VectorSource {
  readonly embedder: string
  readonly size: number
}

/** Opens a pack and makes sure that it is whole. */
export function readPack(file: string): VectorPack {
  const bytes = readFileSync(file)
  const damaged = new UserError(`The vectors in ${file} are damaged.`, 'Install the package again.')
  if (bytes.length < MAGIC.length + 4 + HASH_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw damaged
  const body = bytes.subarray(0, -HASH_BYTES)
  if (!sha256Of(body).equals(bytes.subarray(-HASH_BYTES))) throw damaged

  const headerStart = MAGIC.length + 4
  const keysStart = headerStart + body.readUInt32LE(MAGIC.length)
  const header = JSON.parse(body.toString('utf8', headerStart, keysStart)) as {
    embedder: string
    dimensions: number
    count: number
    isCoarse?: boolean
  }
  const vectorBytes = header.isCoarse ? 4 + header.dimensions : header.dimensions * 4
  const read = header.isCoarse ? coarseVectorOf : vectorOf
  const vectorsStart = keysStart + header.count * KEY_BYTES

  const find = (key: Buffer): number => {
    let low = 0
    let high = header.count - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const start = keysStart + middle * KEY_BYTES
      const order = body.compare(key, 0, KEY_BYTES, start, start + KEY_BYTES)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  return {
    embedder: header.embedder,
    size: header.count,
    get: (keys) =>
      keys.map((key) => {
        const at = find(key)
        if (at < 0) return undefined
        const start = vectorsStart + at * vectorBytes
        return read(body.subarray(start, start + vectorBytes))
      }),
  }
}

function coarseVectorOf(bytes: Buffer): Float32Array {
  const factor = bytes.readFloatLE()
  return Float32Array.from({ length: bytes.length - 4 }, (_, i) => bytes.readInt8(4 + i) * factor)
}

function sha256Of(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
