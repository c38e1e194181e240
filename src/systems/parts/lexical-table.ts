import { entryOf } from '../../base/group-by.js'
import { englishAnalyzer } from '../bm25/analyze.js'
import { IDF } from '../bm25/bm25-index.js'
import { TopK } from '../top-k.js'
import type { Journal } from './journal.js'

interface Entry {
  id: string
  terms: ReadonlyMap<string, number>
  length: number
}

/** Okapi BM25 as libraries have it by default, over stemmed English words. */
const [K1, B] = [1.5, 0.75]
const analyze = englishAnalyzer({ stem: true })

/** BM25 over texts that may change. Equal scores go by the order in which texts first came. For texts that never change, use `Bm25Index`. */
export class LexicalTable {
  #entries = new Map<number, Entry>()
  #places = new Map<string, number>()
  #postings = new Map<string, Map<number, number>>()
  #next = 0
  #total = 0

  constructor(readonly journal?: Journal) {}

  get size(): number {
    return this.#entries.size
  }

  /** Adds a text, or replaces the one of the same id, which keeps its place. */
  set(id: string, text: string): void {
    const known = this.#places.get(id)
    const before = known === undefined ? undefined : this.#remove(known)
    const place = known ?? this.#next++
    const words = analyze(text)
    const terms = new Map<string, number>()
    for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1)
    this.#put(place, { id, terms, length: words.length })
    this.journal?.note(() => {
      this.#remove(place)
      if (before) this.#put(place, before)
      else this.#next--
    })
  }

  /** Whether there was such a text. */
  delete(id: string): boolean {
    const place = this.#places.get(id)
    if (place === undefined) return false
    const before = this.#remove(place)
    this.journal?.note(() => this.#put(place, before))
    return true
  }

  /** Texts that share a word with the query, best first. */
  search(query: string, k: number): { id: string; score: number }[] {
    const average = this.#total / Math.max(1, this.size) || 1
    const scores = new Map<number, number>()
    for (const term of new Set(analyze(query))) {
      const posting = this.#postings.get(term)
      if (!posting) continue
      const weight = IDF.lucene(this.size, posting.size)
      for (const [place, count] of posting) {
        const { length } = this.#entries.get(place)!
        const part = (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average))
        scores.set(place, (scores.get(place) ?? 0) + part)
      }
    }
    const best = new TopK(Math.max(0, Math.min(k, scores.size)))
    for (const [place, score] of scores) best.offer(place, score)
    return best.hits().map(({ index, score }) => ({ id: this.#entries.get(index)!.id, score }))
  }

  /** How many different words a query is made of. */
  termsIn(query: string): number {
    return new Set(analyze(query)).size
  }

  #put(place: number, entry: Entry): void {
    for (const [term, count] of entry.terms) {
      entryOf(this.#postings, term, () => new Map<number, number>()).set(place, count)
    }
    this.#places.set(entry.id, place)
    this.#entries.set(place, entry)
    this.#total += entry.length
  }

  #remove(place: number): Entry {
    const entry = this.#entries.get(place)!
    for (const term of entry.terms.keys()) {
      const posting = this.#postings.get(term)!
      posting.delete(place)
      if (posting.size === 0) this.#postings.delete(term)
    }
    this.#places.delete(entry.id)
    this.#entries.delete(place)
    this.#total -= entry.length
    return entry
  }
}
