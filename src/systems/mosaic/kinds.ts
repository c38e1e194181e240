import { readFileSync } from 'node:fs'
import { entryOf } from '../../base/group-by.js'
import { meanOf } from '../../base/sums.js'
import type { Embedder } from '../../model/index.js'
import { VectorIndex } from '../dense/vector-index.js'
import { TopK } from '../top-k.js'
import { linearFit } from './linear-fit.js'
import { nameKey, type Thing } from './things.js'

/** A kind of thing, names of things of it, and how somebody may ask for those that are theirs. */
export interface Kind {
  kind: string
  names: readonly string[]
  ask: readonly string[]
}

/** Kinds, and questions that want one thing alone: what those that want several are told from. */
export interface KindTexts {
  kinds: readonly Kind[]
  single: readonly string[]
}

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
/** Every such kind shows how near texts are that have nothing to do with one another, and what questions for several things are like. */
const EVERY = 4
/** From here on a question wants several things: between those that do (1) and those that do not (-1). */
const SEVERAL = 0.2

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
    private readonly severalness: (vector: Float32Array) => number,
  ) {
    for (const [at, { names }] of kinds.entries())
      for (const key of new Set(names.map(nameKey))) this.#named.set(key, [...(this.#named.get(key) ?? []), at])
  }

  /** The kinds of the package, with the vectors of an embedder; made once for each. */
  static open(embed: Embedder): Promise<KindInventory> {
    const id = `${embed.id}/${embed.dimensions}`
    const made = opened.get(id) ?? KindInventory.of(kindTexts(), embed)
    opened.set(id, made)
    made.catch(() => opened.delete(id))
    return made
  }

  static async of({ kinds, single }: KindTexts, embed: Embedder): Promise<KindInventory> {
    const { kind, names, ask, one } = await embedded(inventoryTexts({ kinds, single }), embed)
    const kindOfQuestion = Uint16Array.from(kinds.flatMap(({ ask }, at) => ask.map(() => at)))
    const first = everyOf(kinds.map((_, at) => ask[kindOfQuestion.indexOf(at)]!))
    const asked = ask.map((vector, i) => sumOf(kind[kindOfQuestion[i]!]!, vector, ASKED))
    return new KindInventory(
      kinds,
      new LikenessShares(
        kind.map((vector, at) => sumOf(vector, names[at]!, 1)),
        everyOf(kind),
        OF_THINGS,
      ),
      new LikenessShares(asked, first, OF_QUESTIONS),
      kindOfQuestion,
      linearFit([
        { vectors: first, value: 1 },
        { vectors: one, value: -1 },
      ]),
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
      const alike = entryOf(this.#alike, kind, () => likeliest(this.things.ownShares(kind), KEPT))
      for (const [j, other] of alike.kinds.entries()) all[other]! += ALIKE * share * alike.shares[j]!
    }
    return all
  }

  /** Whether a question is put like those that want several things of a kind. */
  wantsSeveral(question: Float32Array): boolean {
    return this.severalness(question) > SEVERAL
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

/** Texts that an inventory takes vectors of. */
export function inventoryTexts({ kinds, single }: KindTexts): Record<'kind' | 'names' | 'ask' | 'one', string[]> {
  return {
    kind: kinds.map(({ kind }) => kind),
    names: kinds.map(({ names }) => names.join(', ')),
    ask: kinds.flatMap(({ ask }) => ask),
    one: [...single],
  }
}

/** What the package knows of kinds. */
export function kindTexts(): KindTexts {
  const linesOf = (file: URL) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  return {
    kinds: linesOf(new URL('./kinds.jsonl', import.meta.url)) as Kind[],
    single: linesOf(new URL('./single-questions.jsonl', import.meta.url)) as string[],
  }
}

/** Vectors of lists of texts, embedded together. */
async function embedded<List extends string>(
  texts: Record<List, readonly string[]>,
  embed: Embedder,
): Promise<Record<List, Float32Array[]>> {
  const lists = Object.entries(texts) as [List, readonly string[]][]
  const vectors = await embed.embed(lists.flatMap(([, list]) => list))
  let at = 0
  const parts = lists.map(([name, { length }]) => {
    at += length
    return [name, vectors.slice(at - length, at)]
  })
  return Object.fromEntries(parts) as Record<List, Float32Array[]>
}

function sumOf(vector: Float32Array, other: Float32Array, weight: number): Float32Array {
  return vector.map((value, d) => value + weight * other[d]!)
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
