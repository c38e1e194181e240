import { UserError } from '../../../base/errors.js'
import { Random } from '../../../base/random.js'
import type { ControlTask } from '../episode.js'
import type { Graph } from '../graph.js'
import { addClause, layChain } from './chain.js'
import { EpisodeDraft, type EpisodePlan } from './plan.js'
import { triplesFor } from './triples.js'

const MOST_TRIES = 60
const TRIES_PER_TRIPLE = 15
const MOST_ASIDES = 5
const LEAST_ASIDES = 3

/**
 * Plans one episode. Roots and triples take turns, the rest is drawn; a draw that leaves a task without entities is thrown away.
 *
 * @param index number of the episode within its domain
 */
export function planEpisode(graph: Graph, seed: string, index: number): EpisodePlan {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const random = new Random(`${seed} ${graph.domain} ${index} ${attempt}`)
    const plan = tryPlan(graph, random, index, seed, Math.floor(attempt / TRIES_PER_TRIPLE))
    if (plan) return plan
  }
  const why = `No episode ${index} of ${graph.domain} could be planned in ${MOST_TRIES} tries`
  if (!graph.isOwn) throw new Error(why)
  throw new UserError(
    `${why}: the graph is too small.`,
    'It needs a root with two dependants, and apart from them a triple, an entity with "plural" and an orphan to delete, each free of the others.',
  )
}

function tryPlan(graph: Graph, random: Random, index: number, seed: string, choice: number): EpisodePlan | null {
  const draft = new EpisodeDraft(graph, random)
  const roots = byTurns(rootsOf(graph), index, `${seed} roots`)
  const triple = triplesFor(graph, byTurns(rootsOf(graph), 0, `${seed} roots`), index, seed)[choice]
  const chain = layChain(draft, roots[0]!)
  if (!chain || !triple) return null
  const others = random.shuffle(roots.slice(1))
  // Nothing that the change reaches may serve as a control.
  for (const entity of graph.descendants(chain.root.entity).keys()) draft.used.add(entity)
  for (const entity of triple.entities) take(draft, entity)
  // Those are no tasks of the paper: a graph of a user need not have room for them.
  const control = (task: ControlTask) => (graph.isOwn ? null : addControl(draft, others, task))
  const unchanged = control('control-unchanged')
  const hypothetical = control('control-hypothetical')
  const revoked = control('control-revoked')
  if (unchanged === undefined || hypothetical === undefined || revoked === undefined) return null
  const exact = graph.data.entities.find((entity) => entity.exact)!.id
  draft.used.add(exact)
  draft.before.set(exact, exactValue(graph, exact, index, seed))
  const tracked = draw(draft, ({ plural, values }) => plural !== undefined && values.length >= 3)
  const deleted = draw(draft, ({ role }) => role === 'orphan')
  if (tracked === undefined || deleted === undefined) return null
  take(draft, deleted)
  const values = random.shuffle(graph.entity(tracked).values.map(({ text }) => text)).slice(0, 3)
  const asides: string[] = []
  for (let i = 0; i < MOST_ASIDES; i++) {
    const aside = draw(draft, ({ role }) => role === 'orphan')
    if (aside === undefined) break
    take(draft, aside)
    asides.push(aside)
  }
  if (!graph.isOwn && asides.length < LEAST_ASIDES) return null
  return {
    graph,
    before: draft.before,
    root: chain.root,
    links: draft.links,
    asks: draft.asks,
    tracking: { entity: tracked, values },
    triple,
    exact,
    deleted,
    considered: hypothetical === null ? null : { root: hypothetical, to: draft.another(hypothetical, new Map())! },
    revoked: revoked === null ? null : { root: revoked, to: draft.another(revoked, new Map())! },
    asides,
  }
}

/** A dependent of another root, which keeps its value. The root is taken from the list. */
function addControl(draft: EpisodeDraft, roots: string[], task: ControlTask): string | undefined {
  const { graph, random } = draft
  for (const [i, root] of roots.entries()) {
    if (draft.used.has(root)) continue
    const edge = random.shuffle([...graph.children(root)]).find(({ target }) => !draft.used.has(target))
    if (!edge) continue
    roots.splice(i, 1)
    draft.used.add(root)
    addClause(draft, edge, 'explicit')
    draft.asks.push({ task, entity: edge.target, hop: 1 })
    return root
  }
  return undefined
}

function take(draft: EpisodeDraft, entity: string): void {
  draft.used.add(entity)
  draft.settle(entity)
}

function draw(draft: EpisodeDraft, fits: (entity: Graph['data']['entities'][number]) => boolean): string | undefined {
  const free = draft.graph.data.entities.filter((entity) => !draft.used.has(entity.id) && !entity.exact && fits(entity))
  if (free.length === 0) return undefined
  const { id } = draft.random.pick(free)
  draft.used.add(id)
  return id
}

function rootsOf(graph: Graph): string[] {
  return graph.data.entities.filter(({ role }) => role === 'root').map(({ id }) => id)
}

/** A list in an order of its own, begun at another place for every index, so that each comes first equally often. */
function byTurns<T>(list: readonly T[], index: number, seed: string): T[] {
  const shuffled = new Random(seed).shuffle([...list])
  const start = index % shuffled.length
  return [...shuffled.slice(start), ...shuffled.slice(0, start)]
}

/** Exact strings are dealt out in turn, so that none comes back before all were used. */
function exactValue(graph: Graph, entity: string, index: number, seed: string): string {
  return byTurns(graph.entity(entity).values, index, `${seed} exact`)[0]!.text
}
