import { defineSystem } from '../../model/index.js'

/** Is told what each question needs: the ceiling of any retrieval, and the only system that receives gold. */
export const oracle = defineSystem({
  name: 'oracle',
  version: '2',
  class: 'reference',
  about: 'Is handed the facts a question needs; the ceiling.',
  atomic: true,
  idempotent: true,
  needs: { gold: true },
  create: ({ gold }) => {
    if (!gold) throw new Error('Expected `gold` in the context of a system that declares needs.gold')
    const heard = new Set<string>()
    return {
      store: async ({ id }) => {
        heard.add(id)
      },
      retrieve: async (query, k, depth) => gold.needed(query.id, depth).slice(0, k),
      dump: async () => gold.all().filter(({ sources = [] }) => sources.every((id) => heard.has(id))),
    }
  },
})
