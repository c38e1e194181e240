import { describe, expect, it } from 'vitest'
import { DAYS, type Duration } from '../days.js'
import { PERSONAS } from '../seed.js'
import { simulate } from './index.js'
import { deviations, PUBLISHED, sessionStatistics } from './mix.js'

const SEEDS = 10

describe.each(['weekly', 'monthly', 'quarterly'] as const)('a %s life', (timeline) => {
  it('has the numbers of the published one within 10 %', () => {
    const mix = sessionStatistics(lives(timeline))
    const { failed: _, ...away } = deviations(mix, PUBLISHED[timeline])
    for (const [name, share] of Object.entries(away)) expect(Math.abs(share), name).toBeLessThan(0.1)
  })
})

function* lives(timeline: Duration) {
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (const persona of PERSONAS) yield simulate({ persona, days: DAYS[timeline], seed })
  }
}
