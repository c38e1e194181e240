import { Random } from '../../../base/random.js'
import type { DomainData, Graph } from '../graph.js'

type Triple = DomainData['triples'][number]

const MOST_KEPT = 16
const orders = new WeakMap<Graph, Map<string, Triple[][]>>()

/**
 * Triples for the episode of a number, the one whose turn it is first. A triple goes with a root whose change does not reach it; among
 * those, turns are dealt so that all triples come up as evenly as the roots allow.
 *
 * @param roots in the order in which they take turns as the one that changes
 */
export function triplesFor(graph: Graph, roots: readonly string[], index: number, seed: string): Triple[] {
  const own = orders.get(graph) ?? new Map<string, Triple[][]>()
  orders.set(graph, own)
  const order = own.get(seed) ?? deal(graph, roots, new Random(`${seed} triples`))
  if (own.size >= MOST_KEPT) own.clear()
  own.set(seed, order)
  return order[index % order.length]!
}

/** One round of turns: as many episodes as there are pairs of a root and a triple. */
function deal(graph: Graph, roots: readonly string[], random: Random): Triple[][] {
  const triples = random.shuffle([...graph.data.triples])
  const reach = new Map(roots.map((root) => [root, new Set([root, ...graph.descendants(root).keys()])]))
  const fits = (root: string, { entities }: Triple) => entities.every((entity) => !reach.get(root)!.has(entity))
  const choices = new Map(triples.map((triple) => [triple, roots.filter((root) => fits(root, triple)).length]))
  const used = new Map(triples.map((triple) => [triple, 0]))
  return Array.from({ length: roots.length * triples.length }, (_, turn) => {
    const root = roots[turn % roots.length]!
    // Least used first; among equals, the one that fits fewest roots.
    const fitting = triples
      .filter((triple) => fits(root, triple))
      .sort((a, b) => used.get(a)! - used.get(b)! || choices.get(a)! - choices.get(b)!)
    const [first] = fitting
    if (first) used.set(first, used.get(first)! + 1)
    return fitting
  })
}
