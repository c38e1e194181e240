import { describe, expect, it } from 'vitest'
import { DAYS } from '../src/suites/memora/days.js'
import { askOf } from '../src/suites/memora/questions/index.js'
import { PERSONAS } from '../src/suites/memora/seed.js'
import { simulate } from '../src/suites/memora/simulate/index.js'
import { TASKS } from '../src/suites/memora/trace.js'
import { loadsOf, publishedLoads } from './loads.js'

const asked = (days: number, seed: number) =>
  PERSONAS.flatMap((persona) => askOf(simulate({ persona, days, seed }), { seed, tasks: TASKS }))

describe('what questions rest on, beside Table 1', () => {
  it.each([
    ['weekly', 0.15],
    ['monthly', 0.17],
    ['quarterly', 0.15],
  ] as const)('is near it: %s', (timeline, most) => {
    const [ours, theirs] = [loadsOf(asked(DAYS[timeline], 42)), publishedLoads(timeline)]
    for (const name of ['consolidation', 'mutation'] as const)
      expect(Math.abs(ours[name] / theirs[name] - 1), name).toBeLessThan(most)
    for (const name of ['consolidation_max', 'mutation_max'] as const)
      expect(Math.abs(ours[name] / theirs[name] - 1), name).toBeLessThan(0.06)
  })

  it('is near it for a quarter whatever the seed', () => {
    for (const seed of [1, 2, 3]) {
      const [ours, theirs] = [loadsOf(asked(92, seed)), publishedLoads('quarterly')]
      for (const name of ['consolidation', 'mutation'] as const)
        expect(Math.abs(ours[name] / theirs[name] - 1), `${name} of seed ${seed}`).toBeLessThan(0.15)
    }
  })
})

it('asks about a quarter for all its food, for months of it, and for no question twice', () => {
  for (const persona of PERSONAS) {
    const ids = askOf(simulate({ persona, days: 92, seed: 7 }), { seed: 7, tasks: TASKS }).map(
      ({ question }) => question.id,
    )
    expect(new Set(ids).size).toBe(30)
    expect(ids.some((id) => id === 'food-total' || id === 'food-average')).toBe(true)
    expect(ids.some((id) => /:2025-0[678]$/.test(id))).toBe(true)
  }
})
