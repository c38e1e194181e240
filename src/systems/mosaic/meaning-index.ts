import type { SystemContext } from '../../model/index.js'
import { grown } from '../bm25/postings.js'
import { EmbeddedLog } from '../dense/embedded-log.js'
import { meaningsIn } from './word-meanings.js'

/**
 * What the things are that notes speak of, each with a vector that all notes share which name it: what is kept grows with the words somebody
 * uses, and not with how much they say. Vectors are made when somebody first asks for things of a kind.
 */
export class MeaningIndex {
  #log: EmbeddedLog
  /** Where the vector of a meaning is, and how many notes have it. */
  #places = new Map<string, number>()
  #meanings: string[] = []
  /** How many of them are embedded, or are about to be. */
  #handed = 0
  #uses: number[] = []
  /** Places of all notes' meanings, one note after another, where each note's begin, and how many they are. */
  #flat = new Uint32Array(4096)
  #flatEnd = 0
  #firsts = new Uint32Array(1024)
  #counts = new Uint32Array(1024)
  #notes = 0

  constructor(context: Pick<SystemContext, 'embed' | 'signal'>) {
    this.#log = new EmbeddedLog(context)
  }

  /** How many meanings are kept. */
  get size(): number {
    return this.#places.size
  }

  /** Resolves when every meaning has its vector. What was forgotten meanwhile gets none. */
  async settle(): Promise<void> {
    while (this.#handed < this.#meanings.length) {
      for (; this.#handed < this.#meanings.length; this.#handed++) this.#log.add(this.#meanings[this.#handed]!)
      await this.#log.settle()
      for (const place of this.#meanings.keys()) if (this.#meanings[place] === '') this.#clear(place)
    }
    await this.#log.settle()
  }

  /** Takes in what a note speaks of. Notes come in their order, each once. */
  add(text: string): void {
    const note = this.#notes++
    if (note >= this.#firsts.length) {
      this.#firsts = grown(this.#firsts)
      this.#counts = grown(this.#counts)
    }
    this.#write(note, text)
  }

  /** Puts another text in the place of a note's; what no note speaks of any more is gone. */
  set(note: number, text: string): void {
    const first = this.#firsts[note]!
    const before = this.#flat.slice(first, first + this.#counts[note]!)
    this.#write(note, text)
    for (const place of before) {
      if (--this.#uses[place]! > 0) continue
      this.#places.delete(this.#meanings[place]!)
      this.#meanings[place] = ''
      this.#clear(place)
    }
  }

  #clear(place: number): void {
    const { index } = this.#log
    if (place < index.size) index.set(place, new Float32Array(index.dimensions))
  }

  /** How near the nearest thing that each note speaks of is to a question; of notes that speak of none, as near as the mean. */
  nearest(asked: Float32Array): Float64Array {
    const near = this.#log.index.similarities(asked)
    const [flat, firsts, counts] = [this.#flat, this.#firsts, this.#counts]
    const nearest = new Float64Array(this.#notes)
    let [sum, told] = [0, 0]
    for (let note = 0; note < nearest.length; note++) {
      const first = firsts[note]!
      const end = first + counts[note]!
      let most = Number.NEGATIVE_INFINITY
      for (let i = first; i < end; i++) if (near[flat[i]!]! > most) most = near[flat[i]!]!
      nearest[note] = most
      if (most === Number.NEGATIVE_INFINITY) continue
      sum += most
      told++
    }
    const mean = told > 0 ? sum / told : 0
    for (let note = 0; note < nearest.length; note++)
      if (nearest[note] === Number.NEGATIVE_INFINITY) nearest[note] = mean
    return nearest
  }

  #write(note: number, text: string): void {
    const meanings = meaningsIn(text)
    while (this.#flatEnd + meanings.length > this.#flat.length) this.#flat = grown(this.#flat)
    this.#firsts[note] = this.#flatEnd
    this.#counts[note] = meanings.length
    for (const meaning of meanings) this.#flat[this.#flatEnd++] = this.#use(meaning)
  }

  #use(meaning: string): number {
    let place = this.#places.get(meaning)
    if (place === undefined) {
      place = this.#meanings.push(meaning) - 1
      this.#uses.push(0)
      this.#places.set(meaning, place)
    }
    this.#uses[place]!++
    return place
  }
}
