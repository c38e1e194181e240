import { UserError } from '../../base/errors.js'
import type { Conversation, Depth, Memory, Query } from '../../model/index.js'
import { Bm25Index } from '../bm25/bm25-index.js'
import { overlap } from '../bm25/overlap.js'
import { EmbeddedLog } from '../dense/embedded-log.js'
import type { Hit } from '../top-k.js'
import { attributeNearness } from './attribute-nearness.js'
import { factsFrom } from './chain.js'
import { wantsCount, wantsReply, wantsTotal } from './cues.js'
import { byWords } from './extract.js'
import { NoteFile, type NoteLine } from './file.js'
import { forgotten, forgottenNotes, isForgettable, type Nearness, nearestNotes } from './forget.js'
import { readForgetRequest } from './forget-request.js'
import { KindInventory } from './kinds.js'
import { cuesLeft, noteOf, queryOf, type SaidNote } from './note.js'
import { type NoteIndexes, NoteLinks } from './note-links.js'
import { NoteWeights } from './note-weights.js'
import type { MosaicOptions, OpenRequest } from './options.js'
import { sidesOf } from './question-sides.js'
import { best, fitting, raise, scale } from './ranking.js'
import { setLikeness } from './set-likeness.js'
import { mayWantSet, wantsSet } from './set-question.js'
import { type Attribute, attributesOf } from './states.js'
import { ThingIndex } from './thing-index.js'
import { type Mark, Timeline, withMark } from './timeline.js'

/** Statements that are shown with a request that was not followed. */
const NEAREST = 3
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
/** News among the first so many that are found come with what takes them back. */
const CORRECTED = 48
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
  #links: NoteLinks
  /** What notes speak of, for questions that want all things of a kind. */
  #things: ThingIndex
  #timeline = new Timeline()
  /** Requests to forget that are not followed yet. */
  #requests: number[] = []
  /** Ids of requests that were read and not followed. */
  #open = new Set<string>()
  #times = new Map<string, number>()
  #file: NoteFile | undefined
  #settling: Promise<void> | undefined
  #storing: Promise<void> = Promise.resolve()

  constructor(readonly options: MosaicOptions) {
    const { embed, signal = new AbortController().signal } = options
    this.#vectors = new EmbeddedLog({ embed, signal })
    this.#links = new NoteLinks({ embed, signal })
    this.#things = new ThingIndex({ embed, signal })
    if (options.folder === undefined) return
    this.#file = new NoteFile(options.folder)
    for (const { memory, times, cues, isOpen } of this.#file.read()) {
      for (const [conversation, count] of Object.entries(times)) this.#times.set(conversation, count)
      if (isOpen) this.#open.add(memory.id)
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

  /**
   * Best first: what answers, with what it hangs on and what became of that.
   *
   * @param depth a budget of tokens is filled with what fits: what is too long leaves its place to the next
   */
  async retrieve({ text: question }: Pick<Query, 'text'>, k: number, depth?: Depth): Promise<Memory[]> {
    // Things of a kind stand side by side: none of them hangs on another, and what does would take their places.
    const isSet = this.options.sets !== false && wantsSet(question) && !wantsReply(question)
    const asked = await this.#vectors.embedQuery(question)
    const sides = sidesOf(question)
    const sideVectors = await Promise.all(sides.map((side) => this.#vectors.embedQuery(side)))
    const inventory = isSet || (await this.#mayWantSet(question, asked)) ? await this.#things.settle() : undefined
    await this.settle()
    const query = queryOf(question)
    const scores = this.#scores(query, asked, question, inventory)
    if (!inventory)
      for (const [i, side] of sides.entries())
        raise(scores, this.#scores(queryOf(side), sideVectors[i]!, question, undefined))
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
    const termsOf = (note: number) => this.#notes[note]!.terms
    const indexes = { words: this.#index, vectors: this.#vectors.index, termsOf }
    const isLinked = this.options.links !== false && !isSet && !wantsCount(question)
    for (const [i, { index, score }] of ranked.slice(0, SEEDS).entries()) {
      take(index, score)
      // Corrections travel with what they correct, and with the best note however few are asked for.
      const put = i === 0 ? take : takeBetween
      const { rule, by } = this.#markOf(index) ?? {}
      for (const note of [rule, by]) if (note !== undefined) put(note, score)
      if (isLinked) this.#links.follow(index, indexes, (note, link) => put(note, score * link))
    }
    // A total is made of many entries that are said alike: a chain would only go from one to what else was said on the day.
    const isChained = this.options.chains !== false && !isSet && !wantsTotal(question)
    const starts = isChained ? this.#starts(query, ranked) : []
    for (const note of starts) take(note, scores[note]!)
    for (const { index, score } of ranked) if (score >= NEAR * ranked[0]!.score) take(index, score)
    for (const { index, score } of this.#chained(query, starts, scores, taken)) takeBetween(index, score)
    for (const { index, score } of ranked) take(index, score)
    const corrected = isLinked ? this.#corrected(taken, indexes) : taken
    const found = [...corrected].map(([note, score]) => ({ ...this.#shown(note), score }))
    const given = fitting(found, k, depth)
    // None scores less than what comes after it.
    for (let i = given.length - 1; i > 0; i--) given[i - 1]!.score = Math.max(given[i - 1]!.score, given[i]!.score)
    return given
  }

  /** Everything it holds. */
  async dump(): Promise<Memory[]> {
    await this.settle()
    return this.#notes.flatMap((note, at) => (note ? [this.#shown(at)] : []))
  }

  /** Requests to forget of which it is not clear what they mean, each with what comes nearest: somebody has to say. */
  async openRequests(): Promise<OpenRequest[]> {
    await this.settle()
    const found: OpenRequest[] = []
    for (const [at, note] of this.#notes.entries()) {
      if (!note || !this.#open.has(note.memory.id)) continue
      const nearest = nearestNotes(this.#notes, at, await this.#nearTo(at), this.#index, NEAREST)
      found.push({ request: note.memory, nearest: nearest.map((one) => this.#shown(one)) })
    }
    return found
  }

  /**
   * Takes out notes, and what they say is something wherever else it stands: from the file, from words and from vectors. A tombstone stays.
   *
   * @param request id of the request that asked for it, if one did
   * @example await memory.forget(['monday#2'])
   */
  async forget(ids: readonly string[], request?: string): Promise<void> {
    const forgetting = this.#storing.then(async () => {
      await this.settle()
      const places = new Map(this.#notes.map((note, at) => [note?.memory.id, at]))
      const unknown = [...ids, ...(request === undefined ? [] : [request])].filter((id) => !places.has(id))
      if (unknown.length > 0)
        throw new UserError(`There is no note ${unknown.join(', ')}.`, 'dump() has all of them with their ids.')
      const meant = ids.map((id) => places.get(id)!)
      await this.#takeOut(forgottenNotes(this.#notes, meant, request === undefined ? undefined : places.get(request)))
      for (const id of request === undefined ? ids : [...ids, request]) this.#open.delete(id)
    })
    this.#storing = forgetting.catch(() => {})
    return forgetting
  }

  /** What holds of whom and what held before, each with the notes that say so, as far as it is told in plain words or a model has read it. */
  async attributes(): Promise<Attribute[]> {
    await this.settle()
    return attributesOf(this.#notes, (note) => this.#markOf(note))
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
    this.#links.add(note)
    this.#timeline.add(note)
    const isRead = this.#open.has(note.memory.id)
    if (note.cues.isForget && !isRead && this.options.forget !== false) this.#requests.push(at)
  }

  async #settle(): Promise<void> {
    for (;;) {
      // More may be stored in the meantime, and a request is followed when everything has its vectors.
      while (this.#vectors.index.size < this.#notes.length || !this.#links.isSettled) {
        await this.#vectors.settle()
        await this.#links.settle()
      }
      const [request] = this.#requests
      if (request === undefined) return
      await this.#followRequest(request)
      this.#requests.shift()
    }
  }

  /** Takes out what a note asks to be forgotten, if it is clear what that is. */
  async #followRequest(request: number): Promise<void> {
    const changes = forgotten(this.#notes, request, await this.#nearTo(request), this.#index)
    if (changes.size > 0) return this.#takeOut(changes)
    this.#open.add(this.#notes[request]!.memory.id)
    // It stays open whatever is told later, also when the file is read again.
    this.#rewrite(this.#notes)
  }

  /** How near every note is to each thing that a request names. */
  async #nearTo(request: number): Promise<Nearness[]> {
    const { topics, items } = readForgetRequest(this.#notes[request]!.memory.text)
    const textOf = (at: number) => {
      const note = at < request ? this.#notes[at] : null
      return isForgettable(note) ? note.memory.text : null
    }
    const notes = { vectors: this.#vectors.index, textOf }
    return Promise.all(topics.map((topic) => attributeNearness(topic, this.options.embed, notes, items.length > 0)))
  }

  /** Puts others in the place of notes, or nothing: in the file, in words and in vectors. */
  async #takeOut(changes: ReadonlyMap<number, Memory | null>): Promise<void> {
    const vectors = await this.options.embed.embed([...changes.values()].map((memory) => memory?.text ?? ''))
    const notes = [...this.#notes]
    for (const [at, memory] of changes) notes[at] = memory && noteOf(memory, cuesLeft(notes[at]!, memory))
    this.#rewrite(notes)
    this.#notes = notes
    for (const [i, [at, memory]] of [...changes].entries()) {
      this.#vectors.index.set(at, memory ? vectors[i]! : new Float32Array(this.options.embed.dimensions))
      this.#weights.set(at, notes[at] ?? null)
      if (this.options.sets !== false) this.#things.set(at, memory && notes[at]!.isTelling ? memory.text : '')
    }
    this.#links.replace(notes, changes.keys())
    this.#index = new Bm25Index(SETTINGS)
    this.#timeline = new Timeline()
    for (const note of notes) {
      this.#index.add(note?.terms ?? [])
      this.#timeline.add(note)
    }
  }

  #markOf(note: number): Mark | undefined {
    return this.options.timeline === false ? undefined : this.#timeline.markOf(note)
  }

  /** A note as it was said, with what became of it. */
  #shown(note: number): Memory {
    const mark = this.#markOf(note)
    const said = this.#notes[note]!
    return mark ? withMark(said, mark, (at) => this.#notes[at]!.memory) : said.memory
  }

  /** What was taken, with what takes back any of it right behind that. */
  #corrected(taken: ReadonlyMap<number, number>, indexes: NoteIndexes): Map<number, number> {
    const corrected = new Map<number, number>()
    for (const [place, [note, score]] of [...taken].entries()) {
      if (!corrected.has(note)) corrected.set(note, score)
      const isNews = place < CORRECTED && this.#notes[note]!.cues.isNews
      const withdrawal = isNews ? this.#links.withdrawalOf(note, indexes) : undefined
      if (withdrawal && !corrected.has(withdrawal.index)) corrected.set(withdrawal.index, score)
    }
    return corrected
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

  #rewrite(notes: readonly (SaidNote | null)[]): void {
    this.#file?.rewrite(notes.flatMap((note) => (note ? [this.#line(note)] : [])))
  }

  #line({ memory, cues, isGiven }: SaidNote): NoteLine {
    const times = Object.fromEntries((memory.sources ?? []).map((source) => [source, this.#times.get(source)!]))
    const isOpen = this.#open.has(memory.id) && memory.status !== 'tombstone'
    return { memory, times, ...(isGiven && { cues }), ...(isOpen && { isOpen }) }
  }
}
