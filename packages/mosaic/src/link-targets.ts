import type { VectorIndex } from 'memscope/retrieval'

/** So many are all looked at; of more, only those whose sketches are nearest, and those as near as the last of them. */
const ALL = 1024
const NEAREST = 256
/** Words of a sketch, 32 signs each. */
const WORDS = 4
const SIGNS = WORDS * 32

/**
 * Notes that something may be linked to, in the order of saying. A vector has a sketch of 128 signs, by which what is near among very many is
 * found without looking at all vectors: nearly always what has a cosine of 0.6 and more, less often what is farther off.
 */
export class LinkTargets {
  #notes: number[] = []
  #sketches = new Uint32Array(ALL * WORDS)
  #sketched = 0

  /** Adds a note that was said after all others. */
  add(note: number): void {
    this.#notes.push(note)
  }

  /** Those said after a note that may be near to a vector: all of few, or else the nearest. @param after -1 for all */
  near(vector: Float32Array, after: number, vectors: VectorIndex): readonly number[] {
    const first = firstAfter(this.#notes, after)
    if (this.#notes.length - first <= ALL) return this.#notes.slice(first)
    this.#sketch(vectors)
    const [a = 0, b = 0, c = 0, d = 0] = sketchOf(vector)
    const sketches = this.#sketches
    const differences = new Uint8Array(this.#notes.length - first)
    const counts = new Uint32Array(SIGNS + 1)
    for (let i = 0, at = first * WORDS; i < differences.length; i++, at += WORDS) {
      const different =
        bitsIn(sketches[at]! ^ a) +
        bitsIn(sketches[at + 1]! ^ b) +
        bitsIn(sketches[at + 2]! ^ c) +
        bitsIn(sketches[at + 3]! ^ d)
      differences[i] = different
      counts[different]!++
    }
    let most = 0
    for (let found = counts[0]!; found < NEAREST; found += counts[++most]!);
    const near: number[] = []
    for (let i = 0; i < differences.length; i++) if (differences[i]! <= most) near.push(this.#notes[first + i]!)
    return near
  }

  #sketch(vectors: VectorIndex): void {
    while (this.#sketches.length < this.#notes.length * WORDS) {
      const larger = new Uint32Array(this.#sketches.length * 2)
      larger.set(this.#sketches)
      this.#sketches = larger
    }
    for (; this.#sketched < this.#notes.length; this.#sketched++)
      this.#sketches.set(sketchOf(vectors.at(this.#notes[this.#sketched]!)), this.#sketched * WORDS)
  }
}

/** The signs of 128 sums, each of every 128th number. */
function sketchOf(vector: Float32Array): Uint32Array {
  const sums = new Float64Array(SIGNS)
  for (let i = 0; i < vector.length; i++) sums[i % SIGNS]! += vector[i]!
  const sketch = new Uint32Array(WORDS)
  for (let i = 0; i < SIGNS; i++) if (sums[i]! > 0) sketch[i >> 5]! |= 1 << (i & 31)
  return sketch
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Where the first number above another stands in a sorted list. */
function firstAfter(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! > number) high = middle
    else low = middle + 1
  }
  return low
}
