import { UserError } from '../../base/errors.js'
import type { SystemContext } from '../../model/index.js'
import { type Embedding, embedAll, embedOne, type Kept, type Near, VectorTable } from '../parts/index.js'

/** Where memories are: the part of a LangGraph store that LangMem uses. */
export interface MemoryStore {
  readonly size: number
  /** Takes rows out, and adds rows or replaces those of the same id, which keep their place: all of it or nothing. */
  change(puts: readonly Kept[], removed?: Iterable<string>): Promise<void>
  /** Rows most like a text, best first. */
  search(text: string, k: number): Promise<Near<Kept>[]>
  /** All rows, oldest first. */
  rows(): Promise<Kept[]>
}

/** A store in a list, with nothing else needed. */
export function arrayStore(context: Embedding): MemoryStore {
  const table = new VectorTable<Kept>(context.embed.dimensions)
  return {
    get size() {
      return table.size
    },
    change: async (puts, removed = []) => {
      const vectors = await embedAll(context, puts)
      for (const id of removed) table.delete(id)
      for (const [i, row] of puts.entries()) table.set(row, vectors[i]!)
    },
    search: async (text, k) => (table.size === 0 ? [] : table.nearest(await embedOne(context, text), k)),
    rows: async () => table.rows(),
  }
}

const PACKAGE: string = '@langchain/langgraph'
const FIELD = 'content'

interface Value {
  [FIELD]: string
  time: string
  sources: string[]
}

interface Item {
  key: string
  value: Value
  score?: number
}

/** The part of LangGraph's store that is used; the package is optional, so its own types cannot be. */
export interface LangGraphStore {
  put(namespace: string[], key: string, value: Value): Promise<void>
  delete(namespace: string[], key: string): Promise<void>
  search(namespace: string[], options: { query?: string; limit: number }): Promise<Item[]>
}

/** What the package exports of interest here. */
export interface LangGraph {
  InMemoryStore: new (options: {
    index: {
      dims: number
      embeddings: {
        embedQuery(text: string): Promise<number[]>
        embedDocuments(texts: string[]): Promise<number[][]>
      }
      fields: string[]
    }
  }) => LangGraphStore
}

/** LangGraph's own in-memory store, from the optional package, over the embedder of the context. */
export async function langGraphStore(
  context: SystemContext,
  load: () => Promise<LangGraph> = () => import(PACKAGE),
): Promise<MemoryStore> {
  const { InMemoryStore } = await load().catch((error: unknown) => {
    throw new UserError(
      `langmem:store=langgraph needs the package ${PACKAGE}: ${error instanceof Error ? error.message : error}`,
      `Install it with \`npm install ${PACKAGE} @langchain/core\`, or leave the option out: the store in a list finds the same.`,
    )
  })
  // Vectors are had before anything is written, so that no failure comes in between.
  const ready = new Map<string, number[]>()
  const store = new InMemoryStore({
    index: {
      dims: context.embed.dimensions,
      embeddings: {
        embedQuery: async (text) => [...(await embedOne(context, text))],
        embedDocuments: (texts) =>
          Promise.all(texts.map(async (text) => ready.get(text) ?? [...(await embedOne(context, text))])),
      },
      fields: [FIELD],
    },
  })
  const namespace = ['memories', context.namespace]
  const held = new Set<string>()
  return {
    get size() {
      return held.size
    },
    change: async (puts, removed = []) => {
      for (const [i, vector] of (await embedAll(context, puts)).entries()) ready.set(puts[i]!.text, [...vector])
      for (const id of removed) {
        await store.delete(namespace, id)
        held.delete(id)
      }
      for (const { id, text, time, sources } of puts) {
        await store.put(namespace, id, { [FIELD]: text, time, sources: [...sources] })
        held.add(id)
      }
      ready.clear()
    },
    search: async (query, k) => {
      if (held.size === 0) return []
      const items = await store.search(namespace, { query, limit: k })
      return items.map((item) => ({ row: rowOf(item), score: item.score ?? 0 }))
    },
    rows: async () => (await store.search(namespace, { limit: held.size })).map(rowOf),
  }
}

function rowOf({ key, value }: Item) {
  return { id: key, text: value[FIELD], time: value.time, sources: value.sources }
}
