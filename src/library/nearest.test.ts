import { expect, it } from 'vitest'
import type { Embedder } from '../model/index.js'
import { nearestOf } from './nearest.js'

/** Texts are alike in meaning where they are about as long. */
const byLength = {
  embed: async (texts: readonly string[]) =>
    texts.map((text) => Float32Array.of(Math.cos(text.length / 100), Math.sin(text.length / 100))),
} as unknown as Embedder

const LONG = 'Nothing here has a word in common with what is looked for, but it is long.'
const TEXTS = [
  ...Array.from({ length: 40 }, (_, at) => `Our web framework has page ${at} on what we build with it.`),
  'A post about Tessarou.',
  LONG,
]

it('brings up what is spelled almost like a name, though all else is nearer', async () => {
  const find = await nearestOf(TEXTS, byLength)
  expect((await find('The web framework we build on is Tessaroo.', 10)).slice(0, 2)).toContain(40)
})

it('takes the nearest by words and by meaning in turn, each once', async () => {
  const find = await nearestOf(TEXTS, byLength)
  const found = await find(`Page 7. ${'m'.repeat(LONG.length - 8)}`, 6)
  expect(found.slice(0, 2)).toEqual([7, 41])
  expect(new Set(found).size).toBe(6)
  expect(await find('Tessarou', 100)).toHaveLength(TEXTS.length)
})
