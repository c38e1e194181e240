/** Vectors that are multiplied at a time, and numbers of each. */
export const ROWS = 4
export const LANES = 4

/** What the kernel works on: one memory with the query in doubles, then vectors, then room for their products. */
export interface SimdKernel {
  memory: ArrayBuffer
  /** Multiplies `rows` vectors, a multiple of {@link ROWS}. Places and lengths are in bytes. */
  multiply: (queryAt: number, rowsAt: number, productsAt: number, rows: number, rowBytes: number) => void
}

const PAGE_BYTES = 65_536

/** What is used of WebAssembly: the types of Node do not have it. */
declare const WebAssembly: {
  validate: (bytes: Uint8Array) => boolean
  Memory: new (descriptor: { initial: number }) => { buffer: ArrayBuffer }
  Module: new (bytes: Uint8Array) => object
  Instance: new (
    module: object,
    imports: Record<string, Record<string, object>>,
  ) => { exports: { multiply: SimdKernel['multiply'] } }
}

/**
 * Dot products by instructions that multiply two doubles at once, as a WebAssembly module of one function. Every product has four sums, added
 * in the order in which plain code adds them, so that results are the same to the last bit. Undefined where a processor cannot.
 */
export function createSimdKernel(bytes: number): SimdKernel | undefined {
  const module = assembled()
  if (!WebAssembly.validate(module)) return undefined
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { kernel: { memory } })
  return { memory: memory.buffer, multiply: exports.multiply }
}

/** Numbers of the parameters and variables of the function. */
const [QUERY, VECTORS, PRODUCTS, LEFT, ROW_BYTES, AT, ASKED_AT, END, ROW] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const [ASKED_LOW, ASKED_HIGH, SUMS] = [9, 10, 11]
const lowSums = (row: number) => SUMS + 2 * row
const highSums = (row: number) => SUMS + 2 * row + 1

const [I32, V128, FUNCTION, NOTHING] = [0x7f, 0x7b, 0x60, 0x40]
const [LOOP, END_OF_BLOCK, I32_ADD, I32_SUB, I32_MUL, I32_LESS, F64_ADD] = [0x03, 0x0b, 0x6a, 0x6b, 0x6c, 0x49, 0xa0]
const get = (variable: number) => [0x20, variable]
const set = (variable: number) => [0x21, variable]
const tee = (variable: number) => [0x22, variable]
/** A number from 0 to 63: larger ones take more than a byte. */
const i32 = (value: number) => [0x41, value]
const againIfTrue = [0x0d, 0]
const simd = (instruction: number) => [0xfd, ...unsigned(instruction)]
const load = (offset: number) => [...simd(0x00), 0, offset]
const loadTwoFloats = (offset: number) => [...simd(0x5d), 0, offset]
const toDoubles = simd(0x5f)
const addDoubles = simd(0xf0)
const multiplyDoubles = simd(0xf2)
const zeros = [...simd(0x0c), ...Array<number>(16).fill(0)]
const lane = (at: number) => [...simd(0x21), at]
const storeDouble = (offset: number) => [0x39, 0, offset]
const advance = (variable: number, by: number) => [...get(variable), ...i32(by), I32_ADD, ...set(variable)]

function assembled(): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: ROWS }, (_, row) => row)
  const addTo = (sums: number, asked: number, offset: number) => [
    ...get(ROW),
    ...loadTwoFloats(offset),
    ...toDoubles,
    ...get(asked),
    ...multiplyDoubles,
    ...get(sums),
    ...addDoubles,
    ...set(sums),
  ]
  const code = [
    ...[LOOP, NOTHING],
    ...[get(VECTORS), set(AT), get(QUERY), set(ASKED_AT), get(VECTORS), get(ROW_BYTES), I32_ADD, set(END)].flat(),
    ...rows.flatMap((row) => [...zeros, ...set(lowSums(row)), ...zeros, ...set(highSums(row))]),
    ...[LOOP, NOTHING],
    ...[get(ASKED_AT), load(0), set(ASKED_LOW), get(ASKED_AT), load(16), set(ASKED_HIGH)].flat(),
    ...rows.flatMap((row) => [
      ...[get(AT), get(ROW_BYTES), i32(row), I32_MUL, I32_ADD, set(ROW)].flat(),
      ...addTo(lowSums(row), ASKED_LOW, 0),
      ...addTo(highSums(row), ASKED_HIGH, 8),
    ]),
    ...advance(ASKED_AT, 8 * LANES),
    ...[get(AT), i32(4 * LANES), I32_ADD, tee(AT), get(END), I32_LESS, againIfTrue, END_OF_BLOCK].flat(),
    ...rows.flatMap((row) => [
      ...[get(PRODUCTS), get(lowSums(row)), lane(0), get(lowSums(row)), lane(1), F64_ADD].flat(),
      ...[get(highSums(row)), lane(0), F64_ADD, get(highSums(row)), lane(1), F64_ADD, storeDouble(8 * row)].flat(),
    ]),
    ...advance(PRODUCTS, 8 * ROWS),
    ...[get(VECTORS), get(ROW_BYTES), i32(ROWS), I32_MUL, I32_ADD, set(VECTORS)].flat(),
    ...[get(LEFT), i32(ROWS), I32_SUB, tee(LEFT), againIfTrue, END_OF_BLOCK].flat(),
  ]
  const variables = [2, ROW - LEFT - 1, I32, SUMS + 2 * ROWS - ASKED_LOW, V128]
  const body = [...variables, ...code, END_OF_BLOCK]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, FUNCTION, 5, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...named('kernel'), ...named('memory'), 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('multiply'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function named(name: string): number[] {
  return [name.length, ...Buffer.from(name)]
}

/** A number as WebAssembly writes it: seven bits a byte, lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
