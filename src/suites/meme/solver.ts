/** A clause: the entity depends on its parent. `fact` is the id of what was said, when it was said. */
export interface Dependency {
  entity: string
  parent: string
  fact?: string
}

/** A declared rule: when the parent changes (or becomes `when`), the entity will have this value. */
export interface DerivationRule extends Dependency {
  value: string
  when?: string
}

/** A change somebody spoke of. Only one that was done, and not taken back, moves anything. */
export interface Change {
  entity: string
  value: string
  status?: 'done' | 'considered' | 'revoked'
  fact?: string
}

/** What was told, as the solver needs it: values before, what hangs on what, and what happened, in order. */
export interface World {
  before: Readonly<Record<string, string>>
  dependencies: readonly Dependency[]
  rules: readonly DerivationRule[]
  changes: readonly Change[]
  deletions: readonly { entity: string; fact?: string }[]
  /** Rule values that mean "there is none" and are kept as values; a solution notes them. */
  nullLike?: ReadonlySet<string>
}

/** One step of an explanation; `fact` is the id of the statement it rests on. */
export interface Reason {
  kind: 'change' | 'considered' | 'revoked' | 'rule' | 'dependency' | 'deletion' | 'stays'
  fact?: string
  says: string
}

/** Why a state is unknown: no rule, a rule whose parent is itself unknown, or rules that disagree. */
export type Doubt = 'no-rule' | 'unknown-parent' | 'rules-disagree'

/** What holds for an entity in the end, with the chain of reasons from the first change down to it. */
export type SolvedState =
  | { kind: 'unchanged'; value: string | undefined; why: Reason[] }
  | { kind: 'value'; value: string; previously: string | undefined; why: Reason[] }
  | { kind: 'unknown'; previously: string | undefined; doubt: Doubt; why: Reason[] }
  | { kind: 'deleted'; previously: string | undefined; by: 'request' | 'rule'; why: Reason[] }

/** Something worth reporting about the declared rules; it never alters a state. */
export interface SolverNote {
  entity: string
  kind: 'null-like-value' | 'literal-deleted' | 'same-value' | 'rules-disagree'
  says: string
}

export interface Solution {
  states: Map<string, SolvedState>
  notes: SolverNote[]
}

/**
 * Propagates changes through what was declared (Eq. 1 of the paper, recursively): a dependent whose parent really changes takes the value
 * of its rule, is unknown without one, and stays as it is when no parent changes. A rule that gives the value already held is no change,
 * so nothing below it moves. Changes that were only considered or were revoked move nothing. Deletions hide a value; they change no other.
 *
 * @example solve({ before: { job: 'A', desk: 'D1' }, dependencies: [{ entity: 'desk', parent: 'job' }], rules: [],
 *   changes: [{ entity: 'job', value: 'B' }], deletions: [] }).states.get('desk') // { kind: 'unknown', previously: 'D1', … }
 */
export function solve(world: World): Solution {
  const states = new Map<string, SolvedState>()
  const notes: SolverNote[] = []
  const named = [...world.dependencies, ...world.rules].flatMap(({ entity, parent }) => [entity, parent])
  for (const id of [
    ...Object.keys(world.before),
    ...named,
    ...[...world.changes, ...world.deletions].map((e) => e.entity),
  ]) {
    if (!states.has(id)) states.set(id, { kind: 'unchanged', value: world.before[id], why: [] })
  }
  for (const change of world.changes) {
    const after =
      (change.status ?? 'done') === 'done' ? happen(world, states, change, notes) : idle(world, states, change)
    for (const [id, state] of after) states.set(id, state)
  }
  for (const { entity, fact } of world.deletions) {
    const why = [reason('deletion', fact, `the user asked to delete ${entityWords(entity)}`)]
    states.set(entity, { kind: 'deleted', previously: lastKnown(states.get(entity)!), by: 'request', why })
  }
  return { states, notes }
}

/** The reasons of a state as one sentence. */
export function explain(why: readonly Reason[]): string {
  const text = why.map(({ says }) => says).join('; ')
  return text === '' ? 'Nothing it depends on changed.' : `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

/** The statements an explanation rests on, in its order. */
export function factsOf(why: readonly Reason[]): string[] {
  return [...new Set(why.flatMap(({ fact }) => fact ?? []))]
}

/** The value that was last known to hold. */
export function lastKnown(state: SolvedState): string | undefined {
  return state.kind === 'unchanged' || state.kind === 'value' ? state.value : state.previously
}

/** The name of an entity in running text. */
export function entityWords(entity: string): string {
  return entity.replaceAll('_', ' ')
}

interface Step {
  state: SolvedState
  moved: boolean
}

/** All states one real change touches. */
function happen(
  world: World,
  states: ReadonlyMap<string, SolvedState>,
  change: Change,
  notes: SolverNote[],
): Map<string, SolvedState> {
  const steps = new Map<string, Step>()
  const open = new Set<string>()
  const step = (id: string): Step => {
    const known = steps.get(id)
    if (known) return known
    if (open.has(id)) throw new Error(`Expected dependencies without a circle, got one through ${id}`)
    open.add(id)
    const found =
      id === change.entity ? direct(states.get(id)!, change) : follow(world, id, states.get(id)!, step, notes)
    open.delete(id)
    steps.set(id, found)
    return found
  }
  return new Map([...states.keys()].map((id) => [id, step(id).state]))
}

function direct(held: SolvedState, { entity, value, fact }: Change): Step {
  const old = lastKnown(held)
  const same = (held.kind === 'unchanged' || held.kind === 'value') && held.value === value
  if (same) return { state: held, moved: false }
  const from = old === undefined ? '' : ` from "${old}"`
  const why = [reason('change', fact, `${entityWords(entity)} changed${from} to "${value}"`)]
  return { state: { kind: 'value', value, previously: old, why }, moved: true }
}

/** What a change above an entity does to it. */
function follow(world: World, id: string, held: SolvedState, step: (id: string) => Step, notes: SolverNote[]): Step {
  const rules = world.rules.filter(({ entity }) => entity === id)
  const clauses = world.dependencies.filter(({ entity }) => entity === id)
  const parents = [...new Set([...clauses, ...rules].map(({ parent }) => parent))]
  const moved = parents.filter((parent) => step(parent).moved)
  if (moved.length === 0) return { state: stays(held, parents, step), moved: false }

  const firing = rules.filter(({ parent, when }) => moved.includes(parent) && fires(step(parent).state, when))
  const values = new Set(firing.map(({ value }) => value))
  const previously = lastKnown(held)
  if (values.size === 1) return settle(world, id, held, firing[0]!, step(firing[0]!.parent).state.why, notes)

  const unknown = (doubt: Doubt, why: Reason[]): Step => ({
    state: { kind: 'unknown', previously, doubt, why },
    moved: true,
  })
  if (values.size > 1) {
    const says = `the rules for ${entityWords(id)} disagree: ${[...values].map((value) => `"${value}"`).join(', ')}`
    notes.push({ entity: id, kind: 'rules-disagree', says })
    const above = firing.flatMap(({ parent }) => step(parent).state.why)
    return unknown('rules-disagree', unique([...above, ...firing.map(saysRule)]))
  }
  const clause = clauses.find(({ parent }) => moved.includes(parent))
  const waiting = rules.find(({ parent, when }) => moved.includes(parent) && when === undefined)
  if (waiting) return unknown('unknown-parent', [...step(waiting.parent).state.why, saysRule(waiting)])
  if (!clause) return { state: held, moved: false }
  const says = `${entityWords(id)} depends on ${entityWords(clause.parent)} and no rule says what it becomes`
  return unknown('no-rule', [...step(clause.parent).state.why, reason('dependency', clause.fact, says)])
}

/** A rule fires on a parent that is known to have changed; a conditioned one only on its value. */
function fires(parent: SolvedState, when: string | undefined): boolean {
  if (parent.kind === 'unknown') return false
  return when === undefined || (parent.kind === 'value' && parent.value === when)
}

function settle(
  world: World,
  id: string,
  held: SolvedState,
  rule: DerivationRule,
  above: readonly Reason[],
  notes: SolverNote[],
): Step {
  const why = [...above, saysRule(rule)]
  const previously = lastKnown(held)
  if (rule.value === 'deleted') {
    notes.push({
      entity: id,
      kind: 'literal-deleted',
      says: `the rule for ${entityWords(id)} gives "deleted" as if it were a value`,
    })
    return { state: { kind: 'deleted', previously, by: 'rule', why }, moved: held.kind !== 'deleted' }
  }
  if (world.nullLike?.has(rule.value)) {
    notes.push({ entity: id, kind: 'null-like-value', says: `the rule for ${entityWords(id)} gives "${rule.value}"` })
  }
  const same = (held.kind === 'unchanged' || held.kind === 'value') && held.value === rule.value
  if (same) {
    notes.push({
      entity: id,
      kind: 'same-value',
      says: `the rule for ${entityWords(id)} gives "${rule.value}", which it is already`,
    })
    return { state: { ...held, why }, moved: false }
  }
  return { state: { kind: 'value', value: rule.value, previously, why }, moved: true }
}

/** Tells why nothing moved when something above did, as far as the parents know. */
function stays(held: SolvedState, parents: readonly string[], step: (id: string) => Step): SolvedState {
  if (held.kind !== 'unchanged' || held.why.length > 0) return held
  const parent = parents.find((each) => step(each).state.why.length > 0)
  if (parent === undefined) return held
  const says = `${entityWords(parent)} is what it was, so nothing that depends on it changes`
  return { ...held, why: unique([...step(parent).state.why, reason('stays', undefined, says)]) }
}

/** A change that did not happen: unchanged entities at and below it say so. */
function idle(world: World, states: ReadonlyMap<string, SolvedState>, change: Change): Map<string, SolvedState> {
  const kind = change.status === 'revoked' ? 'revoked' : 'considered'
  const how = kind === 'revoked' ? 'was announced and taken back' : 'was only considered'
  const why = [reason(kind, change.fact, `the change of ${entityWords(change.entity)} to "${change.value}" ${how}`)]
  const below = new Set([change.entity])
  for (const id of below) {
    for (const { entity, parent } of [...world.dependencies, ...world.rules]) if (parent === id) below.add(entity)
  }
  const after = new Map<string, SolvedState>()
  for (const id of below) {
    const held = states.get(id)!
    if (held.kind === 'unchanged') after.set(id, { ...held, why: unique([...held.why, ...why]) })
  }
  return after
}

function saysRule({ entity, parent, value, when, fact }: DerivationRule): Reason {
  const condition =
    when === undefined ? `when ${entityWords(parent)} changes` : `when ${entityWords(parent)} becomes "${when}"`
  return reason('rule', fact, `by rule, ${condition}, ${entityWords(entity)} will be "${value}"`)
}

function reason(kind: Reason['kind'], fact: string | undefined, says: string): Reason {
  return fact === undefined ? { kind, says } : { kind, fact, says }
}

function unique(why: readonly Reason[]): Reason[] {
  return [...new Map(why.map((each) => [each.says, each])).values()]
}
