import { expect, it } from 'vitest'
import { choicesOf } from './choices.js'
import { compose, homeAt } from './compose.js'
import { requestFrom } from './request.js'
import type { RunOptions } from './types.js'

async function wordsOf(asked: RunOptions): Promise<Record<string, string>> {
  const request = await requestFrom(asked)
  const workshop = await compose(request, homeAt())
  await workshop.close()
  return Object.fromEntries(choicesOf(workshop.plan, workshop.prompts).map(({ label, value }) => [label, value]))
}

it('tells every choice of a request, and what was left to the suite', async () => {
  const said = await wordsOf({
    size: 2,
    seed: 7,
    limit: 3,
    suite: ['memora/reasoning', 'memfail/long-hop'],
    system: ['bm25', 'bm25:unit=sentence'],
  })
  expect(said).toMatchObject({
    suites: 'memora/reasoning, memfail/long-hop',
    data: 'bundled',
    size: '2',
    seed: '7',
    days: 'weekly',
    personas: 'academic_researcher, business_executive',
    replies: 'none',
    'scenarios of memora': 'academic_researcher/weekly, business_executive/weekly',
    systems: 'bm25, bm25:unit=sentence',
    'k of memora': '50',
    'k of memfail': '5',
    'questions a task': 'the first 3',
    judge: 'lexical',
  })
  expect(said).not.toHaveProperty('view')
})
