import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expandedModel, readPacked } from './weights.js'

/** More than one strip, and the last one not full. */
const [ROWS, WIDTH] = [150, 500]

it('unpacks every row by its own scale, whichever strip it is in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-weights-'))
  const values = Int8Array.from({ length: ROWS * WIDTH }, (_, i) => (i % 15) - 7)
  const scales = Float32Array.from({ length: ROWS }, (_, row) => row + 1)
  const tensors = [
    { name: 'wide', shape: [ROWS, WIDTH], type: 'int8', at: 0, scales: values.length },
    { name: 'half', shape: [2], type: 'fp16', at: values.length + scales.byteLength },
  ]
  const head = Buffer.from(JSON.stringify({ tensors, heads: {} }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const ones = Buffer.from(Uint16Array.of(0x3c00, 0xbc00).buffer)
  const packed = join(folder, 'packed.bin')
  writeFileSync(packed, Buffer.concat([length, head, Buffer.from(values.buffer), Buffer.from(scales.buffer), ones]))

  const bytes = readFileSync(expandedModel(readPacked(packed), join(folder, 'model.safetensors')))
  const found = bytes.subarray(8 + Number(bytes.readBigUInt64LE()))
  const numbers = Array.from({ length: found.length / 2 }, (_, i) => numberOf(found.readUInt16LE(2 * i)))
  const wide = Array.from(values, (value, i) => value * scales[Math.floor(i / WIDTH)]!)
  expect(numbers).toEqual([...wide, 1, -1])
})

/** The number that the bits of a 16-bit float stand for; none of these is subnormal. */
function numberOf(bits: number): number {
  const magnitude = (bits & 0x7fff) === 0 ? 0 : (1 + (bits & 0x3ff) / 1024) * 2 ** (((bits >> 10) & 31) - 15)
  return bits >> 15 === 1 ? -magnitude : magnitude
}
