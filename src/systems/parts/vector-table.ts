import { cosine } from '../../base/cosine.js'
import { VectorIndex } from '../dense/vector-index.js'
import { TopK } from '../top-k.js'
import type { Journal } from './journal.js'

/** What a table keeps beside a vector. Systems add fields of their own. */
export interface VectorRow {
  readonly id: string
  readonly text: string
}

/** A row with its likeness to what was looked for. */
export interface Near<R> {
  row: R
  score: number
}

/** Dead places that are tolerated before the table is packed anew. */
const SLACK = 256

/** Rows with their vectors, searched by cosine. Rows keep the order in which they first came, also when replaced; equal scores go by it. */
export class VectorTable<R extends VectorRow> {
  #vectors: VectorIndex
  /** The row at each place; undefined where it was deleted. */
  #rows: (R | undefined)[] = []
  #places = new Map<string, number>()

  constructor(
    readonly dimensions: number,
    readonly journal?: Journal,
  ) {
    this.#vectors = new VectorIndex(dimensions)
  }

  get size(): number {
    return this.#places.size
  }

  has(id: string): boolean {
    return this.#places.has(id)
  }

  get(id: string): R | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#rows[place]
  }

  /** All rows, oldest first. */
  rows(): R[] {
    return this.#rows.filter((row) => row !== undefined)
  }

  /** A copy of the vector of a row. */
  vectorOf(id: string): Float32Array | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#vectors.at(place)
  }

  /** Adds a row, or replaces the one of the same id. A replaced row keeps its vector when none is given. */
  set(row: R, vector?: Float32Array): void {
    const place = this.#places.get(row.id)
    if (place !== undefined) {
      this.#replace(place, row, vector)
      return
    }
    if (!vector) throw new Error(`The row ${row.id} is new and needs a vector`)
    this.#vectors.add(vector)
    this.#places.set(row.id, this.#rows.length)
    this.#rows.push(row)
    this.journal?.note(() => {
      this.#rows.pop()
      this.#places.delete(row.id)
      this.#vectors.pop()
    })
  }

  /** Whether there was such a row. */
  delete(id: string): boolean {
    const place = this.#places.get(id)
    if (place === undefined) return false
    const row = this.#rows[place]
    this.#places.delete(id)
    this.#rows[place] = undefined
    this.journal?.note(() => {
      this.#places.set(id, place)
      this.#rows[place] = row
    })
    if (this.#rows.length > 2 * this.size + SLACK) this.#pack()
    return true
  }

  /** The rows most like a vector, best first; only those that `keep` accepts. */
  nearest(vector: Float32Array, k: number, keep?: (row: R) => boolean): Near<R>[] {
    const best = new TopK(Math.max(0, Math.min(k, this.size)))
    const scores = this.#vectors.similarities(vector)
    for (let place = 0; place < scores.length; place++) {
      const row = this.#rows[place]
      if (row !== undefined && (!keep || keep(row))) best.offer(place, scores[place]!)
    }
    return best.hits().map(({ index, score }) => ({ row: this.#rows[index]!, score }))
  }

  /** Cosine of a vector with a row; undefined when there is no such row. */
  similarity(vector: Float32Array, id: string): number | undefined {
    const own = this.vectorOf(id)
    return own && cosine(own, vector)
  }

  /** A table of its own with the same rows and vectors, for snapshots. Rows are shared: replace them, never change them. */
  clone(): VectorTable<R> {
    const copy = new VectorTable<R>(this.dimensions)
    for (const [place, row] of this.#rows.entries()) if (row) copy.set(row, this.#vectors.at(place))
    return copy
  }

  #replace(place: number, row: R, vector?: Float32Array): void {
    const before = { row: this.#rows[place], vector: vector && this.#vectors.at(place) }
    if (vector) this.#vectors.set(place, vector)
    this.#rows[place] = row
    this.journal?.note(() => {
      if (before.vector) this.#vectors.set(place, before.vector)
      this.#rows[place] = before.row
    })
  }

  #pack(): void {
    const loose = { vectors: this.#vectors, rows: this.#rows, places: this.#places }
    const packed = this.clone()
    this.#vectors = packed.#vectors
    this.#rows = packed.#rows
    this.#places = packed.#places
    this.journal?.note(() => {
      this.#vectors = loose.vectors
      this.#rows = loose.rows
      this.#places = loose.places
    })
  }
}

/** The cosine behind a score of Neo4j's, (1 + cosine) / 2: 0.6 there is a cosine of 0.2. */
export function cosineOfScore(score: number): number {
  return 2 * score - 1
}
