import type { Scenario, SuiteGraph } from '../../model/index.js'
import { transitiveDependents } from './compile.js'
import type { Episode } from './episode.js'

/** What depends on what in an episode, the change, and what it should have reached. Things that nothing depends on stand alone. */
export function dependencyGraph(episode: Episode, { facts }: Pick<Scenario, 'facts'>): SuiteGraph {
  const { root, statements } = episode
  const reached = new Set(transitiveDependents(episode, root.entity))
  const linked = statements.filter(
    ({ parent, stance }) => parent && (stance === 'dependent' || stance === 'conditional'),
  )
  const entities = [...new Set([root.entity, ...linked.flatMap(({ entity, parent }) => [parent!.entity, entity])])]
  const known = facts.map(({ id }) => id)
  const factsOf = (entity: string) => [
    ...statements.flatMap((one) => (one.entity === entity && known.includes(one.id) ? one.id : [])),
    ...[`resolved:${entity}`, `doubt:${entity}`].filter((id) => known.includes(id)),
  ]
  const first = (entity: string) =>
    statements.find((one) => one.entity === entity && one.stance !== 'conditional')?.value
  return {
    nodes: entities.map((entity) => {
      const value = entity === root.entity ? `${root.before} → ${root.after}` : first(entity)
      const state =
        entity === root.entity ? ('changed' as const) : reached.has(entity) ? ('reached' as const) : undefined
      const label = episode.namesOf(entity)[0] ?? entity
      return { id: entity, label, ...(value && { note: value }), ...(state && { state }), facts: factsOf(entity) }
    }),
    edges: [...new Map(linked.map((one) => [`${one.parent!.entity} ${one.entity}`, one])).values()].map(
      ({ parent, entity, stance }) => ({
        from: parent!.entity,
        to: entity,
        words: stance === 'conditional' ? 'a rule says what it becomes' : 'depends on it',
      }),
    ),
  }
}
