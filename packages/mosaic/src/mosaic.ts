import { type Conversation, type Depth, type Embedder, type Memory, UserError } from 'memscope'
import { Bm25Index, EmbeddedLog } from 'memscope/retrieval'
import { contentOf, type Extractor, everyTurn } from './extractor.js'
import { NoteLinks } from './links.js'
import { merge } from './merge.js'
import { type Note, readNote } from './note.js'
import { NoteFile, type NoteLine } from './note-file.js'
import { fitting } from './ranking.js'
import { type Held, rankedSources } from './sources.js'
import { ThingIndex } from './thing-index.js'
import { type Mark, Timeline, withMark } from './timeline.js'

/** What a memory is made of. */
export interface MosaicOptions {
  embed: Embedder
  signal?: AbortSignal
  /** Where it is kept; in memory alone when absent. */
  folder?: string
  /** Takes the notes of a conversation: every turn is one when absent. */
  extract?: Extractor
  /** Hears of damaged lines; they become warnings of the process when absent. */
  warn?: (message: string) => void
  /** Follow what a statement hangs on to what became of it. */
  links?: boolean
  /** Follow facts to facts by what they share. */
  chains?: boolean
  /** Find things of a kind by what kinds the things are of that notes speak of. */
  sets?: boolean
  /** Hold back greetings, questions and replies. */
  weights?: boolean
}

const SETTINGS = { k1: 1.2, b: 0.75, idf: 'lucene' } as const
const FORGOTTEN = 'Something that was told here was forgotten.'

/**
 * A memory that keeps what was said as it was said, and finds it by words and meaning, together with what it hangs on and what leads on from
 * it.
 *
 * @example
 * const memory = new Mosaic({ embed })
 * await memory.store({ id: 'a', time: '2026-05-01', turns: [{ role: 'user', text: 'I take the 8:10, because I work in Leeds.' }] })
 * const found = await memory.retrieve({ text: 'Which train do I take?' }, 10)
 */
export class Mosaic {
  /** In the order of saying. */
  #notes: Note[] = []
  /** Conversations by the names that their notes go by. */
  #lines = new Map<string, NoteLine>()
  #words = new Bm25Index(SETTINGS)
  #timeline = new Timeline()
  readonly #vectors: EmbeddedLog
  readonly #links: NoteLinks
  readonly #things: ThingIndex
  readonly #file: NoteFile | undefined
  #working: Promise<void> = Promise.resolve()

  /** Opens what is in the folder. @throws UserError when the folder is in use, or what is there is no memory */
  constructor(readonly options: MosaicOptions) {
    const { embed, folder, signal = new AbortController().signal, warn = (text) => process.emitWarning(text) } = options
    this.#vectors = new EmbeddedLog({ embed, signal })
    this.#links = new NoteLinks({ embed, signal })
    this.#things = new ThingIndex({ embed, signal })
    if (folder === undefined) return
    this.#file = new NoteFile(folder, warn)
    for (const line of this.#file.read()) this.#add(line)
  }

  /** Takes in a conversation, all of it or nothing. */
  store(conversation: Conversation): Promise<void> {
    return this.#next(async () => {
      const { id: source, time } = conversation
      const notes = await (this.options.extract ?? everyTurn)(conversation)
      if (notes.length === 0) return
      const name = this.#nameFor(source)
      const line = { name, source, time, notes: notes.map((note, i) => contentOf(note, name, i)) }
      this.#file?.append(line)
      this.#add(line)
    })
  }

  /** Resolves when everything has its vectors. */
  async settle(): Promise<void> {
    while (this.#vectors.index.size < this.#notes.length || !this.#links.isSettled) {
      await this.#vectors.settle()
      await this.#links.settle()
    }
  }

  /**
   * Best first: what answers, with what it hangs on and what became of that.
   *
   * @param depth a budget of tokens is filled with what fits: what is too long leaves its place to the next
   */
  async retrieve({ text }: { text: string }, k: number, depth?: Depth): Promise<Memory[]> {
    await this.settle()
    const { main, sources } = await rankedSources(text, k, this.#held())
    const found = merge(main, sources).map(({ index, score }) => ({ ...this.#shown(index), score }))
    const given = fitting(found, k, depth)
    // None scores less than what comes after it.
    for (let i = given.length - 1; i > 0; i--) given[i - 1]!.score = Math.max(given[i - 1]!.score, given[i]!.score)
    return given
  }

  /** Everything it holds. */
  async dump(): Promise<Memory[]> {
    return this.#notes.map((_, at) => this.#shown(at))
  }

  /**
   * Forgets notes: their text, claims and clauses go from the file, from words and from vectors. A tombstone stays in the place of each. What
   * other notes say stays: name those that repeat it, too.
   *
   * @example await memory.forget(['monday#2'])
   */
  forget(ids: readonly string[]): Promise<void> {
    return this.#next(async () => {
      const places = new Map(this.#notes.map(({ content }, at) => [content.id, at]))
      const unknown = ids.filter((id) => !places.has(id))
      if (unknown.length > 0)
        throw new UserError(`There is no note ${unknown.join(', ')}.`, 'dump() has all of them with their ids.')
      await this.settle()
      const gone = new Set(ids)
      const lines = [...this.#lines.values()].map((line) => ({
        ...line,
        notes: line.notes.map((note) => without(note, gone)),
      }))
      this.#file?.rewrite(lines)
      this.#replace(
        lines,
        [...gone].map((id) => places.get(id)!),
      )
    })
  }

  /** Lets others open the folder. */
  async close(): Promise<void> {
    await this.#next(async () => this.#file?.close())
  }

  /** Does one thing after another; whatever becomes of one, the next is done. */
  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#working.then(work)
    this.#working = done.catch(() => {})
    return done
  }

  /** A name that no conversation has: two may have one id. */
  #nameFor(id: string): string {
    let name = id
    for (let times = 2; this.#lines.has(name); times++) name = `${id}@${times}`
    return name
  }

  #add(line: NoteLine): void {
    this.#lines.set(line.name, line)
    for (const content of line.notes) {
      const note = readNote(content, line)
      this.#notes.push(note)
      this.#words.add(note.terms)
      this.#vectors.add(content.isForgotten ? '' : note.memory.text)
      this.#links.add(note)
      this.#timeline.add(note)
      this.#things.add(note.isTelling ? content.text : '')
    }
  }

  /** Puts other lines in the place of all, of which some notes were forgotten. */
  #replace(lines: readonly NoteLine[], forgotten: readonly number[]): void {
    this.#lines = new Map(lines.map((line) => [line.name, line]))
    this.#notes = lines.flatMap((line) => line.notes.map((content) => readNote(content, line)))
    this.#words = new Bm25Index(SETTINGS)
    this.#timeline = new Timeline()
    for (const note of this.#notes) {
      this.#words.add(note.terms)
      this.#timeline.add(note)
    }
    for (const at of forgotten) {
      this.#vectors.index.set(at, new Float32Array(this.options.embed.dimensions))
      this.#links.forget(at)
      this.#things.set(at, '')
    }
  }

  #held(): Held {
    const { embed, links = true, chains = true, sets = true, weights = true } = this.options
    return {
      notes: this.#notes,
      words: this.#words,
      vectors: this.#vectors,
      links: this.#links,
      things: this.#things,
      markOf: (note) => this.#timeline.markOf(note),
      embed,
      parts: { links, chains, sets, weights },
    }
  }

  /** A note as it was said, with what became of it. */
  #shown(at: number): Memory {
    const note = this.#notes[at]!
    const mark: Mark | undefined = this.#timeline.markOf(at)
    return mark ? withMark(note, mark, (other) => this.#notes[other]!.memory) : note.memory
  }
}

/** What is left of a note where it is one of those that go. */
function without(note: NoteLine['notes'][number], gone: ReadonlySet<string>): NoteLine['notes'][number] {
  return gone.has(note.id) ? { id: note.id, text: FORGOTTEN, role: note.role, clauses: [], isForgotten: true } : note
}
