import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dotProduct, dotProducts } from './dot-products.js'
import { createSimdKernel } from './simd-kernel.js'

/** Numbers as vectors have them, the same for the same seed. */
function numbersFrom(seed: number, count: number): Float32Array {
  let state = seed
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  })
}

describe('dot products', () => {
  it('are the same to the last bit one by one and all at once, of any length and number', () => {
    const shape = fc.tuple(fc.integer(), fc.integer({ min: 1, max: 130 }), fc.integer({ min: 0, max: 200 }))
    fc.assert(
      fc.property(shape, ([seed, length, size]) => {
        const matrix = numbersFrom(seed, length * (size + 3))
        const query = numbersFrom(seed + 1, length)
        const one = Array.from({ length: size }, (_, i) => dotProduct(matrix, i * length, query))
        expect([...dotProducts(matrix, size, query)]).toEqual(one)
      }),
    )
  })

  it('of more vectors than the kernel has room for are the same too', () => {
    const [length, size] = [384, 1000]
    const matrix = numbersFrom(5, length * size)
    const query = numbersFrom(6, length)
    const one = Array.from({ length: size }, (_, i) => dotProduct(matrix, i * length, query))
    expect([...dotProducts(matrix, size, query)]).toEqual(one)
  })

  it('of vectors too long for the kernel are worked out without it', () => {
    const length = 2 ** 16
    const products = dotProducts(new Float32Array(length * 64).fill(1), 64, new Float32Array(length).fill(1))
    expect(new Set(products)).toEqual(new Set([length]))
  })
})

describe('the kernel', () => {
  it('multiplies four vectors with a query', () => {
    const kernel = createSimdKernel(1024)!
    new Float64Array(kernel.memory, 0, 4).set([1, 2, 3, 4])
    new Float32Array(kernel.memory, 32, 16).set([1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0.5, -0.5])
    kernel.multiply(0, 32, 96, 4, 16)
    expect([...new Float64Array(kernel.memory, 96, 4)]).toEqual([1, 2, 10, -0.5])
  })
})
