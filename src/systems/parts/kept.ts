import type { Memory, SystemContext } from '../../model/index.js'
import type { VectorRow } from './vector-table.js'

/** A row as most systems keep it: with scenario time and the conversations it came from. */
export interface Kept extends VectorRow {
  readonly time: string
  readonly sources: readonly string[]
}

/** What of a context embeds texts. */
export type Embedding = Pick<SystemContext, 'embed' | 'signal'>

/** Texts sent to the embedder together; between batches a run can be stopped. */
const BATCH = 256

/** A row as a memory, without what only the system knows of it. */
export function memoryOf({ id, text, time, sources }: Kept, score?: number): Memory {
  return { id, text, time, sources: [...sources], ...(score !== undefined && { score }) }
}

/** A memory as a row of a table. */
export function rowOfMemory({ id, text, time = '', sources = [] }: Memory): Kept {
  return { id, text, time, sources }
}

/** Sources with one more, each once. */
export function withSource(sources: readonly string[], source: string): string[] {
  return [...new Set([...sources, source])]
}

/** Vectors of texts, or of rows by their texts, in their order. Each distinct text is embedded once. */
export async function embedAll(
  { embed, signal }: Embedding,
  rows: readonly (string | { text: string })[],
): Promise<Float32Array[]> {
  const texts = rows.map((row) => (typeof row === 'string' ? row : row.text))
  const distinct = [...new Set(texts)]
  const vectors = new Map<string, Float32Array>()
  for (let from = 0; from < distinct.length; from += BATCH) {
    signal.throwIfAborted()
    const batch = distinct.slice(from, from + BATCH)
    for (const [i, vector] of (await embed.embed(batch)).entries()) vectors.set(batch[i]!, vector)
  }
  return texts.map((text) => vectors.get(text)!)
}

/** The vector of one text. */
export async function embedOne(context: Embedding, text: string): Promise<Float32Array> {
  const [vector] = await embedAll(context, [text])
  return vector!
}

/** Embeds rows, and sets each with its vector. */
export async function setAll<R extends { text: string }>(
  context: Embedding,
  rows: readonly R[],
  set: (row: R, vector: Float32Array) => void,
): Promise<void> {
  const vectors = await embedAll(context, rows)
  for (const [i, row] of rows.entries()) set(row, vectors[i]!)
}
