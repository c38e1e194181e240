import { expect, it } from 'vitest'
import { nearestChunks } from './nearest.js'

const NEARNESS: Record<string, number> = {
  'Ada bakes rye bread for the market.': 0.9,
  'Ada bakes rye cakes for the market.': 0.88,
  'Ben sells figs at the harbour.': 0.75,
  'Her stall stands there every Sunday.': 0.7,
  'A market is held every Sunday.': 0.5,
}
const chunks = Object.keys(NEARNESS).map((text, i) => ({ memory: `m${i}`, text }))
const read = (texts = chunks) =>
  nearestChunks('Ada bakes rye bread for the market every Sunday.', texts, (text) => NEARNESS[text]!).near

it('reads beside the nearest memory only what has words of the fact that it lacks', () => {
  expect(read().map(({ memory }) => memory)).toEqual(['m0', 'm3'])
})

it('reads nothing that is much farther from the fact than the nearest memory', () => {
  const without = chunks.filter(({ memory }) => memory !== 'm3')
  expect(read(without).map(({ memory }) => memory)).toEqual(['m0'])
})

it('reads the same however many near copies there are', () => {
  expect(read(chunks.filter(({ memory }) => memory !== 'm1'))).toEqual(read())
})

it('knows the other memories with the same text', () => {
  const twice = [...chunks, { memory: 'again', text: chunks[0]!.text }]
  expect(read(twice)[0]).toMatchObject({ memory: 'again', copies: ['m0'] })
})

it('tells what must be compared exactly: what is about as near as something that is read', () => {
  const closeOf = (nearness: Record<string, number>) =>
    nearestChunks('Ada bakes rye bread for the market every Sunday.', chunks, (text) => nearness[text]!).close
  expect(closeOf(NEARNESS)).toEqual([])
  const rival = 'Ada bakes rye cakes for the market.'
  expect(closeOf({ ...NEARNESS, [rival]: 0.9 - 1e-6 })).toContain(rival)
  const atTheEdge = 'A market is held every Sunday.'
  expect(closeOf({ ...NEARNESS, [atTheEdge]: 0.65 + 1e-6 })).toContain(atTheEdge)
})

it('takes a run of texts that are about as near as one another for close as a whole', () => {
  const [first, rival] = ['Ada bakes rye bread for the market.', 'Ada bakes rye cakes for the market.']
  const far = 'Ben sells figs at the harbour.'
  const nearness = { ...NEARNESS, [rival!]: 0.9 - 1.5e-5, [far]: 0.9 - 3e-5 }
  const { close } = nearestChunks('Ada bakes rye bread for the market every Sunday.', chunks, (text) => nearness[text]!)
  expect(close).toEqual(expect.arrayContaining([first, rival, far]))
})
