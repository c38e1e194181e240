import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TopK } from './top-k.js'

it('keeps what sorting everything would put first, ties by lower index, whatever the order of offering', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 60 })
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 20 }), fc.boolean(), (list, k, backwards) => {
      const all = list.map((score, index) => ({ index, score }))
      const best = new TopK(k)
      for (const { index, score } of backwards ? all.toReversed() : all) best.offer(index, score)
      expect(best.hits()).toEqual(all.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, k))
    }),
  )
})
