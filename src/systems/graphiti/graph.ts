import type { Memory } from '../../model/index.js'
import { cosineOfScore, HybridTable, type Journal, type Kept, memoryOf, type Near } from '../parts/index.js'
import { FIXED } from './fixed.js'

/** An entity. Its text is what is known of it. */
export interface GraphNode extends Kept {
  readonly name: string
  readonly summary: string
}

/** A fact between two entities, with the time during which it holds and the time during which the graph took it to hold. */
export interface Edge extends Kept {
  readonly source: string
  readonly target: string
  readonly relation: string
  readonly validAt: string | null
  readonly invalidAt: string | null
  readonly expiredAt: string | null
}

/** Entities and facts, each found by words and by meaning. */
export class MemoryGraph {
  readonly nodes: HybridTable<GraphNode>
  readonly edges: HybridTable<Edge>
  readonly #between = new Map<string, string[]>()
  readonly #search: Parameters<HybridTable<Kept>['search']>[3]

  /** @param threshold score (1 + cosine) / 2 above which something is found by meaning */
  constructor(
    dimensions: number,
    threshold: number,
    readonly journal: Journal,
  ) {
    this.nodes = new HybridTable(dimensions, journal)
    this.edges = new HybridTable(dimensions, journal)
    this.#search = { constant: FIXED.rankConstant, first: 'words', above: cosineOfScore(threshold) }
  }

  setNode(node: GraphNode, vector?: Float32Array): void {
    this.nodes.set(node, vector, node.name)
  }

  setEdge(edge: Edge, vector?: Float32Array): void {
    if (!this.edges.has(edge.id)) {
      const pair = pairOf(edge.source, edge.target)
      this.journal.set(this.#between, pair, [...(this.#between.get(pair) ?? []), edge.id])
    }
    this.edges.set(edge, vector, `${edge.relation.replaceAll('_', ' ')} ${edge.text}`)
  }

  /** Entities whose names are like a name. */
  nodesLike(name: string, vector: Float32Array, most: number): GraphNode[] {
    return this.nodes.search(name, vector, most, this.#search).map(({ row }) => row)
  }

  /** Facts that are like a text, best first, whether they still hold or not. */
  edgesLike(text: string, vector: Float32Array, most: number): Near<Edge>[] {
    return this.edges.search(text, vector, most, this.#search)
  }

  /** Facts from one entity to another, nearest first. */
  edgesBetween(source: string, target: string, vector: Float32Array, most: number): Edge[] {
    return (this.#between.get(pairOf(source, target)) ?? [])
      .map((id) => ({ edge: this.edges.get(id)!, score: this.edges.similarity(vector, id) ?? 0 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ edge }) => edge)
  }
}

/** A fact as a memory. One that has ended stays, and says so. */
export function edgeMemory(edge: Edge, score?: number): Memory {
  return { ...memoryOf(edge, score), status: edge.expiredAt === null ? 'live' : 'invalidated' }
}

function pairOf(source: string, target: string): string {
  return `${source} ${target}`
}
