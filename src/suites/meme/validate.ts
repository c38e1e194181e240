import { repeated } from '../lint-report.js'
import { type DomainData, type EntityData, graphOf, type Role } from './graph.js'
import { cueFindings, valueFindings } from './validate-text.js'

/** What is wrong with a domain file, where, and in a sentence. */
export interface EpisodeFinding {
  path: string
  why: string
}

/** Size of each graph as the paper gives it: entities a role, edges, patterns, triples. */
const SIZES: Record<
  DomainData['domain'],
  { roles: Record<Role, number>; edges: number; patterns: number; triples: number }
> = {
  'personal-life': { roles: { root: 5, middle: 5, leaf: 19, orphan: 10 }, edges: 34, patterns: 11, triples: 9 },
  'software-project': { roles: { root: 5, middle: 6, leaf: 21, orphan: 19 }, edges: 27, patterns: 6, triples: 5 },
}

/**
 * Everything that would make a domain's episodes wrong or ambiguous: shape of the graph, missing phrasing, placeholders, values outside
 * their pool and values that cannot be told apart in a text. An empty list means the domain can be used. A graph of a user's own may have
 * less of everything.
 */
export function validate(data: DomainData, isOwn = false): EpisodeFinding[] {
  return [
    ...(isOwn ? emptyFindings(data) : sizeFindings(data)),
    ...graphFindings(data),
    ...phraseFindings(data, isOwn),
    ...poolFindings(data),
    ...cueFindings(data),
    ...valueFindings(data),
  ]
}

function emptyFindings({ entities, triples }: DomainData): EpisodeFinding[] {
  return [
    ...(entities.some(({ role }) => role === 'root') ? [] : [{ path: 'entities', why: 'Expected a root, got none.' }]),
    ...(triples.length > 0 ? [] : [{ path: 'triples', why: 'Expected 1 or more, got none.' }]),
  ]
}

function sizeFindings(data: DomainData): EpisodeFinding[] {
  const found: EpisodeFinding[] = []
  const size = SIZES[data.domain]
  const count = (path: string, what: string, expected: number, got: number) => {
    if (got !== expected) found.push({ path, why: `Expected ${expected} ${what}, got ${got}.` })
  }
  for (const [role, expected] of Object.entries(size.roles)) {
    count('entities', `of role ${role}`, expected, data.entities.filter((each) => each.role === role).length)
  }
  count('edges', 'edges', size.edges, data.edges.length)
  count('edges', 'patterns', size.patterns, new Set(data.edges.map(({ pattern }) => pattern)).size)
  if (data.triples.length < size.triples) count('triples', 'triples or more', size.triples, data.triples.length)
  return found
}

function graphFindings(data: DomainData): EpisodeFinding[] {
  const found: EpisodeFinding[] = []
  const exact = data.entities.filter((each) => each.exact).length
  if (exact !== 1) found.push({ path: 'entities', why: `Expected 1 exact entity, got ${exact}.` })

  const ids = data.entities.map(({ id }) => id)
  for (const id of repeated(ids)) found.push({ path: `entities.${id}`, why: 'The id occurs twice.' })
  for (const label of repeated(data.entities.map((each) => each.label))) {
    found.push({ path: 'entities', why: `The label "${label}" occurs twice.` })
  }
  for (const name of repeated(data.edges.map(({ source, target }) => `${source}->${target}`))) {
    found.push({ path: `edges.${name}`, why: 'The edge occurs twice.' })
  }
  const known = new Set(ids)
  const unknown = (path: string, names: readonly string[]) => {
    for (const name of names) if (!known.has(name)) found.push({ path, why: `There is no entity "${name}".` })
  }
  for (const [i, { source, target }] of data.edges.entries()) unknown(`edges[${i}]`, [source, target])
  for (const [i, { entities }] of data.triples.entries()) unknown(`triples[${i}]`, entities)
  if (found.some(({ why }) => why.startsWith('There is no entity'))) return found

  const graph = graphOf(data)
  for (const { id, role } of data.entities) {
    const wrong = roleMismatch(role, graph.parents(id).length, graph.children(id).length)
    if (wrong) found.push({ path: `entities.${id}.role`, why: wrong })
    try {
      graph.depth(id)
    } catch (error) {
      found.push({ path: `entities.${id}`, why: (error as Error).message })
    }
  }
  return found
}

/** Middles and leaves may lack a parent: the paper's graph has both (a pet, a vehicle). */
function roleMismatch(role: Role, parents: number, children: number): string | undefined {
  if (role === 'root' && (parents > 0 || children === 0)) return 'A root has children and no parent.'
  if (role === 'middle' && children === 0) return 'A middle has children.'
  if (role === 'leaf' && children > 0) return 'A leaf has no children.'
  if (role === 'orphan' && parents + children > 0) return 'An orphan has no edges.'
  return undefined
}

function phraseFindings(data: DomainData, isOwn: boolean): EpisodeFinding[] {
  const found: EpisodeFinding[] = []
  /** Every template has all the `must` placeholders, once, and none besides the `may` ones. */
  const check = (
    path: string,
    list: readonly string[] | undefined,
    usual: number,
    must: string[],
    may: string[] = [],
  ) => {
    const least = isOwn ? 1 : usual
    if ((list?.length ?? 0) < least) found.push({ path, why: `Expected ${least} or more, got ${list?.length ?? 0}.` })
    for (const text of repeated(list ?? [])) found.push({ path, why: `"${text}" occurs twice.` })
    list?.forEach((text, i) => {
      const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)
      for (const name of must) {
        const times = names.filter((each) => each === name).length
        if (times !== 1) found.push({ path: `${path}[${i}]`, why: `Expected {${name}} once, got it ${times} times.` })
      }
      for (const name of names) {
        if (![...must, ...may].includes(name))
          found.push({ path: `${path}[${i}]`, why: `{${name}} has no meaning here.` })
      }
    })
  }
  const keys = (path: string, record: object, expected: Iterable<string>) => {
    const wanted = new Set(expected)
    for (const key of wanted) if (!(key in record)) found.push({ path: `${path}.${key}`, why: 'It is missing.' })
    for (const key of Object.keys(record)) {
      if (!wanted.has(key)) found.push({ path: `${path}.${key}`, why: 'Nothing in the graph has this name.' })
    }
  }

  for (const each of data.entities) {
    const at = `entities.${each.id}`
    check(`${at}.cues`, each.cues, 3, [])
    check(`${at}.facts`, each.facts, 3, ['value'])
    check(`${at}.questions`, each.questions, 3, [])
    if (each.plural !== undefined) {
      check(`${at}.tracking`, each.tracking, 3, [])
      check(`${at}.updates`, each.updates, 3, ['value'])
    }
    const least = isOwn ? ownLeast(each) : leastValues(each)
    if (each.values.length < least) {
      found.push({ path: `${at}.values`, why: `Expected ${least} or more, got ${each.values.length}.` })
    }
  }
  for (const each of data.edges) {
    const at = `edges.${each.source}->${each.target}`
    check(`${at}.rules`, each.rules, 3, ['after'])
    check(`${at}.conditioned`, each.conditioned, 2, ['when', 'after'])
  }
  const patterns = data.edges.map(({ pattern }) => pattern)
  const roots = data.entities.filter(({ role }) => role === 'root').map(({ id }) => id)
  keys('clauses', data.clauses, patterns)
  keys('implicit', data.implicit, patterns)
  keys('parents', data.parents, new Set(data.edges.map(({ source }) => source)))
  for (const name of ['changes', 'considered', 'revoked'] as const) keys(name, data[name], roots)
  for (const [name, list] of Object.entries(data.clauses)) check(`clauses.${name}`, list, 3, ['fact', 'parent'])
  for (const [name, list] of Object.entries(data.implicit)) check(`implicit.${name}`, list, 2, ['fact', 'parent'])
  for (const [name, list] of Object.entries(data.parents)) check(`parents.${name}`, list, 2, ['value'])
  for (const [name, list] of Object.entries(data.changes)) check(`changes.${name}`, list, 4, ['after'], ['before'])
  for (const [name, list] of Object.entries(data.considered))
    check(`considered.${name}`, list, 4, ['after'], ['before'])
  for (const [name, { announce, takeBack }] of Object.entries(data.revoked)) {
    check(`revoked.${name}.announce`, announce, 3, ['after'], ['before'])
    check(`revoked.${name}.takeBack`, takeBack, 3, ['before'], ['after'])
  }
  check('deletions', data.deletions, 8, ['label', 'value'])
  check('deletionsBlind', data.deletionsBlind, 4, ['label'])
  for (const [i, { questions }] of data.triples.entries()) check(`triples[${i}].questions`, questions, 3, [])
  return found
}

/** What there is to choose from: a series has three values, a change another than before. */
function ownLeast({ exact }: EntityData): number {
  return exact ? 1 : 3
}

function leastValues({ exact, role }: EntityData): number {
  if (exact) return 50
  return role === 'root' ? 12 : 8
}

/** Values named by derivations and constraints must be in the pool of their entity. */
function poolFindings(data: DomainData): EpisodeFinding[] {
  const found: EpisodeFinding[] = []
  const pools = new Map(data.entities.map(({ id, values }) => [id, new Set(values.map(({ text }) => text))]))
  const inPool = (path: string, id: string, values: readonly string[]) => {
    const pool = pools.get(id)
    if (!pool) found.push({ path, why: `There is no entity "${id}".` })
    for (const value of values) {
      if (pool && !pool.has(value)) found.push({ path, why: `"${value}" is not a value of ${id}.` })
    }
  }
  for (const [name, table] of Object.entries(data.derived ?? {})) {
    const path = `derived.${name}`
    const edge = data.edges.find(({ source, target }) => `${source}->${target}` === name)
    if (!edge) {
      found.push({ path, why: 'There is no such edge.' })
      continue
    }
    inPool(path, edge.source, Object.keys(table))
    for (const value of pools.get(edge.source) ?? []) {
      const followers = table[value] ?? []
      if (followers.length < 2)
        found.push({ path, why: `Expected 2 or more values for "${value}", got ${followers.length}.` })
      inPool(path, edge.target, followers)
    }
  }
  data.constraints?.forEach((each, i) => {
    inPool(`constraints[${i}].if`, each.if.entity, each.if.values)
    inPool(`constraints[${i}].then`, each.then.entity, each.then.values)
  })
  return found
}
