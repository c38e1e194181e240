import { readdirSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { removeTemporary, temporaryFolder } from '../../base/temporary.js'
import { createEntailment } from './index.js'

const empty = temporaryFolder('reading')
afterAll(() => removeTemporary(empty))

const PAIRS = [
  { fact: 'Ada bakes on Sundays.', memories: 'Ada bakes bread every Sunday.' },
  { fact: 'Ada bakes on Sundays.', memories: 'Ada bakes bread every Monday.' },
]

it('reads pairs with the model, keeps what it read, and reads what tests are given as kept', async () => {
  const model = createEntailment({ cacheDir: empty, workers: 1 })
  const read = await model.read(PAIRS)
  await model.close()
  const [correct, damaged] = read.map((logits) => logits.slice(3))
  expect(correct!.indexOf(Math.max(...correct!))).toBe(0)
  expect(damaged!.indexOf(Math.max(...damaged!))).toBe(1)
  expect(readdirSync(empty)).toContainEqual(expect.stringMatching(/^entailment-\w+\.vectors$/))

  const again = createEntailment({ cacheDir: process.env.MEMSCOPE_CACHE! })
  expect(await again.read(PAIRS)).toEqual(read)
  await again.close()
})
