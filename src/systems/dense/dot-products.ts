import { createSimdKernel, LANES, ROWS } from './simd-kernel.js'

/** Room of the kernel: as much of a matrix as a processor keeps near while it works on it. */
const KERNEL_BYTES = 512 * 1024
/** So few vectors are multiplied sooner than they are copied. */
const FEW = 64

let kernel: ReturnType<typeof createSimdKernel> | null = null

/**
 * Dot products of a query with the first vectors of a matrix, all of the query's length. By SIMD where there is such a thing, with the same
 * results to the last bit.
 */
export function dotProducts(matrix: Float32Array, size: number, query: Float32Array): Float64Array {
  const products = new Float64Array(size)
  let done = size < FEW ? 0 : bySimd(matrix, query, products)
  for (; done < size; done++) products[done] = dotProduct(matrix, done * query.length, query)
  return products
}

/** Dot product of a query with the numbers from a place of a matrix on. */
export function dotProduct(matrix: Float32Array, at: number, query: Float32Array): number {
  const { length } = query
  const whole = length - (length % LANES)
  // Four sums side by side, for the processor adds them at the same time.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let j = 0; j < whole; j += LANES) {
    a += matrix[at + j]! * query[j]!
    b += matrix[at + j + 1]! * query[j + 1]!
    c += matrix[at + j + 2]! * query[j + 2]!
    d += matrix[at + j + 3]! * query[j + 3]!
  }
  for (let j = whole; j < length; j++) a += matrix[at + j]! * query[j]!
  return a + b + c + d
}

/** Works out as many products as the kernel can, and returns how many. */
function bySimd(matrix: Float32Array, query: Float32Array, products: Float64Array): number {
  const { length } = query
  const room = Math.floor((KERNEL_BYTES - length * 8) / (length * 4 + 8))
  const most = room - (room % ROWS)
  if (length % LANES > 0 || most <= 0) return 0
  if (kernel === null) kernel = createSimdKernel(KERNEL_BYTES)
  if (!kernel) return 0
  const { memory, multiply } = kernel
  const rowsAt = length * 8
  const productsAt = rowsAt + most * length * 4
  new Float64Array(memory, 0, length).set(query)
  const rows = new Float32Array(memory, rowsAt, most * length)
  const found = new Float64Array(memory, productsAt, most)
  const whole = products.length - (products.length % ROWS)
  for (let first = 0; first < whole; first += most) {
    const count = Math.min(most, whole - first)
    rows.set(matrix.subarray(first * length, (first + count) * length))
    multiply(0, rowsAt, productsAt, count, length * 4)
    products.set(found.subarray(0, count), first)
  }
  return whole
}
