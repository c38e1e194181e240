import type { EdgeData } from '../graph.js'
import type { EpisodeDraft, EpisodePlan, Link } from './plan.js'

/** What the change of the root brings about, as far as rules tell. */
export interface Chain {
  root: EpisodePlan['root']
  after: Map<string, string>
}

/**
 * Lays the dependents of the root: one with a rule and one without at the first hop, the same at the second where the graph has one, one
 * whose rule names the new value, and one whose dependency is only hinted at. Null when the graph offers too little.
 */
export function layChain(draft: EpisodeDraft, root: string): Chain | null {
  const { graph, random } = draft
  draft.used.add(root)
  const before = draft.settle(root)
  const to = draft.another(root, new Map())
  if (to === undefined) return null
  const chain: Chain = { root: { entity: root, before, after: to }, after: new Map([[root, to]]) }
  const near = random.shuffle([...graph.children(root)])
  const far = random.shuffle(
    near.flatMap(({ target }) => graph.children(target)).filter(({ target }) => !graph.edge(root, target)),
  )
  const [cascade, absence] = near
  if (!cascade || !absence) return null
  if (!addRule(draft, chain, cascade)) return null
  addClause(draft, absence, 'explicit')
  draft.asks.push(
    { task: 'cascade', entity: cascade.target, hop: 1 },
    { task: 'absence', entity: absence.target, hop: 1 },
  )
  const farCascade = far.find(({ source, target }) => source !== absence.target && isFree(draft, target))
  if (farCascade && middleRule(draft, chain, farCascade) && addRule(draft, chain, farCascade)) {
    draft.asks.push({ task: 'cascade', entity: farCascade.target, hop: 2 })
  }
  const farAbsence = far.find(({ target }) => isFree(draft, target))
  if (farAbsence && (farAbsence.source === absence.target || middleRule(draft, chain, farAbsence))) {
    addClause(draft, farAbsence, 'explicit')
    draft.asks.push({ task: 'absence', entity: farAbsence.target, hop: 2 })
  }
  const rest = near.filter(({ target }) => isFree(draft, target))
  const [conditioned, implicit] = rest
  if (conditioned && addConditioned(draft, chain, conditioned)) {
    draft.asks.push({ task: 'conditioned-cascade', entity: conditioned.target, hop: 1 })
  }
  if (implicit) {
    addClause(draft, implicit, 'implicit')
    draft.asks.push({ task: 'implicit-absence', entity: implicit.target, hop: 1 })
  }
  return chain
}

/** A dependency without a rule. */
export function addClause(draft: EpisodeDraft, edge: EdgeData, clause: Link['clause']): Link {
  const known = draft.links.find((link) => link.edge === edge)
  if (known) return known
  draft.used.add(edge.target)
  draft.settle(edge.source)
  draft.settle(edge.target)
  const link: Link = { edge, clause, rules: [] }
  draft.links.push(link)
  return link
}

function isFree(draft: EpisodeDraft, entity: string): boolean {
  return !draft.used.has(entity)
}

/** The middle of a chain needs a rule of its own, so that it really changes. One that already depends without a rule has none. */
function middleRule(draft: EpisodeDraft, chain: Chain, { source }: EdgeData): boolean {
  const known = draft.links.find(({ edge }) => edge.target === source)
  if (known) return known.rules.length > 0
  const edge = draft.graph.edge(chain.root.entity, source)
  return edge !== undefined && isFree(draft, source) && addRule(draft, chain, edge)
}

function addRule(draft: EpisodeDraft, chain: Chain, edge: EdgeData): boolean {
  const link = addClause(draft, edge, 'explicit')
  if (link.rules.length > 0) return true
  const after = draft.another(edge.target, chain.after)
  if (after === undefined) return false
  link.rules.push({ after })
  chain.after.set(edge.target, after)
  return true
}

/** Two rules, one for the value that comes and one for a value that does not. */
function addConditioned(draft: EpisodeDraft, chain: Chain, edge: EdgeData): boolean {
  const { random, graph } = draft
  const { root } = chain
  const others = graph
    .entity(root.entity)
    .values.map(({ text }) => text)
    .filter((value) => value !== root.before && value !== root.after)
  const after = draft.settle(edge.target) && draft.another(edge.target, chain.after)
  if (after === undefined || others.length === 0) return false
  const elsewhere = graph
    .entity(edge.target)
    .values.map(({ text }) => text)
    .filter((value) => value !== after && value !== draft.before.get(edge.target))
  if (elsewhere.length === 0) return false
  const link = addClause(draft, edge, 'explicit')
  link.rules.push(
    ...random.shuffle([
      { after, when: root.after },
      { after: random.pick(elsewhere), when: random.pick(others) },
    ]),
  )
  chain.after.set(edge.target, after)
  return true
}
