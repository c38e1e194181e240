import type { Bm25Index } from '../bm25/bm25-index.js'
import { overlap } from '../bm25/overlap.js'
import type { Hit } from '../top-k.js'

export interface HopSettings {
  /** Most memories of one chain, its first included. */
  hops: number
  /** How much of what is new in one memory the next must take up to be followed, 0 to 1. */
  link: number
}

/** What is left of a question's word after the first hop: it still says where the chain should end. */
const ASKED = 0.5
/** What is left of a word once a memory with it was found: it has led where it could. */
const USED = 0.3
/** What is left, hop after hop, of words that have not led anywhere yet. */
const WAITING = 0.8

/** A memory on a chain: its terms that nothing before it had, and all terms there were before it. */
interface Step {
  fresh: string[]
  before: ReadonlySet<string>
}

/** BM25 in which each hit begins a chain: what it says that is new is searched for next, as long as what is found is linked closely enough. */
export function searchChains(
  index: Bm25Index,
  query: ReadonlyMap<string, number>,
  k: number,
  settings: HopSettings,
): Hit[] {
  const found = new Map<number, number>()
  let lowest = Number.POSITIVE_INFINITY
  const take = (document: number, score: number): void => {
    lowest = Math.min(lowest, score)
    found.set(document, lowest)
  }
  for (const seed of index.search(query, k)) {
    if (found.size >= k) break
    if (found.has(seed.index)) continue
    take(seed.index, seed.score)
    for (const { index: next, score } of chainFrom(index, query, seed.index, settings, found)) {
      if (found.size >= k) break
      take(next, lowest * score)
    }
  }
  return [...found].map(([document, score]) => ({ index: document, score }))
}

/**
 * What a memory leads to, one after another, each with how closely it is linked to those before.
 *
 * @param found what is taken already, this memory included; whoever goes on has taken what was given last
 */
function* chainFrom(
  index: Bm25Index,
  query: ReadonlyMap<string, number>,
  seed: number,
  { hops, link }: HopSettings,
  found: ReadonlyMap<number, unknown>,
): Generator<Hit> {
  let { weights, step } = follow(index, query, seed, new Set(query.keys()), ASKED)
  const steps = [step]
  for (let hop = 1; hop < hops; hop++) {
    const next = index.search(weights, found.size + 1).find((hit) => !found.has(hit.index))
    if (!next) return
    const strength = Math.max(...steps.map((earlier) => linkTo(index, earlier, next.index)))
    if (strength < link) return
    yield { index: next.index, score: strength }
    const known = new Set([...step.before, ...step.fresh])
    ;({ weights, step } = follow(index, weights, next.index, known, WAITING))
    steps.push(step)
  }
}

/** The search that comes after a memory was found: its new terms in full, all others faded. */
function follow(
  index: Bm25Index,
  weights: ReadonlyMap<string, number>,
  document: number,
  before: ReadonlySet<string>,
  fade: number,
): { weights: Map<string, number>; step: Step } {
  const terms = new Set(index.termsOf(document))
  const next = new Map([...weights].map(([term, weight]) => [term, weight * (terms.has(term) ? USED : fade)]))
  const fresh = [...terms].filter((term) => !before.has(term))
  for (const term of fresh) next.set(term, 1)
  return { weights: next, step: { fresh, before } }
}

function linkTo(index: Bm25Index, { fresh, before }: Step, document: number): number {
  const others = index.termsOf(document).filter((term) => !before.has(term))
  return overlap(index, fresh, others)
}
