/** Numbers before the postings of a block: the block before it (0 for none), postings used, postings there is room for. */
const HEAD = 3
const MOST = 128

/** Postings of all terms in one typed array, in linked blocks of doubling size: adding is constant work, and frequent terms lie close together. */
export class Postings {
  /** Blocks, one after another. The first number is unused, so that 0 can mean none. */
  #arena = new Uint32Array(4096)
  #end = 1
  /** Newest block of each term. */
  #newest = new Uint32Array(1024)
  #df = new Uint32Array(1024)

  /** In how many documents a term is. */
  documentFrequency(term: number): number {
    return this.#df[term] ?? 0
  }

  /** Counts one occurrence, and returns whether it is the first in its document. Documents must come one after another. */
  count(term: number, document: number): boolean {
    while (term >= this.#newest.length) {
      this.#newest = grown(this.#newest)
      this.#df = grown(this.#df)
    }
    let block = this.#newest[term]!
    if (block > 0) {
      const last = block + HEAD + 2 * (this.#arena[block + 1]! - 1)
      if (this.#arena[last] === document) {
        this.#arena[last + 1]!++
        return false
      }
    }
    if (block === 0 || this.#arena[block + 1] === this.#arena[block + 2]) block = this.#extend(term, block)
    const at = block + HEAD + 2 * this.#arena[block + 1]!++
    this.#arena[at] = document
    this.#arena[at + 1] = 1
    this.#df[term]!++
    return true
  }

  /** Gives every document of a term, newest first, with how often it has the term. */
  each(term: number, visit: (document: number, frequency: number) => void): void {
    const arena = this.#arena
    for (let block = this.#newest[term] ?? 0; block > 0; block = arena[block]!) {
      const start = block + HEAD
      for (let at = start + 2 * (arena[block + 1]! - 1); at >= start; at -= 2) visit(arena[at]!, arena[at + 1]!)
    }
  }

  #extend(term: number, before: number): number {
    const room = before === 0 ? 1 : Math.min(MOST, this.#arena[before + 2]! * 2)
    const block = this.#end
    this.#end += HEAD + 2 * room
    while (this.#end > this.#arena.length) this.#arena = grown(this.#arena)
    this.#arena[block] = before
    this.#arena[block + 2] = room
    this.#newest[term] = block
    return block
  }
}

/** A copy with twice the room. */
export function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
