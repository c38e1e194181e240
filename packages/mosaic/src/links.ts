import type { SystemContext } from 'memscope'
import { type Bm25Index, EmbeddedLog, type Hit, TopK, type VectorIndex } from 'memscope/retrieval'
import { LinkTargets } from './link-targets.js'
import { analyze, type Note } from './note.js'

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
  /** Notes that tell something, and among them those that hang on something. */
  #telling = new LinkTargets()
  #leaning = new LinkTargets()

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
  add({ content, isTelling }: Note): void {
    const clauses = content.clauses.map((clause) => {
      this.#clauses.add(clause)
      return this.#clauseTerms.push(analyze(clause)) - 1
    })
    const at = this.#clausesOf.push(clauses) - 1
    if (isTelling) this.#telling.add(at)
    if (clauses.length > 0) this.#leaning.add(at)
  }

  /** Takes out what a note hangs on. */
  forget(note: number): void {
    for (const clause of this.#clausesOf[note]!) {
      this.#clauses.index.set(clause, new Float32Array(this.context.embed.dimensions))
      this.#clauseTerms[clause] = []
    }
    this.#clausesOf[note] = []
  }

  /** What became of what a note hangs on, what that hangs on in turn, and what became of that. */
  follow(from: number, indexes: NoteIndexes): Hit[] {
    return this.#clausesOf[from]!.flatMap((clause) => {
      const grounds = this.#linked(clause, this.#leaning, indexes, -1, from, GROUND_LINK)
      const behind = grounds.flatMap((ground) => [
        ground,
        ...this.#clausesOf[ground.index]!.flatMap((next) => this.#newsOn(next, ground.index, indexes)),
      ])
      return [...this.#newsOn(clause, from, indexes), ...behind]
    })
  }

  /** What became of a clause after the note that it is of. */
  #newsOn(clause: number, from: number, indexes: NoteIndexes): Hit[] {
    return this.#linked(clause, this.#telling, indexes, from, from, NEWS_LINK)
  }

  /** Those of some notes, said after one, that are linked most closely to something: by meaning, and by how much of it they take up. */
  #linked(
    clause: number,
    targets: LinkTargets,
    { words, vectors, termsOf }: NoteIndexes,
    after: number,
    but: number,
    least: number,
  ): Hit[] {
    const terms = this.#clauseTerms[clause]!
    const vector = this.#clauses.index.at(clause)
    const rarities = new Map(terms.map((term) => [term, words.idf(term)]))
    let all = 0
    for (const rarity of rarities.values()) all += rarity
    const closest = new TopK(TAKEN)
    for (const at of targets.near(vector, after, vectors)) {
      if (at === but) continue
      const shared = sharedRarity(rarities, termsOf(at))
      closest.offer(at, vectors.similarity(at, vector) + shared / (all || 1))
    }
    return closest.hits().filter(({ score }) => score > least)
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
