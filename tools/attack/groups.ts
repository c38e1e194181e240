import type { Group } from './attack.js'

/** Every group by its name, in the order they run. A new one is a file and its line here. */
export const GROUPS: Readonly<Record<string, () => Promise<Group>>> = {
  provider: async () => (await import('./provider.js')).provider,
  texts: async () => (await import('./texts.js')).texts,
  memories: async () => (await import('./memories.js')).memories,
  scores: async () => (await import('./scores.js')).scores,
  shell: async () => (await import('./shell.js')).shell,
  writers: async () => (await import('./writers.js')).writers,
  kept: async () => (await import('./kept.js')).kept,
  store: async () => (await import('./store.js')).store,
  files: async () => (await import('./files.js')).files,
  logs: async () => (await import('./logs.js')).logs,
  config: async () => (await import('./config.js')).config,
  viewer: async () => (await import('./viewer.js')).viewer,
  batches: async () => (await import('./batches.js')).batches,
}
