import type { Memory } from '../../model/index.js'
import type { VectorRow } from './vector-table.js'

/** A row as most systems keep it: with scenario time and the conversations it came from. */
export interface Kept extends VectorRow {
  readonly time: string
  readonly sources: readonly string[]
}

/** A row as a memory, without what only the system knows of it. */
export function memoryOf({ id, text, time, sources }: Kept, score?: number): Memory {
  return { id, text, time, sources: [...sources], ...(score !== undefined && { score }) }
}

/** Sources with one more, each once. */
export function withSource(sources: readonly string[], source: string): string[] {
  return [...new Set([...sources, source])]
}
