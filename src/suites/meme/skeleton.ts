import type { Domain } from './graph.js'
import type { Released, ReleasedFact } from './published/released.js'
import type { World } from './solver.js'

/** Values of the published pools that stand for "there is none". */
export const NULL_LIKE: ReadonlySet<string> = new Set([
  'freelance',
  'home gym',
  'no insurance',
  'no major purchase planned',
  'no pet',
  'none',
  'none currently',
  'not currently enrolled',
  'not currently learning anything',
  'remote (no commute)',
])

export function domainOf({ domain }: Pick<Released['skeleton'], 'domain'>): Domain {
  return domain === 'personal_life' ? 'personal-life' : 'software-project'
}

/** The rules that were declared, in the order of the file. */
export function rulesOf({ facts }: Pick<Released, 'facts'>): ReleasedFact[] {
  return facts.filter(({ kind }) => kind === 'rule')
}

/** The sentence that gives an entity this value as a fact, if there is one. */
export function statementOf({ facts }: Pick<Released, 'facts'>, entity: string, value: string): string | undefined {
  return facts.find((said) => said.kind === 'fact' && said.entity === entity && said.value === value)?.seed
}

/**
 * What the solver needs of a published episode. Facts are the sentences themselves. Edges come from the episode's list, because three of
 * them are used without ever being said; histories of Tracking are changes that happened.
 */
export function worldOf(released: Released): World {
  const { facts } = released
  const { entities, root, dependency_edges_used } = released.skeleton
  const fact = (said: string | undefined) => said !== undefined && { fact: said }
  const clause = (entity: string, parent: string) =>
    facts.find((each) => each.kind === 'fact' && each.entity === entity && each.parent === parent)?.seed
  const edges = new Map(dependency_edges_used.map((edge) => [`${edge.source}->${edge.target}`, edge]))
  return {
    before: Object.fromEntries(
      Object.entries(entities).flatMap(([id, { before, history }]) => {
        const value = history?.[0] ?? before
        return value === undefined ? [] : [[id, value]]
      }),
    ),
    dependencies: [...edges.values()].map(({ source, target }) => ({
      entity: target,
      parent: source,
      ...fact(clause(target, source)),
    })),
    // A rule of a thing for itself gives it away, which findings tell; nothing follows from it.
    rules: rulesOf(released)
      .map(({ entity, value, seed, parent = root }) => ({ entity, value, parent, fact: seed }))
      .filter(({ entity, parent }) => entity !== parent),
    changes: [
      ...Object.entries(entities).flatMap(([entity, { history = [] }]) =>
        history.slice(1).map((value) => ({ entity, value, ...fact(statementOf(released, entity, value)) })),
      ),
      ...facts.flatMap(({ kind, entity, value, seed }) => (kind === 'change' ? [{ entity, value, fact: seed }] : [])),
    ],
    deletions: facts.flatMap(({ kind, entity, seed }) => (kind === 'delete' ? [{ entity, fact: seed }] : [])),
    nullLike: NULL_LIKE,
  }
}
