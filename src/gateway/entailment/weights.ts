import { closeSync, existsSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { PRIVATE_FILE } from '../../base/folders.js'

interface PackedTensor {
  name: string
  shape: number[]
  type: 'int8' | 'fp16'
  /** Where it begins, behind the head. */
  at: number
  /** Where the scales of its rows begin, for int8. */
  scales?: number
}

/** A linear layer on top of the model: a row of weights and a bias for each of its outputs. */
export interface LinearHead {
  weight: number[][]
  bias: number[]
}

/** A packed model; its tensors are still in the file. */
export interface PackedModel {
  tensors: PackedTensor[]
  heads: Record<'nli' | 'mem', LinearHead>
  file: string
  /** Where the tensors begin. */
  begin: number
}

/** Reads the head of a file as `lab/training/pack.py` writes it. */
export function readPacked(file: string): PackedModel {
  const length = readPart(file, 0, 4).readUInt32LE()
  const head = JSON.parse(readPart(file, 4, length).toString('utf8')) as Pick<PackedModel, 'tensors' | 'heads'>
  return { ...head, file, begin: 4 + length }
}

function readPart(file: string, at: number, length: number): Buffer {
  const from = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    const read = readSync(from, bytes, 0, length, at)
    if (read !== length) throw new Error(`${file} ends too soon`)
    return bytes
  } finally {
    closeSync(from)
  }
}

/**
 * The model as safetensors of 16-bit floats, which is what the engine reads; made once and kept.
 *
 * @returns the file
 */
export function expandedModel(packed: PackedModel, file: string): string {
  const { tensors } = packed
  if (existsSync(file) && statSync(file).size > 0) return file
  const entries: Record<string, { dtype: 'F16'; shape: number[]; data_offsets: [number, number] }> = {}
  let at = 0
  for (const { name, shape } of tensors) {
    const bytes = 2 * sizeOf(shape)
    entries[name] = { dtype: 'F16', shape, data_offsets: [at, at + bytes] }
    at += bytes
  }
  const head = Buffer.from(JSON.stringify(entries))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(head.length))
  const part = `${file}.${process.pid}.part`
  const to = openSync(part, 'w', PRIVATE_FILE)
  try {
    writeFileSync(to, Buffer.concat([length, head]))
    for (const tensor of tensors) for (const strip of halfFloats(tensor, packed)) writeFileSync(to, strip)
  } finally {
    closeSync(to)
  }
  renameSync(part, file)
  return file
}

/** Numbers of a strip: once a larger piece of memory was let go of, the system's allocator keeps tens of megabytes of what is freed later. */
const STRIP = 1 << 15

/** A tensor as 16-bit floats, in strips. */
export function* halfFloats(
  { shape, type, at, scales }: PackedTensor,
  { file, begin }: PackedModel,
): Generator<Buffer> {
  const size = sizeOf(shape)
  if (type === 'fp16') {
    yield readPart(file, begin + at, 2 * size)
    return
  }
  const [rows, width] = shape as [number, number]
  const step = Math.ceil(STRIP / width)
  for (let from = 0; from < rows; from += step) {
    const taken = Math.min(step, rows - from)
    const { buffer, byteOffset } = readPart(file, begin + at + from * width, taken * width)
    const packed = new Int8Array(buffer, byteOffset, taken * width)
    const all = readPart(file, begin + scales! + 4 * from, 4 * taken)
    const out = new Uint16Array(taken * width)
    for (let row = 0; row < taken; row++) {
      const scale = all.readFloatLE(4 * row)
      for (let i = row * width; i < (row + 1) * width; i++) out[i] = halfFloat(packed[i]! * scale)
    }
    yield Buffer.from(out.buffer)
  }
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1)
}

const wide = new Float32Array(1)
const bits = new Uint32Array(wide.buffer)

/** The bits of the 16-bit float that is nearest to a number; between two, the even one. */
function halfFloat(value: number): number {
  wide[0] = value
  const [all] = bits as unknown as [number]
  const sign = (all >>> 16) & 0x8000
  const exponent = ((all >>> 23) & 0xff) - 112
  const fraction = all & 0x7fffff
  if (exponent >= 31) return sign | 0x7c00
  if (exponent <= 0) {
    if (exponent < -10) return sign
    const shift = 14 - exponent
    return sign | rounded(fraction | 0x800000, shift)
  }
  return sign | rounded((exponent << 23) | fraction, 13)
}

function rounded(value: number, shift: number): number {
  const kept = value >>> shift
  const lost = value & ((1 << shift) - 1)
  const half = 1 << (shift - 1)
  return lost > half || (lost === half && (kept & 1) === 1) ? kept + 1 : kept
}
