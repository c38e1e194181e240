import { type Hit, TopK } from '../top-k.js'
import { grown, Postings } from './postings.js'

/** How rare a term is. `lucene` never goes negative. */
export const IDF = {
  lucene: (n: number, df: number) => Math.log(1 + (n - df + 0.5) / (df + 0.5)),
  robertson: (n: number, df: number) => Math.max(0, Math.log((n - df + 0.5) / (df + 0.5))),
  atire: (n: number, df: number) => Math.log(n / df),
} as const

export interface Bm25Settings {
  k1: number
  b: number
  idf: keyof typeof IDF
}

/** BM25 over lists of terms, added at constant work per term; nothing is kept as an object per document or posting. */
export class Bm25Index {
  #terms = new Map<string, number>()
  #names: string[] = []
  #postings = new Postings()
  /** Terms of all documents, one document after another, and where each begins. */
  #forward = new Uint32Array(4096)
  #forwardEnd = 0
  #firsts = new Uint32Array(1024)
  #lengths = new Uint32Array(1024)
  #size = 0
  #total = 0
  /** All zero between searches. */
  #scores = new Float64Array(1024)
  #touched = new Uint32Array(1024)

  constructor(readonly settings: Bm25Settings) {}

  get size(): number {
    return this.#size
  }

  /** Adds a document; its index is the number of documents added before it. */
  add(terms: readonly string[]): void {
    const document = this.#size++
    if (document >= this.#lengths.length) {
      this.#lengths = grown(this.#lengths)
      this.#firsts = grown(this.#firsts)
      this.#touched = grown(this.#touched)
      this.#scores = new Float64Array(this.#lengths.length)
    }
    this.#lengths[document] = terms.length
    this.#firsts[document] = this.#forwardEnd
    this.#total += terms.length
    for (const name of terms) {
      const term = this.#termId(name)
      if (!this.#postings.count(term, document)) continue
      if (this.#forwardEnd >= this.#forward.length) this.#forward = grown(this.#forward)
      this.#forward[this.#forwardEnd++] = term
    }
  }

  /** Documents that share a term with the query, best first. The query is its terms with their weights. */
  search(query: ReadonlyMap<string, number>, k: number): Hit[] {
    const best = new TopK(Math.min(k, this.#size))
    const touched = this.#accumulate(query)
    for (let i = 0; i < touched; i++) {
      const document = this.#touched[i]!
      best.offer(document, this.#scores[document]!)
      this.#scores[document] = 0
    }
    return best.hits()
  }

  /** How rare a term is among the documents; one that is nowhere is as rare as can be. */
  idf(term: string): number {
    return IDF[this.settings.idf](this.#size, this.documentFrequency(term))
  }

  /** In how many documents a term is. */
  documentFrequency(term: string): number {
    const id = this.#terms.get(term)
    return id === undefined ? 0 : this.#postings.documentFrequency(id)
  }

  /** The terms of a document, each once. */
  termsOf(document: number): string[] {
    const end = document + 1 < this.#size ? this.#firsts[document + 1]! : this.#forwardEnd
    return Array.from(this.#forward.subarray(this.#firsts[document]!, end), (term) => this.#names[term]!)
  }

  #termId(name: string): number {
    let id = this.#terms.get(name)
    if (id === undefined) {
      id = this.#terms.size
      this.#terms.set(name, id)
      this.#names.push(name)
    }
    return id
  }

  /** Adds up the scores of all documents that share a term, notes which they are, and returns how many. */
  #accumulate(query: ReadonlyMap<string, number>): number {
    const { k1, b } = this.settings
    const flat = k1 * (1 - b)
    const perTerm = this.#total === 0 ? 0 : (k1 * b * this.#size) / this.#total
    const scores = this.#scores
    const lengths = this.#lengths
    let touched = 0
    for (const [name, asked] of query) {
      const term = this.#terms.get(name)
      const weight = asked * this.idf(name)
      if (term === undefined || weight <= 0) continue
      this.#postings.each(term, (document, frequency) => {
        if (scores[document] === 0) this.#touched[touched++] = document
        scores[document]! += (weight * frequency) / (frequency + flat + perTerm * lengths[document]!)
      })
    }
    return touched
  }
}
