import { describe, expect, it } from 'vitest'
import { DOMAINS } from '../graph.js'
import { lintGeneratedEpisodes } from './own.js'

const counts = ({ rules }: { rules: { name: string; broken: number }[] }) =>
  Object.fromEntries(rules.flatMap(({ name, broken }) => (broken > 0 ? [[name, broken]] : [])))

describe.each(DOMAINS)('what is generated for %s', (domain) => {
  it('breaks no rule', async () => {
    const report = await lintGeneratedEpisodes(domain, { seed: 42, episodes: 90, filled: 1 })
    expect(report.violations).toEqual([])
    expect(report.rows).toBe(90)
  })

  it('is shown to a judge, whose finds are reported', async () => {
    const report = await lintGeneratedEpisodes(domain, {
      seed: 42,
      episodes: 5,
      filled: 1,
      judgeFacts: async (facts, store) => {
        expect(store.length).toBeGreaterThan(20)
        return facts.map(({ id }, i) => ({
          fact: id,
          label: i === 0 ? 'correct' : 'not_stored',
          uncertain: false,
          support: [[store[0]!.id]],
          reason: 'It is there.',
          quotes: [],
        }))
      },
    })
    expect(counts(report)).toEqual({ 'filler-facts': 1 })
  })
})
