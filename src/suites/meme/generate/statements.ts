import type { Random } from '../../../base/random.js'
import type { Statement } from '../episode.js'
import type { EpisodePlan, Link } from './plan.js'

/** The evidence sessions of an episode, in order. */
export const PARTS = ['1a', '1b', '1c', '2', 'change'] as const
export type Part = (typeof PARTS)[number]

/** Something to be said in a part. `asked` when a question may rest on it. */
export interface Saying extends Omit<Statement, 'session'> {
  part: Part
  /** Asks the assistant to forget. */
  forget?: boolean
}

/** Everything that is said in an episode, part by part, in the order in which it is said. */
export function sayings(plan: EpisodePlan, random: Random): Saying[] {
  const { triple, tracking } = plan
  const say = sentences(plan, random)
  const dependents = new Set(plan.links.map(({ edge }) => edge.target))
  const [first, second, third] = tracking.values as [string, string, string]
  const spread = random.shuffle([...triple.entities])
  const parts: Saying[][] = [
    [say.held(spread[0]!, '1a'), say.tracked(first, 0, '1a')],
    [say.held(spread[1]!, '1b'), say.tracked(second, 1, '1b')],
    [say.held(spread[2]!, '1c'), say.tracked(third, 2, '1c')],
  ]
  const roots = [plan.root.entity, plan.considered?.root, plan.revoked?.root].filter((id) => id !== undefined)
  const sources = plan.links.map(({ edge }) => edge.source).filter((id) => !dependents.has(id))
  const asides = plan.asides.slice(0, -2)
  const others = random.shuffle([...new Set([...roots, ...sources, plan.deleted, ...asides])])
  for (const [i, entity] of others.entries()) {
    const part = PARTS[i % 3]!
    const list = parts[i % 3]!
    // The first value of a series comes in the order of the parts; other facts may stand before or after it.
    list.splice(random.below(list.length + 1), 0, say.held(entity, part))
  }
  const told = random.shuffle([
    ...plan.links.map((link) => [say.clause(link), ...link.rules.map((_, i) => say.rule(link, i))]),
    [say.exact()],
  ])
  const [aside, lastAside] = plan.asides.slice(-2)
  const events: Saying[] = [say.change()]
  if (aside !== undefined) events.push(say.held(aside, 'change'))
  if (plan.considered) events.push(say.considered(plan.considered))
  if (plan.revoked) events.push(say.announce(plan.revoked))
  events.push(say.removal())
  if (plan.revoked) events.push(say.takeBack(plan.revoked))
  if (lastAside !== undefined) events.push(say.held(lastAside, 'change'))
  return [...parts.flat(), ...told.flat(), ...events]
}

function sentences(plan: EpisodePlan, random: Random) {
  const { graph, before, root, tracking } = plan
  const { data } = graph
  const startOf = (entity: string) => before.get(entity)!
  const written = (template: string, slots: Record<string, string>) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole)
  const pick = (list: readonly string[], slots: Record<string, string>) => written(random.pick(list), slots)
  const fact = (entity: string) => pick(graph.entity(entity).facts, { value: startOf(entity) })
  const held = (entity: string, part: Part): Saying => ({
    id: `value:${entity}`,
    stance: 'held',
    entity,
    value: startOf(entity),
    text: fact(entity),
    part,
  })
  const event = (id: string, stance: Saying['stance'], entity: string, value: string, text: string): Saying => ({
    id,
    stance,
    entity,
    value,
    text,
    part: 'change',
  })
  const of = (entity: string, to: string) => ({ before: startOf(entity), after: to })
  return {
    held,
    tracked(value: string, place: number, part: Part): Saying {
      const { id, facts, updates } = graph.entity(tracking.entity)
      const text = pick(place === 0 ? facts : updates!, { value })
      return { id: `track:${id}:${place + 1}`, stance: place === 0 ? 'held' : 'changed', entity: id, value, text, part }
    },
    exact: (): Saying => ({ ...held(plan.exact, '2'), id: `exact:${plan.exact}`, exact: true }),
    clause({ edge, clause }: Link): Saying {
      if (clause === 'none') return held(edge.target, '2')
      const parent = pick(data.parents[edge.source]!, { value: startOf(edge.source) })
      const shapes = (clause === 'implicit' ? data.implicit : data.clauses)[edge.pattern]!
      const text = pick(shapes, { fact: fact(edge.target).replace(/[.!]$/, ''), parent })
      return {
        id: `dep:${edge.target}`,
        stance: 'dependent',
        entity: edge.target,
        value: startOf(edge.target),
        parent: { entity: edge.source, value: startOf(edge.source) },
        text,
        part: '2',
      }
    },
    rule({ edge, rules }: Link, place: number): Saying {
      const { after, when } = rules[place]!
      const text = pick(when === undefined ? edge.rules : edge.conditioned, { after, when: when ?? '' })
      return {
        id: when === undefined ? `rule:${edge.target}` : `rule:${edge.target}:${place + 1}`,
        stance: 'conditional',
        entity: edge.target,
        value: after,
        parent: { entity: edge.source, ...(when !== undefined && { becomes: when }) },
        text,
        part: '2',
      }
    },
    change: () =>
      event(`change:${root.entity}`, 'changed', root.entity, root.after, pick(data.changes[root.entity]!, root)),
    considered: ({ root: entity, to }: NonNullable<EpisodePlan['considered']>) =>
      event(`considered:${entity}`, 'considered', entity, to, pick(data.considered[entity]!, of(entity, to))),
    announce: ({ root: entity, to }: NonNullable<EpisodePlan['revoked']>) =>
      event(`announced:${entity}`, 'changed', entity, to, pick(data.revoked[entity]!.announce, of(entity, to))),
    takeBack: ({ root: entity, to }: NonNullable<EpisodePlan['revoked']>) =>
      event(`revoked:${entity}`, 'revoked', entity, to, pick(data.revoked[entity]!.takeBack, of(entity, to))),
    removal(): Saying {
      const { id, label } = graph.entity(plan.deleted)
      const blind = random.random() < 0.5
      const text = pick(blind ? data.deletionsBlind : data.deletions, { label, value: startOf(id) })
      return { ...event(`delete:${id}`, 'removed', id, startOf(id), text), forget: true }
    },
  }
}
