import { describe, expect, it } from 'vitest'
import { groupBy } from '../base/group-by.js'
import { suites } from '../builtins.js'
import { questionsOf, type Suite } from '../model/index.js'

/** The questions of a suite by their clusters. */
async function clustered(name: string, extra: Record<string, string> = {}) {
  const suite = suites.find((one) => one.name === name) as Suite
  const usual = Object.fromEntries(Object.entries(suite.flags).map(([flag, { default: value }]) => [flag, value]))
  const options = { view: 'audited', seed: 7, size: 'quick', extra: { ...usual, ...extra } } as const
  const { scenarios } = await suite.load(options)
  const asked = scenarios.flatMap((scenario) => questionsOf(scenario).map((question) => ({ scenario, question })))
  return groupBy(asked, ({ scenario, question }) => suite.clusters.of(question, scenario))
}

describe('clusters of questions', () => {
  it('are rows and chains in memfail, with all that is asked of a row', async () => {
    const clusters = await clustered('memfail')
    const sizes = [...clusters].map(([name, own]) => [name.split('/')[0], own.length])
    expect(sizes.filter(([task]) => task === 'persona')).toEqual(Array(24).fill(['persona', 3]))
    expect(sizes.filter(([task]) => task === 'long-hop')).toEqual(Array(24).fill(['long-hop', 1]))
    for (const [name, own] of clusters) for (const { question } of own) expect(question.id.startsWith(name)).toBe(true)
  })

  it('are episodes in meme, however much filler they are told with', async () => {
    const clusters = await clustered('meme', { filler: 'none,8k' })
    for (const own of clusters.values()) expect(new Set(own.map(({ scenario }) => scenario.id)).size).toBe(2)
    expect([...clusters.keys()].sort()).toEqual(['meme/pl_001', 'meme/pl_002', 'meme/sw_001', 'meme/sw_002'])
  })

  it('are lives in memora: a persona for so many days', async () => {
    const clusters = await clustered('memora', { days: '2,4', personas: 'academic_researcher,sales_manager' })
    expect([...clusters.keys()].every((name) => /^memora\/\w+\/[24]d$/.test(name))).toBe(true)
    expect(clusters.size).toBeGreaterThan(1)
  })
})
