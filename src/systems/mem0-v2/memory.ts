import type { SystemContext } from '../../model/index.js'
import { embedOne, HybridTable, type Journal, type Kept, type Near } from '../parts/index.js'
import { EntityStore } from './entity-store.js'
import { FIXED } from './fixed.js'

/** Memories, found by meaning, words and names together. */
export class HybridMemory {
  readonly rows: HybridTable<Kept>
  readonly #entities: EntityStore

  constructor(
    readonly context: Pick<SystemContext, 'embed' | 'signal'>,
    /** Whether words and names count, or meaning alone. */
    readonly hybrid: boolean,
    journal?: Journal,
  ) {
    this.rows = new HybridTable(context.embed.dimensions, journal)
    this.#entities = new EntityStore(context, journal)
  }

  async add(rows: readonly Kept[], vectors: readonly Float32Array[]): Promise<void> {
    for (const [i, row] of rows.entries()) this.rows.set(row, vectors[i])
    if (this.hybrid) await this.#entities.add(rows)
  }

  delete(id: string): void {
    this.rows.delete(id)
    this.#entities.delete(id)
  }

  /** The best memories of those that are near in meaning; words and names reorder them but bring none in. */
  async search(question: string, k: number, threshold: number): Promise<Near<Kept>[]> {
    if (this.rows.size === 0) return []
    const pool = Math.max(FIXED.poolTimes * k, FIXED.poolFloor)
    const near = this.rows
      .nearest(await embedOne(this.context, question), pool)
      .filter(({ score }) => score >= threshold)
    if (!this.hybrid) return near.slice(0, k)
    const words = this.#wordScores(question, pool)
    const boosts = await this.#entities.boosts(question)
    // As in Mem0, a signal counts in the scale wherever it shows, be it on memories that are not near.
    const most = 1 + (words.size > 0 ? 1 : 0) + (boosts.size > 0 ? FIXED.nameWeight : 0)
    return near
      .map(({ row, score }) => ({
        row,
        score: Math.min(1, (score + (words.get(row.id) ?? 0) + (boosts.get(row.id) ?? 0)) / most),
      }))
      .sort((a, b) => b.score - a.score)
      .slice(0, k)
  }

  #wordScores(question: string, pool: number): Map<string, number> {
    const count = this.rows.words.termsIn(question)
    const [, middle, steepness] = FIXED.curves.find(([words]) => count <= words)!
    const squashed = (score: number) => 1 / (1 + Math.exp(-steepness * (score - middle)))
    return new Map(this.rows.words.search(question, pool).map(({ id, score }) => [id, squashed(score)]))
  }
}
