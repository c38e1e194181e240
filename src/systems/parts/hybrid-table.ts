import type { Journal } from './journal.js'
import { LexicalTable } from './lexical-table.js'
import { type Near, type VectorRow, VectorTable } from './vector-table.js'

/** A list is cut to twice what is wanted before lists are fused. */
const SPARE = 2

/** Rows that are found by meaning and by words. */
export class HybridTable<R extends VectorRow> extends VectorTable<R> {
  readonly words: LexicalTable

  constructor(dimensions: number, journal?: Journal) {
    super(dimensions, journal)
    this.words = new LexicalTable(journal)
  }

  /** @param words what the row is found by, beside its vector */
  override set(row: R, vector?: Float32Array, words: string = row.text): void {
    super.set(row, vector)
    this.words.set(row.id, words)
  }

  override delete(id: string): boolean {
    this.words.delete(id)
    return super.delete(id)
  }

  /** Rows by reciprocal ranks, those by meaning only above a cosine; equal sums go by the list that is named first. */
  search(
    text: string,
    vector: Float32Array,
    k: number,
    { constant, first, above }: { constant: number; first: 'words' | 'meaning'; above?: number },
  ): Near<R>[] {
    const spare = Math.min(SPARE * k, this.size)
    const near = this.nearest(vector, spare).filter(({ score }) => above === undefined || score > above)
    const lists = [near.map(({ row }) => row.id), this.words.search(text, spare).map(({ id }) => id)]
    return fuseRanks(first === 'words' ? lists.reverse() : lists, constant)
      .slice(0, k)
      .map(({ id, score }) => ({ row: this.get(id)!, score }))
  }
}

/** Every list gives its members 1 / (constant + rank), ranks from 1. Equal sums go by the first list that has them. */
export function fuseRanks(lists: readonly (readonly string[])[], constant: number): { id: string; score: number }[] {
  const scores = new Map<string, number>()
  for (const list of lists) {
    for (const [i, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (constant + i + 1))
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
