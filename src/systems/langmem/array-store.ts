import type { SystemContext } from '../../model/index.js'
import { embedAll, embedOne, type Kept, type Near, VectorTable } from '../parts/index.js'

/** Where memories are: the part of a LangGraph store that LangMem uses. */
export interface MemoryStore {
  readonly size: number
  /** Adds rows, or replaces those of the same id, which keep their place. */
  put(rows: readonly Kept[]): Promise<void>
  delete(id: string): Promise<void>
  /** Rows most like a text, best first. */
  search(text: string, k: number): Promise<Near<Kept>[]>
  /** All rows, oldest first. */
  rows(): Promise<Kept[]>
}

/** A store in a list, with nothing else needed. */
export function arrayStore(context: Pick<SystemContext, 'embed' | 'signal'>): MemoryStore {
  const table = new VectorTable<Kept>(context.embed.dimensions)
  return {
    get size() {
      return table.size
    },
    put: async (rows) => {
      const vectors = await embedAll(
        context,
        rows.map(({ text }) => text),
      )
      for (const [i, row] of rows.entries()) table.set(row, vectors[i]!)
    },
    delete: async (id) => {
      table.delete(id)
    },
    search: async (text, k) => (table.size === 0 ? [] : table.nearest(await embedOne(context, text), k)),
    rows: async () => table.rows(),
  }
}
