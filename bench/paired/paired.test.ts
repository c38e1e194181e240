import { describe, expect, it } from 'vitest'
import { isDecided } from './index.js'
import { shareOf } from './simulate.js'

const PAIRS = 2_000
const MOST_FALSE_ALARMS = 0.06

describe('two equal systems', () => {
  it.each([
    [24, 1, 0],
    [24, 3, 0],
    [24, 3, 0.3],
    [6, 4, 0.3],
    [10, 15, 0.3],
    [100, 3, 0.3],
  ])('in %i clusters of %i with a correlation of %f are rarely called different', (clusters, each, correlation) => {
    const pair = { clusters, each, correlation, difference: 0 }
    expect(shareOf(pair, PAIRS, isDecided)).toBeLessThanOrEqual(MOST_FALSE_ALARMS)
  })

  it('are rarely called different by scores', () => {
    const pair = { clusters: 12, each: 5, correlation: 0.3, difference: 0, scores: true }
    expect(shareOf(pair, PAIRS, isDecided)).toBeLessThanOrEqual(MOST_FALSE_ALARMS)
  })

  it('are never called different in fewer than six clusters', () => {
    expect(shareOf({ clusters: 5, each: 20, correlation: 0.3, difference: 0 }, 300, isDecided)).toBe(0)
  })
})

describe('two different systems', () => {
  it('are found out by many questions, and rarely by few', () => {
    const pair = { each: 1, correlation: 0, difference: 0.1 }
    expect(shareOf({ ...pair, clusters: 400 }, 300, isDecided)).toBeGreaterThan(0.8)
    expect(shareOf({ ...pair, clusters: 24 }, 300, isDecided)).toBeLessThan(0.3)
  })
})
