import { anywhere, atTheEnd, atWork, type Kind } from './kind.js'

/** Runs of built-in memories, without models. */
export async function plainKind(): Promise<Kind> {
  return {
    flags: ['--suite', 'memfail', '--system', 'bm25,full-context,oracle', '--size', '12', '--k', '1,5,20'],
    always: [],
    env: {},
    moments: [atWork, atWork, atWork, anywhere, atTheEnd],
    phases: ['start', 'ingest', 'ask', 'judge', 'report'],
    close: async () => {},
  }
}
