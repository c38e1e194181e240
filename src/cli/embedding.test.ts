import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Embedder } from '../model/index.js'
import { watchEmbedding } from './embedding.js'
import { progressLine } from './progress.js'

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
  const watch = watchEmbedding(counted(spent))
  expect([watch.beside(), watch.total(), watch.advice()]).toEqual(['', null, null])
  Object.assign(spent, { texts: 1_239, ms: 2_400 })
  expect(watch.beside()).toBe('  (1,234 texts embedded)')
  expect(watch.beside()).toBe('')
  expect(watch.total()).toBe('Embedded 1,234 texts in 1.5 s; they are kept.')
})

test('says once how to be faster, and only when it takes long', () => {
  const spent = { texts: 0, ms: 0 }
  const watch = watchEmbedding(counted(spent))
  spent.ms = 59_000
  expect(watch.advice()).toBeNull()
  spent.ms = 60_000
  expect([watch.advice(), watch.advice()]).toEqual(['Get a faster one.', null])
})

test('between two steps the plain progress is told again every half minute, with what goes on beside it', () => {
  let time = 10_000
  let texts = 0
  const stream = new PassThrough() as unknown as NodeJS.WriteStream
  const line = progressLine(
    stream,
    () => ` +${texts}`,
    () => time,
  )
  const told = () => String((stream as unknown as PassThrough).read() ?? '')
  line.again()
  line.update({ done: 1, total: 4, at: 'a' })
  expect(told()).toBe(' 25 %  1/4  a +0\n')
  time += 29_000
  texts = 7
  line.again()
  expect(told()).toBe('')
  time += 1_000
  line.again()
  expect(told()).toBe(' 25 %  1/4  a +7\n')
})
