import type { Embedder } from 'memscope'
import { TopK, VectorIndex } from 'memscope/retrieval'
import { inventoryTexts, type Kind, kindTexts, onceFor, packedVectors } from './kind-texts.js'
import { nameKey, type Thing } from './things.js'

/** The likeliest kinds of a thing, each with its share. */
export interface KindShares {
  kinds: Uint16Array
  shares: Float32Array
}

/** How much how somebody asks counts beside the name of a kind. */
const ASKED = 2
/** How peaked shares are, of things and of questions: deviations of likeness by which a kind is e times as likely. */
const OF_THINGS = 0.7
const OF_QUESTIONS = 0.5
/** How many kinds a question is taken to ask for, and how much of that goes to kinds that are like them: many things are of several. */
const ASKED_FOR = 64
const ALIKE = 0.8
/** How much it counts that somebody has named a thing as one of a kind, and how many kinds are kept of one. */
const NAMED = 0.8
const KEPT = 32
/** Every such kind shows how near texts are that have nothing to do with one another. */
const EVERY = 4

/**
 * What kinds of things there are. A question for several things paints a scene or names a kind, a statement names a thing: what they have in
 * common is the kind, which is told of neither by words that they share.
 */
export class KindInventory {
  #named = new Map<string, number[]>()
  /** Kinds that one is like, once somebody asks for it. */
  #alike = new Map<number, KindShares>()

  private constructor(
    kinds: readonly Kind[],
    private readonly things: LikenessShares,
    /** Of every question by which things are asked for, and the kind of each. */
    private readonly questions: LikenessShares,
    private readonly kindOfQuestion: Uint16Array,
  ) {
    for (const [at, { names }] of kinds.entries())
      for (const key of new Set(names.map(nameKey))) this.#named.set(key, [...(this.#named.get(key) ?? []), at])
  }

  /** The kinds of the package, with the vectors of an embedder; made once for each. */
  static open(embed: Embedder): Promise<KindInventory> {
    return onceFor(opened, embed, () => KindInventory.of(kindTexts().kinds, embed))
  }

  static async of(kinds: readonly Kind[], embed: Embedder): Promise<KindInventory> {
    const texts = inventoryTexts({ kinds, single: [] })
    const kind = await packedVectors(embed, texts.kind)
    const names = await packedVectors(embed, texts.names)
    const ask = await packedVectors(embed, texts.ask)
    const kindOfQuestion = Uint16Array.from(kinds.flatMap(({ ask }, at) => ask.map(() => at)))
    const first = everyOf(kinds.map((_, at) => ask[kindOfQuestion.indexOf(at)]!))
    const asked = ask.map((vector, i) => sumOf(kind[kindOfQuestion[i]!]!, vector, ASKED))
    const things = kind.map((vector, at) => sumOf(vector, names[at]!, 1))
    return new KindInventory(
      kinds,
      new LikenessShares(things, everyOf(kind), OF_THINGS),
      new LikenessShares(asked, first, OF_QUESTIONS),
      kindOfQuestion,
    )
  }

  /** Whether something of a kind goes by a name, in the form of `nameKey`. */
  isNamed(key: string): boolean {
    return this.#named.has(key)
  }

  /** What kinds a thing is of, by its name and by the vector of what it is. */
  sharesOf({ name }: Thing, vector: Float32Array): KindShares {
    const shares = this.things.shares(vector)
    const named = this.#named.get(name) ?? []
    if (named.length > 0) {
      for (let kind = 0; kind < shares.length; kind++) shares[kind]! *= 1 - NAMED
      for (const kind of named) shares[kind]! += NAMED / named.length
    }
    return likeliest(shares, KEPT)
  }

  /** How likely a question asks for things of each kind. */
  askedKinds(question: Float32Array): Float64Array {
    const ofKinds = new Float64Array(this.things.size)
    for (const [at, share] of this.questions.shares(question).entries()) ofKinds[this.kindOfQuestion[at]!]! += share
    const asked = likeliest(ofKinds, ASKED_FOR)
    const all = new Float64Array(this.things.size)
    for (const [i, kind] of asked.kinds.entries()) {
      const share = asked.shares[i]!
      all[kind]! += (1 - ALIKE) * share
      const alike = this.#alike.get(kind) ?? likeliest(this.things.ownShares(kind), KEPT)
      this.#alike.set(kind, alike)
      for (const [j, other] of alike.kinds.entries()) all[other]! += ALIKE * share * alike.shares[j]!
    }
    return all
  }
}

const opened = new Map<string, Promise<KindInventory>>()

function likeliest(shares: Float64Array, count: number): KindShares {
  const best = new TopK(Math.min(count, shares.length))
  for (let kind = 0; kind < shares.length; kind++) best.offer(kind, shares[kind]!)
  const hits = best.hits()
  return {
    kinds: Uint16Array.from(hits, ({ index }) => index),
    shares: Float32Array.from(hits, ({ score }) => score),
  }
}

function sumOf(vector: Float32Array, other: Float32Array, weight: number): Float32Array {
  return vector.map((value, d) => value + weight * other[d]!)
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
}

function everyOf<T>(all: readonly T[]): T[] {
  return all.filter((_, i) => i % EVERY === 0)
}

/** How likely something is of each of several models, by how much liker it is to one than other texts are. */
class LikenessShares {
  #models: VectorIndex
  #usual: { mean: number; deviation: number }[]

  constructor(
    models: readonly Float32Array[],
    others: readonly Float32Array[],
    private readonly deviations: number,
  ) {
    this.#models = new VectorIndex(models[0]?.length ?? 1)
    for (const model of models) this.#models.add(model)
    const likeness = others.map((other) => this.#models.similarities(other))
    this.#usual = models.map((_, at) => {
      const values = likeness.map((row) => row[at]!)
      const middle = meanOf(values)
      const deviation = Math.sqrt(meanOf(values.map((value) => (value - middle) ** 2))) || 1
      return { mean: middle, deviation }
    })
  }

  get size(): number {
    return this.#models.size
  }

  /** How likely one of the models is of each. */
  ownShares(model: number): Float64Array {
    const vector = this.#models.at(model)
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
    return this.shares(vector.map((value) => value / length))
  }

  shares(vector: Float32Array): Float64Array {
    const shares = this.#models.similarities(vector)
    let most = Number.NEGATIVE_INFINITY
    for (let at = 0; at < shares.length; at++) {
      const { mean, deviation } = this.#usual[at]!
      shares[at] = (shares[at]! - mean) / deviation / this.deviations
      most = Math.max(most, shares[at]!)
    }
    let sum = 0
    for (let at = 0; at < shares.length; at++) {
      shares[at] = Math.exp(shares[at]! - most)
      sum += shares[at]!
    }
    for (let at = 0; at < shares.length; at++) shares[at]! /= sum
    return shares
  }
}
