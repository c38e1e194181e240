import { describe, expect, it } from 'vitest'
import { chosenParts, SEED } from './parts.js'
import { kendallTau, type Ranking, rankingAt } from './ranking.js'

const ranked = (...shares: [string, number][]): Ranking => shares.map(([system, share]) => ({ system, share }))

describe('a ranking', () => {
  it('counts questions of all tasks at one budget', () => {
    const cell = (system: string, tokens: number, n: number, complete: number) => ({
      ...{ system, depth: { tokens }, evidence: { n, complete } },
    })
    const cells = [cell('a', 1000, 10, 9), cell('a', 1000, 30, 0), cell('a', 250, 10, 10), cell('b', 1000, 40, 20)]
    expect(rankingAt(1000, cells)).toEqual(ranked(['b', 0.5], ['a', 0.225]))
  })
})

describe('kendallTau', () => {
  const order = ranked(['a', 0.9], ['b', 0.5], ['c', 0.1])

  it('is 1 for the same order whatever the distances, and −1 for the reverse', () => {
    expect(kendallTau(order, ranked(['a', 0.3], ['b', 0.2], ['c', 0.1]))).toBe(1)
    expect(kendallTau(order, ranked(['c', 0.3], ['b', 0.2], ['a', 0.1]))).toBe(-1)
  })

  it('loses two pairs in three for one that is turned round, and corrects for ties', () => {
    expect(kendallTau(order, ranked(['b', 0.6], ['a', 0.5], ['c', 0.1]))).toBeCloseTo(1 / 3)
    expect(kendallTau(order, ranked(['a', 0.5], ['b', 0.5], ['c', 0.1]))).toBeCloseTo(2 / Math.sqrt(6))
  })
})

describe('parts', () => {
  it('are those that are named, and say why others are left out', () => {
    const { parts, leftOut } = chosenParts({ PARTS: 'meme', EPISODES: '12' })
    expect(parts).toMatchObject([{ name: `meme, 12 episodes of ${SEED}`, options: { size: 12 } }])
    expect(leftOut).toContain('memfail, bundled (not among PARTS)')
    expect(() => chosenParts({ PARTS: 'mem' })).toThrow('There is no part "mem".')
  })
})
