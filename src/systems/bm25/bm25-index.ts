import { type Hit, TopK } from '../top-k.js'

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

/** Numbers a posting takes in the arena: document, frequency, term, and the term's posting before it (plus one, 0 for none). */
const STRIDE = 4

/**
 * BM25 over documents given as lists of terms. All postings are in one typed array, each linked to the one before it of the same term,
 * so that adding is constant work per term and statistics are always those of the whole index. Postings of one document lie side by side.
 */
export class Bm25Index {
  #terms = new Map<string, number>()
  #names: string[] = []
  #newest = new Uint32Array(1024)
  #df = new Uint32Array(1024)
  #arena = new Uint32Array(STRIDE * 4096)
  #postings = 0
  #lengths = new Uint32Array(1024)
  #firsts = new Uint32Array(1024)
  #size = 0
  #total = 0
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
    this.#firsts[document] = this.#postings
    this.#total += terms.length
    for (const term of terms) this.#count(this.#termId(term), document)
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

  /** How rare a term is among the documents; for a term that is nowhere, as if it were in none. */
  idf(term: string): number {
    const id = this.#terms.get(term)
    return IDF[this.settings.idf](this.#size, id === undefined ? 0 : this.#df[id]!)
  }

  /** In how many documents a term is. */
  documentFrequency(term: string): number {
    const id = this.#terms.get(term)
    return id === undefined ? 0 : this.#df[id]!
  }

  /** The terms of a document, each once. */
  termsOf(document: number): string[] {
    const end = document + 1 < this.#size ? this.#firsts[document + 1]! : this.#postings
    const terms: string[] = []
    for (let posting = this.#firsts[document]!; posting < end; posting++) {
      terms.push(this.#names[this.#arena[posting * STRIDE + 2]!]!)
    }
    return terms
  }

  #termId(term: string): number {
    let id = this.#terms.get(term)
    if (id === undefined) {
      id = this.#terms.size
      this.#terms.set(term, id)
      this.#names.push(term)
      if (id >= this.#df.length) {
        this.#df = grown(this.#df)
        this.#newest = grown(this.#newest)
      }
    }
    return id
  }

  /** Counts one occurrence: a posting of the same document is the term's newest, for documents come one after another. */
  #count(term: number, document: number): void {
    const before = this.#newest[term]!
    if (before > 0 && this.#arena[(before - 1) * STRIDE] === document) {
      this.#arena[(before - 1) * STRIDE + 1]!++
      return
    }
    const at = this.#postings * STRIDE
    if (at + STRIDE > this.#arena.length) this.#arena = grown(this.#arena)
    this.#arena[at] = document
    this.#arena[at + 1] = 1
    this.#arena[at + 2] = term
    this.#arena[at + 3] = before
    this.#newest[term] = ++this.#postings
    this.#df[term]!++
  }

  /** Adds up scores of all documents that share a term, and returns how many there are. Scores must be zero again afterwards. */
  #accumulate(query: ReadonlyMap<string, number>): number {
    const { k1, b, idf } = this.settings
    const flat = k1 * (1 - b)
    const perTerm = this.#total === 0 ? 0 : (k1 * b * this.#size) / this.#total
    const arena = this.#arena
    const scores = this.#scores
    let touched = 0
    for (const [name, asked] of query) {
      const term = this.#terms.get(name)
      if (term === undefined) continue
      const weight = asked * IDF[idf](this.#size, this.#df[term]!)
      if (weight <= 0) continue
      for (let posting = this.#newest[term]!; posting > 0; ) {
        const at = (posting - 1) * STRIDE
        const document = arena[at]!
        const frequency = arena[at + 1]!
        if (scores[document] === 0) this.#touched[touched++] = document
        scores[document]! += (weight * frequency) / (frequency + flat + perTerm * this.#lengths[document]!)
        posting = arena[at + 3]!
      }
    }
    return touched
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
