import type { Random } from '../../../base/random.js'
import type { AfterTask } from '../episode.js'
import type { EdgeData, Graph } from '../graph.js'

/** A dependency that is told: the clause, and what will happen when the parent changes, if that is told too. */
export interface Link {
  edge: EdgeData
  /** `none`: nobody says that it depends on anything. */
  clause: 'explicit' | 'implicit' | 'none'
  /** Without `when` the rule holds for any change of the parent. */
  rules: { after: string; when?: string }[]
}

/** An episode before anybody speaks: states, dependencies, what happens and what is asked. */
export interface EpisodePlan {
  graph: Graph
  /** What holds at first, for every entity that is spoken of once. */
  before: Map<string, string>
  root: { entity: string; before: string; after: string }
  links: Link[]
  /** Single entities that are asked about after the change. */
  asks: { task: AfterTask; entity: string; hop?: number }[]
  tracking: { entity: string; values: string[] }
  triple: { entities: readonly string[]; questions: readonly string[] }
  exact: string
  deleted: string
  considered: { root: string; to: string } | null
  revoked: { root: string; to: string } | null
  /** Entities that are spoken of and never asked about. */
  asides: string[]
}

/** Entities a plan may not use again, and the values it gave out. */
export class EpisodeDraft {
  readonly before = new Map<string, string>()
  readonly links: Link[] = []
  readonly asks: EpisodePlan['asks'] = []
  readonly used = new Set<string>()

  constructor(
    readonly graph: Graph,
    readonly random: Random,
  ) {}

  /** Gives an entity a value that goes with those of its parents. */
  settle(entity: string): string {
    const known = this.before.get(entity)
    if (known !== undefined) return known
    const value = this.random.pick(this.#fitting(entity, this.before))
    this.before.set(entity, value)
    return value
  }

  /** Another value for an entity, fitting the state after a change. */
  another(entity: string, after: ReadonlyMap<string, string>): string | undefined {
    const values = this.#fitting(entity, after).filter((value) => value !== this.before.get(entity))
    return values.length === 0 ? undefined : this.random.pick(values)
  }

  /** Values of an entity that its derivation from a parent and the constraints allow. */
  #fitting(entity: string, state: ReadonlyMap<string, string>): string[] {
    const { data } = this.graph
    const derived = this.graph.parents(entity).flatMap(({ source }) => {
      const table = data.derived?.[`${source}->${entity}`]
      const value = state.get(source)
      return table && value !== undefined ? [table[value] ?? []] : []
    })
    const values = derived[0] ?? this.graph.entity(entity).values.map(({ text }) => text)
    return values.filter((value) => this.#allowed(entity, value, state))
  }

  #allowed(entity: string, value: string, state: ReadonlyMap<string, string>): boolean {
    const now = (id: string) => (id === entity ? value : state.get(id))
    return (this.graph.data.constraints ?? []).every(({ if: cause, then: effect }) => {
      if (cause.entity !== entity && effect.entity !== entity) return true
      const [given, must] = [now(cause.entity), now(effect.entity)]
      if (given === undefined || must === undefined || !cause.values.includes(given)) return true
      return effect.values.includes(must)
    })
  }
}
