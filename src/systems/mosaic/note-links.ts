import type { SystemContext } from '../../model/index.js'
import type { Bm25Index } from '../bm25/bm25-index.js'
import { EmbeddedLog } from '../dense/embedded-log.js'
import type { VectorIndex } from '../dense/vector-index.js'
import { type Hit, TopK } from '../top-k.js'
import { analyze, type SaidNote } from './note.js'
import { LinkTargets } from './targets.js'

/** Of what a clause is linked to, how much is taken: so many, if linked at least so closely. */
const TAKEN = 2
const NEWS_LINK = 0.3
const GROUND_LINK = 0.5

/** Notes by their words and by their vectors. */
export interface NoteIndexes {
  words: Bm25Index
  vectors: VectorIndex
  termsOf(note: number): readonly string[]
}

/** What notes hang on, and the notes that may tell what became of that. */
export class NoteLinks {
  /** Clauses as they came, and those that each note hangs on. */
  #clauses: EmbeddedLog
  #clauseTerms: string[][] = []
  #clausesOf: number[][] = []
  /** Notes that may be linked to: those with news, and those that hang on something. */
  #news = new LinkTargets()
  #leaning = new LinkTargets()
  /** Notes that take something back. */
  #withdrawals = new LinkTargets()

  constructor(private readonly context: Pick<SystemContext, 'embed' | 'signal'>) {
    this.#clauses = new EmbeddedLog(context)
  }

  /** Whether every clause has its vector. */
  get isSettled(): boolean {
    return this.#clauses.index.size === this.#clauseTerms.length
  }

  /** Resolves when every clause added so far has its vector. */
  settle(): Promise<void> {
    return this.#clauses.settle()
  }

  /** Takes in a note that was said after all others. */
  add(note: SaidNote): void {
    this.#linkable(note, this.#clausesOf.push(this.#added(note.cues.leans)) - 1)
  }

  /** Puts others in the place of notes: clauses of those that changed are made anew, and what may be linked to is told anew. */
  replace(notes: readonly (SaidNote | null)[], changed: Iterable<number>): void {
    for (const at of changed) {
      for (const clause of this.#clausesOf[at]!) {
        this.#clauses.index.set(clause, new Float32Array(this.context.embed.dimensions))
        this.#clauseTerms[clause] = []
      }
      this.#clausesOf[at] = this.#added(notes[at]?.cues.leans ?? [])
    }
    this.#news = new LinkTargets()
    this.#leaning = new LinkTargets()
    this.#withdrawals = new LinkTargets()
    for (const [at, note] of notes.entries()) if (note) this.#linkable(note, at)
  }

  /** Takes what became of what a note hangs on, and what that hangs on in turn. */
  follow(from: number, indexes: NoteIndexes, take: (note: number, link: number) => void): void {
    for (const clause of this.#clausesOf[from]!) {
      for (const { index, score } of this.#newsOn(clause, from, indexes)) take(index, score)
      const grounds = this.#linked(clause, this.#leaning, indexes, -1, from)
      for (const { index: ground, score } of grounds.filter(({ score }) => score > GROUND_LINK)) {
        take(ground, score)
        for (const behind of this.#clausesOf[ground]!)
          for (const { index, score } of this.#newsOn(behind, ground, indexes)) take(index, score)
      }
    }
  }

  /** The note that takes back what another tells as news, if one does. */
  withdrawalOf(note: number, indexes: NoteIndexes): Hit | undefined {
    const { vectors, termsOf } = indexes
    const [closest] = this.#closest(termsOf(note), vectors.at(note), this.#withdrawals, indexes, note, note)
    return closest && closest.score > NEWS_LINK ? closest : undefined
  }

  #linkable({ cues, isWithdrawal }: SaidNote, at: number): void {
    if (isWithdrawal) this.#withdrawals.add(at)
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

  /** What became of a clause after the note that it is of. */
  #newsOn(clause: number, from: number, indexes: NoteIndexes): Hit[] {
    return this.#linked(clause, this.#news, indexes, from).filter(({ score }) => score > NEWS_LINK)
  }

  #linked(clause: number, targets: LinkTargets, indexes: NoteIndexes, after: number, but = -1): Hit[] {
    return this.#closest(this.#clauseTerms[clause]!, this.#clauses.index.at(clause), targets, indexes, after, but)
  }

  /** Those of some notes, said after one, that are linked most closely to something: by meaning, and by how much of it they take up. */
  #closest(
    terms: readonly string[],
    vector: Float32Array,
    targets: LinkTargets,
    { words, vectors, termsOf }: NoteIndexes,
    after: number,
    but: number,
  ): Hit[] {
    const rarities = new Map(terms.map((term) => [term, words.idf(term)]))
    let all = 0
    for (const rarity of rarities.values()) all += rarity
    const closest = new TopK(TAKEN)
    for (const at of targets.near(vector, after, vectors)) {
      if (at === but) continue
      const shared = sharedRarity(rarities, termsOf(at))
      closest.offer(at, vectors.similarity(at, vector) + shared / (all || 1))
    }
    return closest.hits()
  }
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
