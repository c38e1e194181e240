import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../../model/index.js'

// Apart from what is kept on disk, so that the types of `memscope/retrieval` need none of Node.

/** An embedder that holds workers and files, which can be given back. */
export interface LocalEmbedder extends Embedder {
  close(): Promise<void>
}

/** Packs in a folder; none when there is no such folder. */
export function packsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.bin'))
  return names.sort().map((name) => join(folder, name))
}
