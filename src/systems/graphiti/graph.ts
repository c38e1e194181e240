import type { Memory } from '../../model/index.js'
import { fuseRanks, type Journal, type Kept, LexicalTable, memoryOf, type Ranked, VectorTable } from '../parts/index.js'

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

/** A list is cut to twice what is wanted before lists are fused. */
const SPARE = 2
/** Graphiti adds 1 / (i + 1) with i from 0: plain reciprocal ranks. */
const RANK_CONSTANT = 0

/** Entities and facts, each found by words and by meaning. */
export class MemoryGraph {
  readonly nodes: VectorTable<GraphNode>
  readonly edges: VectorTable<Edge>
  readonly #nodeWords: LexicalTable
  readonly #edgeWords: LexicalTable
  readonly #between = new Map<string, string[]>()

  constructor(
    dimensions: number,
    /** Least cosine of what is found by meaning. */
    readonly threshold: number,
    readonly journal: Journal,
  ) {
    this.nodes = new VectorTable<GraphNode>(dimensions, journal)
    this.edges = new VectorTable<Edge>(dimensions, journal)
    this.#nodeWords = new LexicalTable({}, journal)
    this.#edgeWords = new LexicalTable({}, journal)
  }

  setNode(node: GraphNode, vector?: Float32Array): void {
    if (!this.nodes.get(node.id)) this.#nodeWords.set(node.id, node.name)
    this.nodes.set(node, vector)
  }

  setEdge(edge: Edge, vector?: Float32Array): void {
    if (!this.edges.get(edge.id)) {
      this.#edgeWords.set(edge.id, `${edge.relation.replaceAll('_', ' ')} ${edge.text}`)
      const pair = pairOf(edge.source, edge.target)
      this.journal.set(this.#between, pair, [...(this.#between.get(pair) ?? []), edge.id])
    }
    this.edges.set(edge, vector)
  }

  /** Entities whose names are like a name. */
  nodesLike(name: string, vector: Float32Array, most: number): GraphNode[] {
    return this.#search(this.nodes, this.#nodeWords, name, vector, most).map(({ id }) => this.nodes.get(id)!)
  }

  /** Facts that are like a text, best first, whether they still hold or not. */
  edgesLike(text: string, vector: Float32Array, most: number): { edge: Edge; score: number }[] {
    const found = this.#search(this.edges, this.#edgeWords, text, vector, most)
    return found.map(({ id, score }) => ({ edge: this.edges.get(id)!, score }))
  }

  /** Facts from one entity to another, nearest first. */
  edgesBetween(source: string, target: string, vector: Float32Array, most: number): Edge[] {
    return (this.#between.get(pairOf(source, target)) ?? [])
      .map((id) => ({ edge: this.edges.get(id)!, score: this.edges.similarity(vector, id) ?? 0 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ edge }) => edge)
  }

  #search(
    table: VectorTable<GraphNode> | VectorTable<Edge>,
    words: LexicalTable,
    text: string,
    vector: Float32Array,
    most: number,
  ): Ranked[] {
    const spare = Math.min(SPARE * most, table.size)
    const byWords = words.search(text, spare).map(({ id }) => id)
    const byMeaning = table
      .nearest(vector, spare)
      .filter(({ score }) => score >= this.threshold)
      .map(({ row }) => row.id)
    return fuseRanks([byWords, byMeaning], RANK_CONSTANT).slice(0, most)
  }
}

/** A fact as a memory. One that has ended stays, and says so. */
export function edgeMemory(edge: Edge, score?: number): Memory {
  return { ...memoryOf(edge, score), status: edge.expiredAt === null ? 'live' : 'invalidated' }
}

function pairOf(source: string, target: string): string {
  return `${source} ${target}`
}
