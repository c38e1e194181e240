import { defineSystem } from '../../model/index.js'

/** No memory at all: the floor. */
export const none = defineSystem({
  name: 'none',
  version: '1',
  class: 'reference',
  about: 'Keeps nothing and finds nothing; the floor.',
  atomic: true,
  idempotent: true,
  create: () => ({
    store: async () => {},
    retrieve: async () => [],
    dump: async () => [],
  }),
})
