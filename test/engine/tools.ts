import { join } from 'node:path'
import type { ExecuteOptions } from '../../src/engine/execute.js'
import type { RunStore } from '../../src/model/index.js'

/** What lives need from outside, without a model and with an embedder that nobody asks, for tests of the engine. */
export function plainTools(store: RunStore, folder: string): ExecuteOptions['tools'] {
  return {
    store,
    embed: { id: 'none', dimensions: 0, embed: async () => [] },
    llm: () => {
      throw new Error('no model here')
    },
    inFlight: 1,
    workroot: join(folder, 'work'),
    signal: new AbortController().signal,
    settleMs: 1000,
    log: () => {},
  }
}
