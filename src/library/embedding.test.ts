import { expect, test } from 'vitest'
import type { Embedder } from '../model/index.js'
import { watchEmbedding } from './embedding.js'
import type { ProgressEvent } from './types.js'

function counted(spent: { texts: number; ms: number }): Embedder {
  return {
    id: 'test',
    dimensions: 1,
    faster: 'Get a faster one.',
    embed: async () => [],
    computed: () => ({ ...spent }),
  }
}

test('counts from the beginning of the watch, and says nothing when nothing was embedded', () => {
  const spent = { texts: 5, ms: 900 }
  const told: ProgressEvent[] = []
  const watch = watchEmbedding(counted(spent), (event) => told.push(event))
  watch.look()
  expect([told, watch.total()]).toEqual([[], null])
  Object.assign(spent, { texts: 1_239, ms: 2_400 })
  watch.count()
  watch.look()
  expect(told).toEqual([{ type: 'embedded', texts: 1_234 }])
  expect(watch.total()).toBe('Embedded 1,234 texts in 1.5 s; they are kept.')
})

test('says once how to be faster, and only when it takes long', () => {
  const spent = { texts: 0, ms: 0 }
  const told: ProgressEvent[] = []
  const watch = watchEmbedding(counted(spent), (event) => told.push(event))
  spent.ms = 59_000
  watch.look()
  expect(told).toEqual([])
  spent.ms = 60_000
  watch.look()
  watch.look()
  expect(told).toEqual([{ type: 'note', message: 'Get a faster one.' }])
})
