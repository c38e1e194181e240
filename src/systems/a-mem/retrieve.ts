import type { Memory, SystemContext } from '../../model/index.js'
import { embedOne, type VectorTable } from '../parts/index.js'
import { type Note, noteMemory } from './notes.js'

/**
 * The notes nearest to a question, each followed by the notes it is linked to, until there are k. What came by a link alone has no score.
 */
export async function findNotes(
  question: string,
  k: number,
  table: VectorTable<Note>,
  context: SystemContext,
): Promise<Memory[]> {
  if (table.size === 0) return []
  const found = new Map<string, Memory>()
  const offer = (note: Note | undefined, score?: number) => {
    if (note && !note.outdated && found.size < k && !found.has(note.id)) found.set(note.id, noteMemory(note, score))
  }
  for (const { row, score } of table.nearest(await embedOne(context, question), k, (note) => !note.outdated)) {
    offer(row, score)
    for (const id of row.links) offer(table.get(id))
  }
  return [...found.values()]
}
