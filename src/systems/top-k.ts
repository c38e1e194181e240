/** An entry of an index with its score. */
export interface Hit {
  index: number
  score: number
}

/** The best `k` of a stream, in a heap whose root is the worst kept. Equal scores go by the lower index, whatever the order of offering. */
export class TopK {
  #indexes: Uint32Array
  #scores: Float64Array
  #size = 0

  constructor(readonly k: number) {
    this.#indexes = new Uint32Array(Math.max(0, k))
    this.#scores = new Float64Array(Math.max(0, k))
  }

  offer(index: number, score: number): void {
    if (this.#size < this.k) {
      this.#place(this.#size++, index, score)
      return
    }
    if (this.k <= 0 || !better(index, score, this.#indexes[0]!, this.#scores[0]!)) return
    this.#sink(index, score)
  }

  /** The kept entries, best first. */
  hits(): Hit[] {
    return Array.from({ length: this.#size }, (_, i) => ({ index: this.#indexes[i]!, score: this.#scores[i]! })).sort(
      (a, b) => b.score - a.score || a.index - b.index,
    )
  }

  /** Puts a new entry at the end and lets it rise while it is worse than its parent. */
  #place(at: number, index: number, score: number): void {
    let child = at
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!better(this.#indexes[parent]!, this.#scores[parent]!, index, score)) break
      this.#indexes[child] = this.#indexes[parent]!
      this.#scores[child] = this.#scores[parent]!
      child = parent
    }
    this.#indexes[child] = index
    this.#scores[child] = score
  }

  /** Replaces the root and lets the new entry sink below everything that is worse. */
  #sink(index: number, score: number): void {
    const indexes = this.#indexes
    const scores = this.#scores
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && better(indexes[child]!, scores[child]!, indexes[child + 1]!, scores[child + 1]!)) {
        child++
      }
      if (!better(index, score, indexes[child]!, scores[child]!)) break
      indexes[parent] = indexes[child]!
      scores[parent] = scores[child]!
      parent = child
    }
    indexes[parent] = index
    scores[parent] = score
  }
}

function better(index: number, score: number, thanIndex: number, thanScore: number): boolean {
  return score > thanScore || (score === thanScore && index < thanIndex)
}
