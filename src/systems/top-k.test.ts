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

it('does so in a heap that is deep, for the same lists every time', () => {
  let seed = 7
  const next = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % most
  }
  for (let round = 0; round < 300; round++) {
    const all = Array.from({ length: 60 }, (_, index) => ({ index, score: next(round % 2 ? 4 : 1000) }))
    const best = new TopK(16)
    for (const { index, score } of round % 3 ? all : all.toReversed()) best.offer(index, score)
    expect(best.hits()).toEqual(all.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, 16))
  }
})
