import type { Conversation, Embedder, Memory, Query } from '../../model/index.js'
import { Bm25Index } from '../bm25/bm25-index.js'
import { overlap } from '../bm25/overlap.js'
import { EmbeddedLog } from '../dense/embedded-log.js'
import { type Hit, TopK } from '../top-k.js'
import { factsFrom } from './chain.js'
import { type StatementCues, wantsTotal } from './cues.js'
import { byWords, type Extractor } from './extract.js'
import { NoteFile, type NoteLine } from './file.js'
import { forgotten } from './forget.js'
import { readForgetRequest } from './forget-request.js'
import { KindInventory } from './kinds.js'
import { analyze, noteOf, type SaidNote } from './note.js'
import { NoteWeights } from './note-weights.js'
import { setLikeness } from './set-likeness.js'
import { mayWantSet, wantsSet } from './set-question.js'
import { LinkTargets } from './targets.js'
import { ThingIndex } from './thing-index.js'

/** What a mosaic is made of. Every part but the embedder can be left out. */
export interface MosaicOptions {
  embed: Embedder
  signal?: AbortSignal
  /** Where it is kept; in memory alone when absent. */
  folder?: string
  /** What makes notes of a conversation: words alone when absent. */
  extract?: Extractor
  /** Follow what a statement hangs on to what became of it. */
  links?: boolean
  /** Follow facts to facts by what they share. */
  chains?: boolean
  /** Find things of a kind by what kinds the things are of that notes speak of. */
  sets?: boolean
  /** Hold back greetings, questions and replies. */
  weights?: boolean
  /** Take out what is asked to be forgotten. */
  forget?: boolean
}

/** How much words count against meaning, at most, and how many hits by words are looked at. */
const WORDS = 2
const DEPTH = 256
/** Best notes whose links are followed, and hits by words among which the best to begin a chain is looked for. */
const SEEDS = 4
const STARTS = 8
/** How much of a question a note must take up for a chain to begin there. */
const START = 0.15
/** Notes that are so near to a question, against the best, come before what a chain leads to. */
const NEAR = 0.65
/** How much a note must say to be on a chain: what one says in passing leads nowhere. */
const CHAINED = 0.7
/** Of what a clause is linked to, how much is taken: so many, if linked at least so closely. */
const TAKEN = 2
const NEWS_LINK = 0.3
const GROUND_LINK = 0.5
const SETTINGS = { k1: 1.2, b: 0.75, idf: 'lucene' } as const

/**
 * A memory that keeps what was said as it was said, and knows what hangs on what: a statement is found together with what it hangs on and
 * with what became of that, however little the question says of it. Needs no model but an embedder.
 *
 * @example
 * const memory = new Mosaic({ embed })
 * await memory.store({ id: 'a', time: '2026-05-01', turns: [{ role: 'user', text: 'I take the 8:10, because I work in Leeds.' }] })
 * const found = await memory.retrieve({ text: 'Which train do I take?' }, 10)
 */
export class Mosaic {
  /** In the order of saying; null where one was forgotten. */
  #notes: (SaidNote | null)[] = []
  #weights = new NoteWeights()
  #index = new Bm25Index(SETTINGS)
  #vectors: EmbeddedLog
  /** Clauses as they came, and those that each note hangs on. */
  #clauses: EmbeddedLog
  #clauseTerms: string[][] = []
  #clausesOf: number[][] = []
  /** What notes speak of, for questions that want all things of a kind. */
  #things: ThingIndex
  /** Notes that may be linked to: those with news, and those that hang on something. */
  #news = new LinkTargets()
  #leaning = new LinkTargets()
  /** Requests to forget that are not followed yet. */
  #requests: number[] = []
  #times = new Map<string, number>()
  #file: NoteFile | undefined
  #settling: Promise<void> | undefined
  #storing: Promise<void> = Promise.resolve()

  constructor(readonly options: MosaicOptions) {
    this.#vectors = this.#emptyLog()
    this.#clauses = this.#emptyLog()
    this.#things = new ThingIndex(this.#clauses.context)
    if (options.folder === undefined) return
    this.#file = new NoteFile(options.folder)
    for (const { memory, times, cues } of this.#file.read()) {
      for (const [conversation, count] of Object.entries(times)) this.#times.set(conversation, count)
      this.#add(noteOf(memory, cues))
    }
  }

  /** Takes in a conversation. What it asks to be forgotten is gone with the next `settle` or `retrieve`. */
  store(conversation: Conversation): Promise<void> {
    const stored = this.#storing.then(() => this.#store(conversation))
    // Whatever becomes of one conversation, the next is taken in after it.
    this.#storing = stored.catch(() => {})
    return stored
  }

  /** Resolves when everything has its vectors, and what is to be forgotten is gone. */
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  /** Best first: what answers, with what it hangs on and what became of that. */
  async retrieve({ text: question }: Pick<Query, 'text'>, k: number): Promise<Memory[]> {
    // Things of a kind stand side by side: none of them hangs on another, and what does would take their places.
    const isSet = this.options.sets !== false && wantsSet(question)
    const asked = await this.#vectors.embedQuery(question)
    const inventory = isSet || (await this.#mayWantSet(question, asked)) ? await this.#things.settle() : undefined
    await this.settle()
    const query = new Map(analyze(question).map((term) => [term, 1]))
    const scores = this.#scores(query, asked, question, inventory)
    const ranked = best(scores, Math.min(k, scores.length))
    const taken = new Map<number, number>()
    const take = (note: number, score: number) => {
      if (!taken.has(note)) taken.set(note, score)
    }
    // What links and chains lead to takes every other place: it may be nothing that is asked for.
    let next = 0
    const takeBetween = (note: number, score: number) => {
      if (taken.has(note)) return
      take(note, score)
      while (next < ranked.length && taken.has(ranked[next]!.index)) next++
      if (next < ranked.length) take(ranked[next]!.index, ranked[next]!.score)
    }
    const isLinked = this.options.links !== false && !isSet
    for (const [i, { index, score }] of ranked.slice(0, SEEDS).entries()) {
      take(index, score)
      // Corrections travel with the best note, however few are asked for.
      if (isLinked) this.#follow(index, (note, link) => (i === 0 ? take : takeBetween)(note, score * link))
    }
    // A total is made of many entries that are said alike: a chain would only go from one to what else was said on the day.
    const isChained = this.options.chains !== false && !isSet && !wantsTotal(question)
    const starts = isChained ? this.#starts(query, ranked) : []
    for (const note of starts) take(note, scores[note]!)
    for (const { index, score } of ranked) if (score >= NEAR * ranked[0]!.score) take(index, score)
    for (const { index, score } of this.#chained(query, starts, scores, taken)) takeBetween(index, score)
    for (const { index, score } of ranked) take(index, score)
    const given = [...taken].slice(0, k)
    // None scores less than what comes after it.
    for (let i = given.length - 1; i > 0; i--) given[i - 1]![1] = Math.max(given[i - 1]![1], given[i]![1])
    return given.map(([note, score]) => ({ ...this.#notes[note]!.memory, score }))
  }

  /** Everything it holds. */
  async dump(): Promise<Memory[]> {
    await this.settle()
    return this.#notes.flatMap((note) => (note ? [note.memory] : []))
  }

  async #store(conversation: Conversation): Promise<void> {
    const { extract = byWords } = this.options
    const times = (this.#times.get(conversation.id) ?? 0) + 1
    const notes = await extract(conversation, times === 1 ? conversation.id : `${conversation.id}@${times}`)
    const lines = notes.map((note) => ({ ...this.#line(note), times: { [conversation.id]: times } }))
    this.#file?.append(lines)
    this.#times.set(conversation.id, times)
    for (const note of notes) this.#add(note)
  }

  #add(note: SaidNote): void {
    const at = this.#notes.push(note) - 1
    this.#weights.set(at, note)
    this.#index.add(note.terms)
    this.#vectors.add(note.memory.text)
    if (this.options.sets !== false) this.#things.add(note.isTelling ? note.memory.text : '')
    this.#clausesOf.push(this.#added(note.cues.leans))
    this.#linkable(note, at)
    if (note.cues.isForget && this.options.forget !== false) this.#requests.push(at)
  }

  #linkable({ cues }: SaidNote, at: number): void {
    if (cues.isNews) this.#news.add(at)
    if (cues.leans.length > 0) this.#leaning.add(at)
  }

  /** Where clauses are, now that they are added. */
  #added(clauses: readonly string[]): number[] {
    return clauses.map((clause) => {
      this.#clauses.add(clause)
      return this.#clauseTerms.push(analyze(clause)) - 1
    })
  }

  async #settle(): Promise<void> {
    for (;;) {
      // More may be stored in the meantime, and a request is followed when everything has its vectors.
      while (this.#vectors.index.size + this.#clauses.index.size < this.#notes.length + this.#clauseTerms.length) {
        await this.#vectors.settle()
        await this.#clauses.settle()
      }
      const [request] = this.#requests
      if (request === undefined) return
      await this.#forget(request)
      this.#requests.shift()
    }
  }

  /** Takes out what a note asks to be forgotten: from the file, from words and from vectors. */
  async #forget(request: number): Promise<void> {
    const topic = await this.#vectors.embedQuery(readForgetRequest(this.#notes[request]!.memory.text).topic)
    const near = this.#vectors.index.similarities(topic)
    const changes = forgotten(this.#notes, request, near, this.#index)
    if (changes.size === 0) return
    const vectors = await this.options.embed.embed([...changes.values()].map((memory) => memory?.text ?? ''))
    const notes = [...this.#notes]
    for (const [at, memory] of changes) notes[at] = memory && noteOf(memory, cuesLeft(notes[at]!, memory))
    this.#file?.rewrite(notes.flatMap((note) => (note ? [this.#line(note)] : [])))
    this.#notes = notes
    for (const [i, [at, memory]] of [...changes].entries()) {
      this.#vectors.index.set(at, memory ? vectors[i]! : new Float32Array(this.options.embed.dimensions))
      for (const clause of this.#clausesOf[at]!) {
        this.#clauses.index.set(clause, new Float32Array(this.options.embed.dimensions))
        this.#clauseTerms[clause] = []
      }
      this.#clausesOf[at] = this.#added(notes[at]?.cues.leans ?? [])
      this.#weights.set(at, notes[at] ?? null)
      if (this.options.sets !== false) this.#things.set(at, memory && notes[at]!.isTelling ? memory.text : '')
    }
    this.#index = new Bm25Index(SETTINGS)
    this.#news = new LinkTargets()
    this.#leaning = new LinkTargets()
    for (const [at, note] of notes.entries()) {
      this.#index.add(note?.terms ?? [])
      if (note) this.#linkable(note, at)
    }
  }

  /** Where chains begin: at the best note, and at the best by words alone, or else at the two best. */
  #starts(query: ReadonlyMap<string, number>, ranked: readonly Hit[]): number[] {
    const byWords = this.#index.search(query, STARTS).find(({ index }) => this.#isFact(index))
    const [first, second] = ranked
    return [...new Set([first, byWords, second].flatMap((hit) => hit?.index ?? []))]
      .slice(0, 2)
      .filter((note) => this.#isFact(note) && this.#shared(query, note) >= START)
  }

  /** What chains lead to that is not taken yet. */
  #chained(
    query: ReadonlyMap<string, number>,
    starts: readonly number[],
    scores: Float64Array,
    taken: ReadonlyMap<number, number>,
  ): Hit[] {
    const found = new Map<number, Hit>()
    for (const start of starts)
      for (const { index, score } of factsFrom(
        this.#index,
        query,
        start,
        (note) => this.#isChainable(note) && !taken.has(note) && !found.has(note),
      ))
        found.set(index, { index, score: scores[start]! * score })
    return [...found.values()]
  }

  /** How much of a question a note takes up. */
  #shared(query: ReadonlyMap<string, number>, note: number): number {
    return overlap(this.#index, query.keys(), this.#notes[note]!.terms)
  }

  #isFact(note: number): boolean {
    return this.#notes[note]?.isTelling ?? false
  }

  /** Whether a chain may lead to a note. */
  #isChainable(note: number): boolean {
    return this.#isFact(note) && (this.options.weights === false || this.#notes[note]!.weight >= CHAINED)
  }

  /** Cosine and words of every note together, for as much as it says to a question. */
  #scores(
    query: ReadonlyMap<string, number>,
    asked: Float32Array,
    question: string,
    inventory: KindInventory | undefined,
  ): Float64Array {
    const similarities = this.#vectors.index.similarities(asked)
    const scores = inventory ? setLikeness(similarities, this.#things.fit(inventory.askedKinds(asked))) : similarities
    scale(scores)
    const hits = this.#index.search(query, DEPTH)
    for (const { index, score } of hits) {
      const shared = this.#shared(query, index)
      scores[index]! += (WORDS * shared * shared * score) / hits[0]!.score
    }
    this.#weights.weigh(scores, question, { isWeighed: this.options.weights !== false, isSet: inventory !== undefined })
    return scores
  }

  /** Whether a question is put like those that want all things of a kind, although its words do not say so. */
  async #mayWantSet(question: string, asked: Float32Array): Promise<boolean> {
    if (this.options.sets === false || !mayWantSet(question)) return false
    return (await KindInventory.open(this.options.embed)).wantsSeveral(asked)
  }

  /** Takes what became of what a note hangs on, and what that hangs on in turn. */
  #follow(from: number, take: (note: number, link: number) => void): void {
    for (const clause of this.#clausesOf[from]!) {
      for (const { index, score } of this.#newsOn(clause, from)) take(index, score)
      const grounds = this.#linked(clause, this.#leaning, -1, from)
      for (const { index: ground, score } of grounds.filter(({ score }) => score > GROUND_LINK)) {
        take(ground, score)
        for (const behind of this.#clausesOf[ground]!)
          for (const { index, score } of this.#newsOn(behind, ground)) take(index, score)
      }
    }
  }

  /** What became of a clause after the note that it is of. */
  #newsOn(clause: number, from: number): Hit[] {
    return this.#linked(clause, this.#news, from).filter(({ score }) => score > NEWS_LINK)
  }

  /** Those of some notes, said after one, that are linked most closely to a clause: by meaning, and by how much of it they take up. */
  #linked(clause: number, targets: LinkTargets, after: number, but = -1): Hit[] {
    const rarities = new Map(this.#clauseTerms[clause]!.map((term) => [term, this.#index.idf(term)]))
    let all = 0
    for (const rarity of rarities.values()) all += rarity
    const vector = this.#clauses.index.at(clause)
    const closest = new TopK(TAKEN)
    for (const at of targets.near(vector, after, this.#vectors.index)) {
      if (at === but) continue
      const shared = sharedRarity(rarities, this.#notes[at]!.terms)
      closest.offer(at, this.#vectors.index.similarity(at, vector) + shared / (all || 1))
    }
    return closest.hits()
  }

  #line({ memory, cues, isGiven }: SaidNote): NoteLine {
    const times = Object.fromEntries((memory.sources ?? []).map((source) => [source, this.#times.get(source)!]))
    return { memory, times, ...(isGiven && { cues }) }
  }

  #emptyLog(): EmbeddedLog {
    const { embed, signal = new AbortController().signal } = this.options
    return new EmbeddedLog({ embed, signal })
  }
}

/** What a note still does that lost something. Clauses may hold what was lost, and go. */
function cuesLeft({ cues, isGiven }: SaidNote, { status }: Memory): StatementCues | undefined {
  if (!isGiven) return undefined
  return { leans: [], isNews: cues.isNews && status !== 'tombstone', isForget: false }
}

/** How rare the terms are together that a note has of a clause, each counted once. */
function sharedRarity(rarities: ReadonlyMap<string, number>, told: readonly string[]): number {
  let shared = 0
  for (let i = 0; i < told.length; i++) {
    const rarity = rarities.get(told[i]!)
    if (rarity !== undefined && told.indexOf(told[i]!) === i) shared += rarity
  }
  return shared
}

/** Moves and stretches scores to 0–1, where they stand: there may be very many. */
function scale(scores: Float64Array): void {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < scores.length; i++) {
    low = Math.min(low, scores[i]!)
    high = Math.max(high, scores[i]!)
  }
  for (let i = 0; i < scores.length; i++) scores[i] = high > low ? (scores[i]! - low) / (high - low) : 0
}

function best(scores: Float64Array, k: number): Hit[] {
  const found = new TopK(k)
  for (let i = 0; i < scores.length; i++) if (scores[i]! > Number.NEGATIVE_INFINITY) found.offer(i, scores[i]!)
  return found.hits()
}
