import { type Analyzer, englishAnalyzer } from '../bm25/analyze.js'
import { type Bm25Settings, IDF } from '../bm25/bm25-index.js'
import { TopK } from '../top-k.js'
import type { Journal } from './journal.js'

/** A text of the table, by its id, with its score. */
export interface LexicalHit {
  id: string
  score: number
}

interface Entry {
  id: string
  terms: ReadonlyMap<string, number>
  length: number
}

export interface LexicalSettings extends Bm25Settings {
  analyze: Analyzer
}

/** Okapi BM25 as libraries have it by default, over stemmed English words. */
const DEFAULTS: LexicalSettings = { k1: 1.5, b: 0.75, idf: 'lucene', analyze: englishAnalyzer({ stem: true }) }

/**
 * BM25 over texts that may change: `set` adds or replaces, `delete` removes, and statistics are always those of what is there. Equal scores
 * go by the order in which texts first came. With a journal, changes can be taken back. For texts that never change, `Bm25Index` is smaller and faster.
 *
 * @example
 * const table = new LexicalTable()
 * table.set('m1', 'Plays the cello.')
 * table.search('who plays cello?', 5) // [{ id: 'm1', score: … }]
 */
export class LexicalTable {
  readonly #settings: LexicalSettings
  #entries = new Map<number, Entry>()
  #places = new Map<string, number>()
  #postings = new Map<string, Map<number, number>>()
  #next = 0
  #total = 0

  constructor(
    settings: Partial<LexicalSettings> = {},
    readonly journal?: Journal,
  ) {
    this.#settings = { ...DEFAULTS, ...settings }
  }

  get size(): number {
    return this.#entries.size
  }

  /** Adds a text, or replaces the one of the same id, which keeps its place. */
  set(id: string, text: string): void {
    const known = this.#places.get(id)
    const before = known === undefined ? undefined : this.#remove(known)
    const place = known ?? this.#next++
    const words = this.#settings.analyze(text)
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
  search(query: string, k: number): LexicalHit[] {
    const { k1, b, idf, analyze } = this.#settings
    const average = this.#total / Math.max(1, this.size) || 1
    const scores = new Map<number, number>()
    for (const term of new Set(analyze(query))) {
      const posting = this.#postings.get(term)
      if (!posting) continue
      const weight = IDF[idf](this.size, posting.size)
      for (const [place, count] of posting) {
        const { length } = this.#entries.get(place)!
        const part = (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average))
        scores.set(place, (scores.get(place) ?? 0) + part)
      }
    }
    const best = new TopK(Math.max(0, Math.min(k, scores.size)))
    for (const [place, score] of scores) best.offer(place, score)
    return best.hits().map(({ index, score }) => ({ id: this.#entries.get(index)!.id, score }))
  }

  /** How many different words a query is made of. */
  termsIn(query: string): number {
    return new Set(this.#settings.analyze(query)).size
  }

  #put(place: number, entry: Entry): void {
    for (const [term, count] of entry.terms) {
      let posting = this.#postings.get(term)
      if (!posting) {
        posting = new Map()
        this.#postings.set(term, posting)
      }
      posting.set(place, count)
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
