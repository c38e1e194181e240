import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { entryOf, groupBy } from '../../base/group-by.js'

/** The two domains of MEME. */
export const DOMAINS = ['personal-life', 'software-project'] as const
export type Domain = (typeof DOMAINS)[number]

const texts = z.array(z.string().min(1))
const byName = z.record(z.string(), texts)

const entity = z.strictObject({
  id: z.string(),
  role: z.enum(['root', 'middle', 'leaf', 'orphan']),
  category: z.string(),
  label: z.string(),
  plural: z.string().optional(),
  cues: texts,
  values: z.array(z.strictObject({ text: z.string().min(1), forms: texts.optional() })),
  facts: texts,
  questions: texts,
  exact: z.literal(true).optional(),
  tracking: texts.optional(),
  updates: texts.optional(),
})

const edge = z.strictObject({
  source: z.string(),
  target: z.string(),
  pattern: z.string(),
  rules: texts,
  conditioned: texts,
})

const setOf = z.strictObject({ entity: z.string(), values: texts })

/** A domain's knowledge graph with everything needed to speak about it: values, sentences, questions. */
export const DomainData = z.strictObject({
  domain: z.enum(DOMAINS),
  entities: z.array(entity),
  edges: z.array(edge),
  /** Per pattern: the fact, and that it would change with its parent. */
  clauses: byName,
  /** Per pattern: the fact and only the reason for it. */
  implicit: byName,
  /** Per source of an edge: a phrase that names its value. */
  parents: byName,
  /** Per root: the change has happened. */
  changes: byName,
  /** Per root: the change was only thought about. */
  considered: byName,
  /** Per root: the change was announced and later taken back. */
  revoked: z.record(z.string(), z.strictObject({ announce: texts, takeBack: texts })),
  deletions: texts,
  deletionsBlind: texts,
  triples: z.array(z.strictObject({ entities: z.tuple([z.string(), z.string(), z.string()]), questions: texts })),
  /** Per `source->target`: which values of the target go with a value of the source. */
  derived: z.record(z.string(), z.record(z.string(), texts)).optional(),
  /** When an entity has one of these values, another has one of those. */
  // biome-ignore lint/suspicious/noThenProperty: a key of the data, never awaited
  constraints: z.array(z.strictObject({ if: setOf, then: setOf })).optional(),
})
export type DomainData = z.infer<typeof DomainData>
export type EntityData = DomainData['entities'][number]
export type EdgeData = DomainData['edges'][number]
export type Role = EntityData['role']

/** The graph of a domain with its indexes. All lists keep the order of the file. */
export interface Graph {
  domain: Domain
  /** Of a user: it may be too small for what the paper does not ask. */
  isOwn?: true
  data: DomainData
  /** Throws when there is no such entity. */
  entity(id: string): EntityData
  edge(source: string, target: string): EdgeData | undefined
  /** Edges that leave an entity. */
  children(id: string): readonly EdgeData[]
  /** Edges that reach an entity. */
  parents(id: string): readonly EdgeData[]
  /** The shortest chain of edges from one entity down to another; undefined when there is none, empty from an entity to itself. */
  path(from: string, to: string): EdgeData[] | undefined
  /** Everything below an entity with its distance, nearest first. */
  descendants(id: string): Map<string, number>
  /** The longest chain of edges that ends at an entity: 0 without a parent. */
  depth(id: string): number
}

const loaded = new Map<Domain, Graph>()

/**
 * The graph of a domain, read once.
 *
 * @example readGraph('personal-life').children('employer').map(({ target }) => target)
 */
export function readGraph(domain: Domain): Graph {
  const file = new URL(`../../corpora/meme/${domain}.json`, import.meta.url)
  return entryOf(loaded, domain, () => graphOf(readData(file, DomainData)))
}

/** Indexes a domain's data. */
export function graphOf(data: DomainData): Graph {
  const entities = new Map(data.entities.map((each) => [each.id, each]))
  const down = groupBy(data.edges, ({ source }) => source)
  const up = groupBy(data.edges, ({ target }) => target)
  const children = (id: string): readonly EdgeData[] => down.get(id) ?? []
  const parents = (id: string): readonly EdgeData[] => up.get(id) ?? []
  const depths = new Map<string, number>()

  /** Breadth first, so that the edge kept for an entity ends a shortest chain. */
  const reach = (from: string): Map<string, EdgeData> => {
    const by = new Map<string, EdgeData>()
    const queue = [from]
    for (const id of queue) {
      for (const each of children(id)) {
        if (each.target === from || by.has(each.target)) continue
        by.set(each.target, each)
        queue.push(each.target)
      }
    }
    return by
  }
  const chain = (by: Map<string, EdgeData>, from: string, to: string): EdgeData[] => {
    const edges: EdgeData[] = []
    for (let at = to; at !== from; at = edges[0]!.source) edges.unshift(by.get(at)!)
    return edges
  }
  const depth = (id: string, above: readonly string[] = []): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    if (above.includes(id)) throw new Error(`The graph of ${data.domain} has a circle through ${id}`)
    const found = Math.max(0, ...parents(id).map(({ source }) => depth(source, [...above, id]) + 1))
    depths.set(id, found)
    return found
  }

  return {
    domain: data.domain,
    data,
    children,
    parents,
    depth: (id) => depth(id),
    entity(id) {
      const found = entities.get(id)
      if (!found) throw new Error(`Expected an entity of ${data.domain}, got ${JSON.stringify(id)}`)
      return found
    },
    edge: (source, target) => children(source).find((each) => each.target === target),
    path(from, to) {
      const by = reach(from)
      return from === to || by.has(to) ? chain(by, from, to) : undefined
    },
    descendants(id) {
      const by = reach(id)
      return new Map([...by.keys()].map((target) => [target, chain(by, id, target).length]))
    },
  }
}
