import { z } from 'zod'
import type { Domain } from './graph.js'
import type { World } from './solver.js'

const entityState = z.object({
  before: z.string().nullable(),
  after: z.string().nullable(),
  history: z.array(z.string()).optional(),
  cascade_source: z.string().optional(),
})

/** A statement of a published episode: a fact, a rule (`is_if_then`), the change or the deletion (`type`). */
const Said = z.object({
  entity: z.string(),
  value: z.string(),
  gold_fact: z.string(),
  dependency_source: z.string().optional(),
  is_if_then: z.boolean().optional(),
  type: z.enum(['root_change', 'delete']).optional(),
})

const Asked = z.object({
  task_type: z.enum(['ER', 'Agg', 'Tr', 'Del', 'Cas', 'Abs']),
  entity: z.array(z.string()),
  entity_values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  question: z.string(),
  gold_answer: z.string(),
  hop: z.number().optional(),
})

/** A published episode without its dialogue. Other keys of the file are left alone. */
export const Skeleton = z.object({
  episode_id: z.string(),
  domain: z.enum(['personal_life', 'software_project']),
  root: z.string(),
  root_change: z.object({ before: z.string(), after: z.string() }),
  chain_entities: z.array(z.string()),
  entities: z.record(z.string(), entityState),
  dependency_edges_used: z.array(z.object({ source: z.string(), target: z.string(), hop: z.number() })),
  fact_seeds: z.array(Said),
  change_delete_seeds: z.array(Said),
  after_questions: z.array(Asked),
})

export type Skeleton = z.infer<typeof Skeleton>
export type SkeletonQuestion = Skeleton['after_questions'][number]

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

export function domainOf({ domain }: Pick<Skeleton, 'domain'>): Domain {
  return domain === 'personal_life' ? 'personal-life' : 'software-project'
}

/** The rules that were declared, in the order of the file. */
export function rulesOf({ fact_seeds }: Pick<Skeleton, 'fact_seeds'>): Skeleton['fact_seeds'] {
  return fact_seeds.filter(({ is_if_then }) => is_if_then)
}

/** The sentence that gives an entity this value as a fact, if there is one. */
export function statementOf(
  { fact_seeds }: Pick<Skeleton, 'fact_seeds'>,
  entity: string,
  value: string,
): string | undefined {
  return fact_seeds.find((said) => !said.is_if_then && said.entity === entity && said.value === value)?.gold_fact
}

/**
 * What the solver needs of a published episode. Facts are the sentences themselves. Edges come from the episode's list, because three of
 * them are used without ever being said; histories of Tracking are changes that happened.
 */
export function worldOf(episode: Skeleton): World {
  const { entities, fact_seeds, change_delete_seeds } = episode
  const said = (entity: string, parent: string) =>
    fact_seeds.find((each) => !each.is_if_then && each.entity === entity && each.dependency_source === parent)
      ?.gold_fact
  const edges = new Map(episode.dependency_edges_used.map((edge) => [`${edge.source}->${edge.target}`, edge]))
  return {
    before: Object.fromEntries(
      Object.entries(entities).flatMap(([id, { before, history }]) => {
        const value = history?.[0] ?? before
        return value === null ? [] : [[id, value]]
      }),
    ),
    dependencies: [...edges.values()].map(({ source, target }) => ({
      entity: target,
      parent: source,
      ...optional('fact', said(target, source)),
    })),
    rules: rulesOf(episode).map(({ entity, value, gold_fact, dependency_source }) => ({
      entity,
      value,
      parent: dependency_source ?? episode.root,
      fact: gold_fact,
    })),
    changes: [
      ...Object.entries(entities).flatMap(([entity, { history = [] }]) =>
        history.slice(1).map((value) => ({ entity, value, ...optional('fact', statementOf(episode, entity, value)) })),
      ),
      ...change_delete_seeds
        .filter(({ type }) => type === 'root_change')
        .map(({ entity, value, gold_fact }) => ({ entity, value, fact: gold_fact })),
    ],
    deletions: change_delete_seeds
      .filter(({ type }) => type === 'delete')
      .map(({ entity, gold_fact }) => ({ entity, fact: gold_fact })),
    nullLike: NULL_LIKE,
  }
}

function optional<K extends string, T>(key: K, value: T | undefined): { [name in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [name in K]?: T }
}
