import { fuseRanks, type Journal, LexicalTable, type Near, type VectorRow, VectorTable } from '../parts/index.js'

/** A list is cut to twice what is wanted before lists are fused. */
const SPARE = 2
const RANK_CONSTANT = 60

/** Rows that are found by words and by meaning: reciprocal ranks 1 / (60 + rank) of both, added up. */
export class HybridTable<R extends VectorRow> {
  readonly #vectors: VectorTable<R>
  readonly #words: LexicalTable

  constructor(dimensions: number, journal: Journal) {
    this.#vectors = new VectorTable<R>(dimensions, journal)
    this.#words = new LexicalTable({}, journal)
  }

  get size(): number {
    return this.#vectors.size
  }

  rows(): R[] {
    return this.#vectors.rows()
  }

  set(row: R, vector: Float32Array): void {
    this.#vectors.set(row, vector)
    this.#words.set(row.id, row.text)
  }

  delete(id: string): void {
    this.#vectors.delete(id)
    this.#words.delete(id)
  }

  /** By meaning alone, whatever the likeness. */
  nearest(vector: Float32Array, k: number): R[] {
    return this.#vectors.nearest(vector, k).map(({ row }) => row)
  }

  search(text: string, vector: Float32Array, k: number): Near<R>[] {
    const spare = Math.min(SPARE * k, this.size)
    const byMeaning = this.nearest(vector, spare).map(({ id }) => id)
    const byWords = this.#words.search(text, spare).map(({ id }) => id)
    return fuseRanks([byMeaning, byWords], RANK_CONSTANT)
      .slice(0, k)
      .map(({ id, score }) => ({ row: this.#vectors.get(id)!, score }))
  }
}
