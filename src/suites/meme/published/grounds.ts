import type { AfterTask, Statement } from '../episode.js'
import { factsOf, type Solution } from '../solver.js'
import type { Released } from './released.js'
import { statementsOf, unsupportedStatement } from './statements.js'

/** What questions of a published episode rest on. What nobody said is made up as a statement that is marked so. */
export class Grounds {
  readonly unsaid: Statement[] = []
  readonly #statements: readonly Statement[]
  readonly #bySeed: ReadonlyMap<string, string>
  /** Where dependencies and rules are told, and where what is missing should have been. */
  readonly #session: string

  constructor(
    readonly released: Released,
    statements: readonly Statement[],
    readonly solution: Solution,
  ) {
    this.#statements = statements
    const bound = statements.find(({ stance }) => stance === 'dependent' || stance === 'conditional')
    this.#session = (bound ?? statements[0]!).session
    const ids = statementsOf(released).map(({ id }) => id)
    this.#bySeed = new Map(released.facts.map(({ seed }, i) => [seed, ids[i]!]))
  }

  /** The statement that gives an entity a value at first. */
  held(entity: string, value: string): string {
    const found = this.#find(entity, ['held', 'dependent'], value)
    return found ?? this.#missing(`value:${entity}`, { stance: 'held', entity, value })
  }

  /** Why some of these cannot be relied on, if that is so. */
  lacking(ids: readonly string[]): string | undefined {
    return [...this.#statements, ...this.unsaid].find(({ id, unsupported }) => unsupported && ids.includes(id))
      ?.unsupported
  }

  /** Statements that suffice together for what a question expects. */
  needs(task: AfterTask, entities: readonly string[], values: readonly string[]): string[] {
    const entity = entities[0]!
    switch (task) {
      case 'aggregation':
        return entities.flatMap((id, i) => this.#member(id, values[i]!))
      case 'tracking':
        return values.map((value, i) => this.#tracked(entity, value, i))
      case 'deletion':
        return [
          this.#find(entity, ['removed']) ??
            this.#missing(`delete:${entity}`, { stance: 'removed', entity, value: values[0]! }),
        ]
      case 'cascade':
        return this.#follows(entity, 'value') ?? [this.#change(), ...this.#path(entity, 'rule')]
      case 'absence':
        return this.#follows(entity, 'unknown') ?? [this.#change(), ...this.#path(entity, 'clause')]
      default:
        return [this.held(entity, values[0]!)]
    }
  }

  /** A member of an aggregation may have come by its value through the change. */
  #member(entity: string, value: string): string[] {
    const state = this.solution.states.get(entity)
    const isNew = state?.kind === 'value' && state.value === value
    return (isNew ? this.#follows(entity, 'value') : undefined) ?? [this.held(entity, value)]
  }

  /** What the solver's own result rests on, when it is of the expected kind and all of it was said. */
  #follows(entity: string, kind: 'value' | 'unknown'): string[] | undefined {
    const state = this.solution.states.get(entity)
    if (state?.kind !== kind || state.why.some(({ fact }) => fact === undefined)) return undefined
    return factsOf(state.why).map((seed) => this.#bySeed.get(seed)!)
  }

  /** The links from the root down to an entity: rules where there are any, and at the end a rule or a clause. */
  #path(entity: string, end: 'rule' | 'clause', seen: readonly string[] = []): string[] {
    const { root, dependency_edges_used, entities } = this.released.skeleton
    const rule = this.#link(entity, 'conditional')
    const clause = this.#link(entity, 'dependent')
    const link = end === 'rule' ? (rule ?? clause) : clause
    const edge = dependency_edges_used.find(({ target }) => target === entity)
    const parent = link?.parent?.entity ?? edge?.source ?? root
    const id =
      link?.id ??
      this.#missing(`dep:${entity}`, {
        stance: 'dependent',
        entity,
        value: entities[entity]?.before ?? '',
        parent: { entity: parent },
      })
    if (parent === root || seen.includes(parent)) return [id]
    return [...this.#path(parent, 'rule', [...seen, entity]), id]
  }

  #change(): string {
    const { root, root_change } = this.released.skeleton
    return (
      this.#find(root, ['changed'], root_change.after) ??
      this.#missing(`change:${root}`, { stance: 'changed', entity: root, value: root_change.after })
    )
  }

  #tracked(entity: string, value: string, place: number): string {
    const stance = place === 0 ? 'held' : 'changed'
    return (
      this.#find(entity, ['held', 'changed'], value) ??
      this.#missing(`track:${entity}:${place + 1}`, { stance, entity, value })
    )
  }

  #link(entity: string, stance: 'conditional' | 'dependent'): Statement | undefined {
    return this.#statements.find((one) => one.entity === entity && one.stance === stance)
  }

  #find(entity: string, stances: readonly Statement['stance'][], value?: string): string | undefined {
    return this.#statements.find(
      (one) => one.entity === entity && stances.includes(one.stance) && (value === undefined || one.value === value),
    )?.id
  }

  #missing(id: string, bare: Omit<Statement, 'id' | 'text' | 'session'>): string {
    if (!this.unsaid.some((one) => one.id === id)) this.unsaid.push(unsupportedStatement(id, this.#session, bare))
    return id
  }
}
