import { entryOf, groupBy } from '../../../base/group-by.js'
import { FUNCTION_WORDS } from '../../../language/function-words.js'
import { digitsOf } from '../../../language/numbers.js'
import { relatedWords } from '../../../language/relations.js'
import { indexStem } from '../../../language/stems.js'
import { contentTokens, plainWords, type Token } from '../../../language/tokens.js'
import type { Memory } from '../../../model/index.js'
import { type MemoryView, viewOf, wordPattern } from './view.js'

/** A memory that shares content with a fact. */
export interface Candidate {
  view: MemoryView
  score: number
  /** How much it is like others of its shape, up to 1; only in a large store. */
  typical?: number
  /** Ids of those of its shape that share the same words and are as typical; only in a large store. */
  alike?: readonly string[]
}

/** A word found in more than this share of a large store, and of its shapes, singles nothing out. */
const COMMON_SHARE = 0.2
const LARGE_STORE = 500
/** A word is typical of its place in a shape where as many have it there: so many, and such a share. A few are alike by chance. */
const TYPICAL = { memories: 3, share: 0.05 }
/** Words tied more loosely than this do not make a candidate. */
const CANDIDATE_STRENGTH = 0.7

/**
 * Inverted index over the content words of a store. Built once, in time linear in its text; memories are parsed further only when they
 * become candidates.
 */
export class StoreIndex {
  readonly #memories: readonly Memory[]
  readonly #texts: string[] = []
  /** What each memory is like without its content words: near copies have one number. */
  readonly #shapes: number[] = []
  /** How much each memory is like the others of its shape, as far as it was asked for; otherwise -1. */
  readonly #typical: Float64Array
  #families: ReadonlyMap<number, number[]> | undefined
  readonly #postings = new Map<string, number[]>()
  readonly #rarities = new Map<readonly number[], number>()
  #shapeCount: number | undefined
  readonly #views = new Map<number, MemoryView>()
  #places: ReadonlyMap<string, number> | undefined
  /** Working space of `candidates`, one place a memory: sums, and the best of the word at hand. */
  readonly #scores: Float64Array
  readonly #values: Float64Array
  readonly #rounds: Int32Array
  /** Which words of the texts at hand each memory shares, one bit a word. */
  readonly #shared: Int32Array
  #round = 0

  constructor(memories: readonly Memory[]) {
    this.#memories = memories
    this.#scores = new Float64Array(memories.length)
    this.#values = new Float64Array(memories.length)
    this.#rounds = new Int32Array(memories.length)
    this.#shared = new Int32Array(memories.length)
    this.#typical = new Float64Array(memories.length).fill(-1)
    const stems = new Map<string, string>()
    const shapes = new Map<string, number>()
    for (let i = 0; i < memories.length; i++) {
      const words = plainWords(memories[i]!.text)
      this.#texts.push(` ${words.join(' ')} `)
      this.#shapes.push(entryOf(shapes, shapeOf(words), () => shapes.size))
      for (const word of words) {
        if (FUNCTION_WORDS.has(word)) continue
        let stem = stems.get(word)
        if (stem === undefined) {
          stem = this.#stemOf(word)
          stems.set(word, stem)
        }
        const posting = this.#postings.get(stem)
        if (!posting) this.#postings.set(stem, [i])
        else if (posting[posting.length - 1] !== i) posting.push(i)
      }
    }
  }

  get size(): number {
    return this.#memories.length
  }

  /** Whether candidates are drawn as from a large store. */
  get isLarge(): boolean {
    return this.size > LARGE_STORE
  }

  /** Ids of the memories in which a text stands word for word, in order of the store. */
  containing(text: string): string[] {
    const words = plainWords(text)
    if (words.length === 0) return []
    const wanted = ` ${words.join(' ')} `
    const found: string[] = []
    for (const i of this.#sharingRarest(words)) if (this.#texts[i]!.includes(wanted)) found.push(this.#memories[i]!.id)
    return found
  }

  /** The same, where any number will do in the `free` places of the text. */
  resembling(text: string, free: ReadonlySet<number>): string[] {
    const words = plainWords(text).filter((_, at) => !free.has(at))
    if (words.length === 0) return []
    const pattern = wordPattern(text, free)
    return [...this.#sharingRarest(words)]
      .filter((i) => pattern.test(this.#texts[i]!))
      .map((i) => this.#memories[i]!.id)
  }

  /** All memories, parsed. */
  views(): MemoryView[] {
    return this.#memories.map((_, i) => this.#view(i))
  }

  /** All memories, in their order. */
  get memories(): readonly Memory[] {
    return this.#memories
  }

  /** The memory with an id. */
  memory(id: string): Memory | undefined {
    return this.#memories[this.#placeOf(id)]
  }

  /** The memory that stands behind another. */
  after(id: string): Memory | undefined {
    return this.#memories[this.#placeOf(id) + 1]
  }

  #placeOf(id: string): number {
    this.#places ??= new Map(this.#memories.map((memory, i) => [memory.id, i]))
    return this.#places.get(id) ?? Number.NaN
  }

  /** Memories that hold one of the two rarest of the words, in any inflection. */
  sharing(words: readonly string[]): Memory[] {
    const content = words.filter((word) => !FUNCTION_WORDS.has(word))
    const lists = [...new Set(content.map((word) => this.#stemOf(word)))].map((stem) => this.#postings.get(stem) ?? [])
    lists.sort((a, b) => a.length - b.length)
    const rarest = lists.filter((list) => list.length > 0).slice(0, 2)
    return [...new Set(rarest.flat())].map((i) => this.#memories[i]!)
  }

  /**
   * The `most` memories that share most with any of the texts; rarer words count more. Any number of near copies of one memory leaves room
   * for others: in a large store one of each shape stands for those that share the same words or fewer; in a small one half of the memories
   * are the best of their shape each.
   */
  candidates(texts: readonly string[], most: number): Candidate[] {
    const tokens = new Map<string, Token>()
    for (const text of texts) for (const token of contentTokens(text)) tokens.set(token.text, token)
    const touched: number[] = []
    for (const [at, token] of [...tokens.values()].entries()) this.#addHits(token, touched, 1 << (at % 32))
    const best = this.isLarge ? this.#topOfKinds(touched, most) : this.#topOfShapes(touched, most)
    const shapes = new Set(best.map((i) => this.#shapes[i]!))
    const near = this.isLarge ? touched.filter((i) => shapes.has(this.#shapes[i]!)) : []
    const kinds = groupBy(near, (i) => this.#kindOf(i))
    const found = best.map((i) => ({
      view: this.#view(i),
      score: this.#scores[i]!,
      ...(this.isLarge && { typical: this.#typicality(i), alike: this.#asTypical(i, kinds.get(this.#kindOf(i))!) }),
    }))
    for (const i of touched) this.#scores[i] = this.#shared[i] = 0
    return found
  }

  /** Adds to every memory the best match it has for a word. Memories not seen before for this fact are put on `touched`. */
  #addHits(token: Token, touched: number[], bit: number): void {
    const round = ++this.#round
    const hit: number[] = []
    for (const [stem, strength] of stemsOf(token)) {
      const posting = this.#postings.get(stem)
      if (!posting) continue
      const rarity = this.#rarity(posting)
      const isCommon = posting.length > this.size * COMMON_SHARE && rarity < Math.log(1 + 1 / COMMON_SHARE)
      if (this.isLarge && isCommon) continue
      const value = token.weight * strength * rarity
      for (const i of posting) {
        if (this.#rounds[i] !== round) {
          this.#rounds[i] = round
          this.#values[i] = value
          hit.push(i)
        } else if (this.#values[i]! < value) this.#values[i] = value
      }
    }
    for (const i of hit) {
      if (this.#scores[i] === 0) touched.push(i)
      this.#scores[i]! += this.#values[i]!
      this.#shared[i]! |= bit
    }
  }

  /** How much a word singles out. In a large store by shapes, not by memories: that is the same with near copies and without. */
  #rarity(posting: readonly number[]): number {
    if (!this.isLarge) return Math.log(1 + this.size / posting.length)
    this.#shapeCount ??= new Set(this.#shapes).size
    return entryOf(this.#rarities, posting, () =>
      Math.log(1 + this.#shapeCount! / new Set(posting.map((i) => this.#shapes[i]!)).size),
    )
  }

  /** Of memories that share as much, in a large store those that are most like the others of their shape come first: one of them can stand for all. */
  #before(i: number, j: number): number {
    return (
      this.#scores[j]! - this.#scores[i]! ||
      (this.isLarge ? this.#typicality(j) - this.#typicality(i) : 0) ||
      compare(this.#memories[i]!, this.#memories[j]!)
    )
  }

  /** Which share of the words of a memory, other than numbers, many of its shape have in the same place. */
  #typicality(i: number): number {
    if (this.#typical[i]! < 0) this.#compareFamily(this.#familyOf(i))
    return this.#typical[i]!
  }

  #compareFamily(family: readonly number[]): void {
    const counts = new Map<string, number>()
    const placed = (i: number) => this.#texts[i]!.split(' ').map((word, at) => `${at} ${word}`)
    for (const i of family) for (const word of placed(i)) counts.set(word, (counts.get(word) ?? 0) + 1)
    const least = Math.max(TYPICAL.memories, TYPICAL.share * family.length)
    for (const i of family) {
      const words = placed(i)
      const typical = words.filter((word) => counts.get(word)! >= least && !/ \d/.test(word))
      this.#typical[i] = typical.length / words.length
    }
  }

  #familyOf(i: number): readonly number[] {
    this.#families ??= groupBy(this.#shapes.keys(), (at) => this.#shapes[at]!)
    return this.#families.get(this.#shapes[i]!)!
  }

  /** The best of the touched memories, in order, without sorting them all. */
  #top(touched: readonly number[], most: number): number[] {
    const best: number[] = []
    for (const i of touched) {
      if (best.length === most && this.#before(i, best[most - 1]!) >= 0) continue
      if (best.length === most) best.pop()
      let at = best.length
      while (at > 0 && this.#before(i, best[at - 1]!) < 0) at--
      best.splice(at, 0, i)
    }
    return best
  }

  /** The best of the touched memories: half of them as they come, then the best of every other shape, and where these are few, more as they come. */
  #topOfShapes(touched: readonly number[], most: number): number[] {
    const best = this.#top(touched, most)
    if (touched.length <= most || most === 1) return best
    const first = best.splice(0, Math.ceil(most / 2))
    const seen = new Set(first.map((i) => this.#shapes[i]!))
    const ofShape = new Map<number, number>()
    for (const i of touched) {
      const shape = this.#shapes[i]!
      if (seen.has(shape)) continue
      const known = ofShape.get(shape)
      if (known === undefined || this.#before(i, known) < 0) ofShape.set(shape, i)
    }
    const others = this.#top([...ofShape.values()], most - first.length)
    return this.#top([...new Set([...first, ...others, ...best])].slice(0, most), most)
  }

  /**
   * The best of each shape for every set of words that it shares, unless another of that shape shares these and more; where these are few, others
   * as they come.
   */
  #topOfKinds(touched: readonly number[], most: number): number[] {
    const shapes = new Map<number, Map<number, number>>()
    for (const i of touched) {
      const kinds = entryOf(shapes, this.#shapes[i]!, () => new Map<number, number>())
      const known = kinds.get(this.#shared[i]!)
      if (known === undefined || this.#before(i, known) < 0) kinds.set(this.#shared[i]!, i)
    }
    const standing = [...shapes.values()].flatMap((kinds) =>
      [...kinds].flatMap(([words, i]) =>
        [...kinds.keys()].some((more) => more !== words && (more & words) === words) ? [] : [i],
      ),
    )
    const first = this.#top(standing, most)
    if (first.length === most || touched.length === first.length) return first
    return this.#top([...new Set([...first, ...this.#top(touched, most)])].slice(0, most), most)
  }

  /** The same for memories of one shape that share the same words. */
  #kindOf(i: number): string {
    return `${this.#shapes[i]} ${this.#shared[i]}`
  }

  #asTypical(i: number, kind: readonly number[]): string[] {
    const others = kind.filter((other) => other !== i && this.#typicality(other) === this.#typicality(i))
    return others.map((other) => this.#memories[other]!.id)
  }

  /** In a large store, where memories are found by their words, a number has one form however it is written. */
  #stemOf(word: string): string {
    return indexStem((this.isLarge && digitsOf(word)) || word)
  }

  #sharingRarest(words: readonly string[]): Iterable<number> {
    const content = words.filter((word) => !FUNCTION_WORDS.has(word))
    const stems = new Set(content.map((word) => this.#stemOf(word)))
    const postings = [...stems].map((stem) => this.#postings.get(stem) ?? []).sort((a, b) => a.length - b.length)
    const [rarest, second] = postings
    if (!rarest) return this.#memories.keys()
    if (!second) return rarest
    const also = new Set(second.length < 4 * rarest.length + 64 ? second : rarest)
    return rarest.filter((i) => also.has(i))
  }

  #view(i: number): MemoryView {
    let view = this.#views.get(i)
    if (!view) {
      view = viewOf(this.#memories[i]!)
      this.#views.set(i, view)
    }
    return view
  }
}

const knownStems = new Map<string, ReadonlyMap<string, number>>()

/** Stems by which a store can hold a word, with how well each stands for it. */
function stemsOf(token: Token): ReadonlyMap<string, number> {
  let found = knownStems.get(token.text)
  if (!found) {
    const strengths = new Map<string, number>()
    for (const { lemma, pos } of token.lemmas) {
      for (const [word, { strength }] of relatedWords(lemma, pos)) {
        if (strength < CANDIDATE_STRENGTH || word.includes(' ')) continue
        const stem = indexStem(word)
        strengths.set(stem, Math.max(strength, strengths.get(stem) ?? 0))
      }
    }
    strengths.set(indexStem(token.text), 1)
    found = strengths
    knownStems.set(token.text, found)
  }
  return found
}

/** What a text is like without its content words. */
export function shapeOf(words: readonly string[]): string {
  return words.map((word) => (FUNCTION_WORDS.has(word) ? word : '')).join(' ')
}

/** Ties are broken by text and id, so that the order of the store does not matter. */
function compare(a: Memory, b: Memory): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
