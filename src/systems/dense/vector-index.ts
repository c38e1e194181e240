import { type Hit, TopK } from '../top-k.js'
import { dotProduct, dotProducts } from './dot-products.js'

/** Vectors of unit length in one contiguous matrix, searched by looking at all of them: exact, and fast enough for a memory. */
export class VectorIndex {
  #matrix: Float32Array
  #size = 0

  constructor(readonly dimensions: number) {
    this.#matrix = new Float32Array(dimensions * 256)
  }

  get size(): number {
    return this.#size
  }

  /** Adds a vector; its index is the number of vectors added before it. */
  add(vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new RangeError(`Expected a vector of ${this.dimensions} dimensions, got ${vector.length}`)
    }
    const at = this.#size++ * this.dimensions
    if (at >= this.#matrix.length) {
      const larger = new Float32Array(this.#matrix.length * 2)
      larger.set(this.#matrix)
      this.#matrix = larger
    }
    this.#matrix.set(vector, at)
  }

  /** Takes the vector that was added last out again. */
  pop(): void {
    if (this.#size > 0) this.#size--
  }

  /** Puts another vector in the place of one. */
  set(index: number, vector: Float32Array): void {
    if (vector.length !== this.dimensions || index >= this.#size) {
      throw new RangeError(`Expected a vector of ${this.dimensions} dimensions for a place below ${this.#size}`)
    }
    this.#matrix.set(vector, index * this.dimensions)
  }

  /** A copy of a vector. */
  at(index: number): Float32Array {
    return this.#matrix.slice(index * this.dimensions, (index + 1) * this.dimensions)
  }

  /** Cosine of a query with one vector. */
  similarity(index: number, query: Float32Array): number {
    return dotProduct(this.#matrix, index * this.dimensions, query)
  }

  /** The most similar vectors, best first. */
  search(query: Float32Array, k: number): Hit[] {
    const best = new TopK(Math.min(k, this.#size))
    const scores = this.similarities(query)
    for (let i = 0; i < scores.length; i++) best.offer(i, scores[i]!)
    return best.hits()
  }

  /** Cosine of the query with every vector. */
  similarities(query: Float32Array): Float64Array {
    if (query.length !== this.dimensions) {
      throw new RangeError(`Expected a query of ${this.dimensions} dimensions, got ${query.length}`)
    }
    return dotProducts(this.#matrix, this.#size, query)
  }
}
