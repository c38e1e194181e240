import type { KindShares } from './kinds.js'

/** Kinds that are kept of a thing at most. */
const MOST = 32

/** What kinds many things are of, as numbers side by side: every question for a set looks at all of them. */
export class ShareTable {
  #kinds = new Uint16Array(MOST * 256)
  #shares = new Float32Array(MOST * 256)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a thing and returns its place. */
  add({ kinds, shares }: KindShares): number {
    const at = this.#size * MOST
    if (at >= this.#kinds.length) {
      const [oldKinds, oldShares] = [this.#kinds, this.#shares]
      this.#kinds = new Uint16Array(oldKinds.length * 2)
      this.#shares = new Float32Array(oldShares.length * 2)
      this.#kinds.set(oldKinds)
      this.#shares.set(oldShares)
    }
    this.#kinds.set(kinds.subarray(0, MOST), at)
    this.#shares.set(shares.subarray(0, MOST), at)
    return this.#size++
  }

  /** Leaves a thing without any kind. */
  clear(place: number): void {
    this.#shares.fill(0, place * MOST, (place + 1) * MOST)
  }

  /** How much of what is asked for each thing is. @param asked how much of every kind is */
  sums(asked: Float64Array): Float64Array {
    const sums = new Float64Array(this.#size)
    for (let thing = 0, at = 0; thing < this.#size; thing++) {
      let sum = 0
      for (const end = at + MOST; at < end; at++) sum += this.#shares[at]! * asked[this.#kinds[at]!]!
      sums[thing] = sum
    }
    return sums
  }
}
