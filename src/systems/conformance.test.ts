import type { Memory } from '../model/index.js'
import { defineSystem } from '../model/index.js'
import { runSystemConformance } from './conformance.js'

// Checks that cannot be made of a memory without a dump are skipped, which only shows as one is made.
runSystemConformance({
  name: 'a memory without a dump',
  definition: defineSystem({
    name: 'mine',
    version: '1',
    class: 'raw',
    about: '',
    create: () => {
      const held: Memory[] = []
      return {
        store: async ({ id, time, turns }) =>
          void held.push({ id, text: turns.map(({ text }) => text).join(' '), time, sources: [id] }),
        retrieve: async (_query, k) => held.slice(0, k),
      }
    },
  }),
})
