import type { SystemContext } from '../../model/index.js'
import { embedAll, type Journal, type VectorRow, VectorTable } from '../parts/index.js'
import { entitiesIn } from './entities.js'
import { FIXED } from './fixed.js'

/** A thing that memories speak of, with the memories that do. */
interface Entity extends VectorRow {
  memories: Set<string>
}

/** Which memories speak of which names. It lifts memories that share a name with a question. */
export class EntityStore {
  readonly #table: VectorTable<Entity>
  readonly #byMemory = new Map<string, Entity[]>()

  constructor(
    readonly context: Pick<SystemContext, 'embed' | 'signal'>,
    readonly journal?: Journal,
  ) {
    this.#table = new VectorTable<Entity>(context.embed.dimensions, journal)
  }

  /** Notes the names in new memories. */
  async add(memories: readonly VectorRow[]): Promise<void> {
    const mentions = memories.flatMap(({ id, text }) => entitiesIn(text).map((name) => ({ id, name })))
    const names = mentions.map(({ name }) => name)
    for (const [i, vector] of (await embedAll(this.context, names)).entries()) {
      const { id, name } = mentions[i]!
      const entity = this.#table.get(name) ?? this.#alike(vector) ?? { id: name, text: name, memories: new Set() }
      if (!this.#table.has(entity.id)) this.#table.set(entity, vector)
      this.#link(id, entity)
    }
  }

  /** Forgets a memory, and names that nothing speaks of any more. */
  delete(memory: string): void {
    const entities = this.#byMemory.get(memory)
    if (!entities) return
    this.#byMemory.delete(memory)
    this.journal?.note(() => this.#byMemory.set(memory, entities))
    for (const entity of entities) {
      if (!entity.memories.delete(memory)) continue
      this.journal?.note(() => entity.memories.add(memory))
      if (entity.memories.size === 0) this.#table.delete(entity.id)
    }
  }

  /** How much each memory is lifted by the names in a question. Names that many memories share lift less. */
  async boosts(question: string): Promise<Map<string, number>> {
    const names = entitiesIn(question).slice(0, FIXED.mostNames)
    const boosts = new Map<string, number>()
    if (this.#table.size === 0) return boosts
    for (const vector of await embedAll(this.context, names)) {
      for (const { row, score } of this.#table.nearest(vector, FIXED.mostEntities)) {
        if (score < FIXED.nearName) break
        const boost = (score * FIXED.nameWeight) / (1 + FIXED.nameSpread * (row.memories.size - 1) ** 2)
        for (const memory of row.memories) boosts.set(memory, Math.max(boosts.get(memory) ?? 0, boost))
      }
    }
    return boosts
  }

  /** A memory may name an entity in several ways. */
  #link(memory: string, entity: Entity): void {
    if (entity.memories.has(memory)) return
    const before = this.#byMemory.get(memory)
    entity.memories.add(memory)
    this.#byMemory.set(memory, [...(before ?? []), entity])
    this.journal?.note(() => {
      entity.memories.delete(memory)
      if (before) this.#byMemory.set(memory, before)
      else this.#byMemory.delete(memory)
    })
  }

  #alike(vector: Float32Array): Entity | undefined {
    const [best] = this.#table.nearest(vector, 1)
    return best && best.score >= FIXED.sameName ? best.row : undefined
  }
}
