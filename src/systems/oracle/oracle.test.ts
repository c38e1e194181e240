import { expect, it } from 'vitest'
import { QUERIES, systemTestContext, testGold } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { oracle } from './index.js'

runSystemConformance({ name: 'oracle', definition: oracle })

it('returns what the question needs, cut to k', async () => {
  const gold = testGold()
  const system = await oracle.create({ ...systemTestContext(), gold }, {})
  expect(await system.retrieve(QUERIES[0]!, 5, { k: 5 })).toEqual(gold.needed('bread', { k: 5 }))
  expect(await system.retrieve(QUERIES[0]!, 1, { k: 1 })).toEqual(gold.needed('bread', { k: 1 }).slice(0, 1))
})

it('does not work without gold', async () => {
  await expect(async () => oracle.create(systemTestContext(), {})).rejects.toThrow(/gold/)
})
