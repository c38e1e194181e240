import type { SystemContext } from '../../model/index.js'
import { embedAll, embedOne, type Kept, type Near, VectorTable } from '../parts/index.js'

/** Where memories are: the part of a LangGraph store that LangMem uses. */
export interface MemoryStore {
  readonly size: number
  /**
   * Takes rows out, and adds rows or replaces those of the same id, which keep their place. Everything that can fail comes first: either all
   * of it is done or nothing.
   */
  change(puts: readonly Kept[], removed?: Iterable<string>): Promise<void>
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
    change: async (puts, removed = []) => {
      const vectors = await embedAll(
        context,
        puts.map(({ text }) => text),
      )
      for (const id of removed) table.delete(id)
      for (const [i, row] of puts.entries()) table.set(row, vectors[i]!)
    },
    search: async (text, k) => (table.size === 0 ? [] : table.nearest(await embedOne(context, text), k)),
    rows: async () => table.rows(),
  }
}
