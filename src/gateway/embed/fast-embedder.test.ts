import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Engine } from './embedding-models.js'
import { fastEmbedder } from './fast-embedder.js'
import { localEmbedder } from './local-embedder.js'
import { VectorCache } from './vector-cache.js'

/** Vectors that say how long a text is, and which engine made them. */
function engineOf(id: string, mark: number, asked: string[]): Engine {
  return {
    id,
    dimensions: 2,
    limit: 100,
    tokenizer: () => ({ encode: () => [], count: () => 1, cls: 0, sep: 0 }),
    embed: async (text) => {
      asked.push(text)
      return Float32Array.of(text.length, mark)
    },
    close: async () => {},
  }
}

it('gives what is kept exactly, computes the rest once, and keeps the order of what it is asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-fast-'))
  const asked: string[] = []
  const exact = localEmbedder(engineOf('exact', 1, []), [], new VectorCache(folder, 'exact', 2))
  const fast = fastEmbedder(exact, engineOf('fast', 2, asked), folder)
  await exact.embed(['bb', 'dddd'])
  const wanted = [
    [1, 2],
    [2, 1],
    [3, 2],
    [4, 1],
    [1, 2],
  ]
  for (let i = 0; i < 2; i++)
    expect((await fast.embed(['a', 'bb', 'ccc', 'dddd', 'a'])).map((vector) => [...vector])).toEqual(wanted)
  expect(asked.toSorted()).toEqual(['a', 'ccc'])
  expect((await exact.embed(['a'])).map((vector) => [...vector])).toEqual([[1, 1]])
  await Promise.all([fast.close(), exact.close()])
})
