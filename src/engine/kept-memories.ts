import type { Memory, RunStore, WitnessRecord } from '../model/index.js'

/** The memories of a snapshot, by id. */
export async function keptMemories(snapshot: string, store: RunStore): Promise<ReadonlyMap<string, Memory>> {
  return new Map((await store.getSnapshot(snapshot)).map((memory) => [memory.id, memory]))
}

/**
 * What was retrieved for a question, best first.
 *
 * @param held what the memory held when it was asked, by id; nothing where nobody could look into it
 */
export async function retrievedMemories(
  { retrieved, retrievedSnapshot }: WitnessRecord,
  held: ReadonlyMap<string, Memory> | undefined,
  store: RunStore,
): Promise<Memory[]> {
  const source = retrievedSnapshot === null ? held : await keptMemories(retrievedSnapshot, store)
  return retrieved.flatMap((id) => source?.get(id) ?? [])
}
