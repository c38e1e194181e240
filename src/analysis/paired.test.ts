import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile, studentQuantile } from '../base/intervals.js'
import { comparePaired, FEWEST_CLUSTERS, holmCorrection, type PairedValue, questionsNeeded } from './paired.js'
import { signFlipTest } from './sign-flip.js'

/** Successes of two systems: so many that only the second has, that only the first has, and on which they agree; each its own cluster. */
function successes(gained: number, lost: number, alike: number): PairedValue[] {
  const kinds = [...Array(gained).fill([0, 1]), ...Array(lost).fill([1, 0]), ...Array(alike).fill([1, 1])]
  return kinds.map(([a, b], i) => ({ cluster: String(i), a, b }))
}

/** The same test in the plainest words: all ways to give every cluster a sign, written out. */
function byEnumeration(sums: readonly number[]): number {
  const totals = sums.reduce((all, sum) => all.flatMap((total) => [total + sum, total - sum]), [0])
  const seen = Math.abs(sums.reduce((all, sum) => all + sum, 0))
  return totals.filter((total) => Math.abs(total) >= seen - 1e-9).length / totals.length
}

describe('the test of paired differences', () => {
  it('is the exact test of McNemar for single questions (values of SciPy’s binomtest)', () => {
    const p = (gained: number, lost: number) => comparePaired(successes(gained, lost, 9)).p
    expect(p(6, 0)).toBeCloseTo(0.03125, 12)
    expect(p(10, 2)).toBeCloseTo(0.03857421875, 12)
    expect(p(4, 15)).toBeCloseTo(0.0192108154296875, 12)
    expect(p(30, 18)).toBeCloseTo(0.11140289106101878, 10)
  })

  it('is the exact permutation test for sums of clusters (values of SciPy’s permutation_test)', () => {
    expect(signFlipTest([0.31, -0.12, 0.44, 0.05, 0.27, -0.03, 0.5, 0.18])).toEqual({ p: 0.046875, method: 'exact' })
    expect(signFlipTest([3, -1, 2, 2, 0, 1, -2, 4, 1])).toEqual({ p: 0.1640625, method: 'exact' })
  })

  it('gives what enumerating all flips gives, for whole sums, halves and scores', () => {
    const sum = fc.oneof(
      fc.integer({ min: -4, max: 4 }),
      fc.integer({ min: -6, max: 6 }).map((halves) => halves / 2),
      fc.integer({ min: -10_000, max: 10_000 }).map((parts) => parts / 10_000),
    )
    fc.assert(
      fc.property(fc.array(sum, { maxLength: 11 }), (sums) => {
        expect(signFlipTest(sums).p).toBeCloseTo(byEnumeration(sums), 9)
        expect(signFlipTest(sums.map((one) => -one)).p).toBeCloseTo(signFlipTest(sums).p, 9)
      }),
      { numRuns: 300 },
    )
  })

  it('draws flips where there are too many, the same for the same seed', () => {
    const sums = Array.from({ length: 40 }, (_, i) => Math.round((Math.sin((i + 1) * 1.7) * 0.3 + 0.08) * 1e4) / 1e4)
    const { p, method } = signFlipTest(sums, 1)
    expect(method).toBe('sampled')
    // SciPy, 400,000 flips.
    expect(Math.abs(p - 0.02816)).toBeLessThan(0.007)
    expect(signFlipTest(sums, 1).p).toBe(p)
    expect(signFlipTest(sums, 2).p).not.toBe(p)
  })

  it('is exact for thousands of questions as well', () => {
    expect(comparePaired(successes(700, 600, 8700))).toMatchObject({ method: 'exact', n: 10_000, changed: 1300 })
    expect(comparePaired(successes(700, 600, 8700)).p).toBeCloseTo(0.0060157938610449395, 9)
  })

  it('takes questions of one cluster for one witness', () => {
    const values = Array.from({ length: 24 }, (_, i) => ({ cluster: `row ${i % 8}`, a: 0, b: i % 8 < 5 ? 1 : 0 }))
    expect(comparePaired(values)).toMatchObject({ n: 24, clusters: 8, by: 'cluster', p: 0.0625, changed: 15 })
  })

  it('goes by question where there are fewer than six clusters, and says so', () => {
    const values = Array.from({ length: 20 }, (_, i) => ({ cluster: `life ${i % 5}`, a: 0, b: 1 }))
    expect(comparePaired(values)).toMatchObject({ clusters: 5, by: 'question', p: 2 / 2 ** 20 })
    expect(comparePaired([...values, { cluster: 'life 6', a: 0, b: 1 }])).toMatchObject({
      by: 'cluster',
      p: 2 / 2 ** 6,
    })
    expect(comparePaired([])).toMatchObject({ n: 0, clusters: 0, p: 1, ci95: [-1, 1] })
  })
})

describe('the interval of a difference', () => {
  it('encloses it, mirrors, and has a width even where nothing differs', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), fc.integer({ min: 1, max: 60 }), (gained, lost, alike) => {
        const { ci95, difference } = comparePaired(successes(gained, lost, alike))
        const mirrored = comparePaired(successes(lost, gained, alike)).ci95
        expect(ci95[0]).toBeLessThanOrEqual(difference)
        expect(ci95[1]).toBeGreaterThanOrEqual(difference)
        expect(ci95[1] - ci95[0]).toBeGreaterThan(0)
        expect([-mirrored[1], -mirrored[0]]).toEqual([expect.closeTo(ci95[0], 9), expect.closeTo(ci95[1], 9)])
      }),
    )
    const [low, high] = comparePaired(successes(0, 0, 24)).ci95
    expect([low, high]).toEqual([expect.closeTo(-0.114, 2), expect.closeTo(0.114, 2)])
  })

  it('is near that of Bonett and Price for single questions', () => {
    // (10 + 1 − 2 − 1) / 42 ± 1.96 × √((11/42 + 3/42 − (8/42)²) / 42)
    const [low, high] = comparePaired(successes(10, 2, 28)).ci95
    expect(low).toBeCloseTo(0.0275, 1)
    expect(high).toBeCloseTo(0.3534, 1)
  })

  it('is wider where questions stand or fall together', () => {
    const apart = Array.from({ length: 60 }, (_, i) => ({ cluster: String(i), a: 0, b: i < 20 ? 1 : 0 }))
    const together = apart.map((value, i) => ({ ...value, cluster: String(Math.floor(i / 5)) }))
    const width = ([low, high]: readonly [number, number]) => high - low
    expect(width(comparePaired(together).ci95)).toBeGreaterThan(1.5 * width(comparePaired(apart).ci95))
  })
})

describe('the questions that would be needed', () => {
  it('grow with the square of how small a difference is, and with the tests that are done', () => {
    const seen = questionsNeeded(successes(8, 4, 28))
    expect(seen.difference).toBeCloseTo(0.1, 9)
    expect(seen.questions).toBeGreaterThan(150)
    expect(seen.questions).toBeLessThan(400)
    expect(questionsNeeded(successes(8, 4, 28), 10).questions).toBeGreaterThan(1.4 * seen.questions)
    expect(questionsNeeded(successes(8, 8, 24)).difference).toBe(0.05)
  })

  it('are more than there are, and enough for six clusters', () => {
    expect(questionsNeeded(successes(5, 0, 0)).questions).toBeGreaterThanOrEqual(FEWEST_CLUSTERS)
    expect(questionsNeeded([]).questions).toBe(FEWEST_CLUSTERS)
    const oneLife = Array.from({ length: 15 }, () => ({ cluster: 'life', a: 0, b: 1 }))
    expect(questionsNeeded(oneLife).questions).toBeGreaterThanOrEqual(90)
  })
})

describe('Holm’s correction', () => {
  it('multiplies the smallest by all, the next by all but one, keeps the order and never makes smaller', () => {
    const corrected = holmCorrection([0.01, 0.04, 0.03, 0.005])
    expect(corrected).toEqual([0.03, 0.06, 0.06, 0.02].map((p) => expect.closeTo(p, 12)))
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (ps) => {
        const all = holmCorrection(ps)
        for (const [i, p] of ps.entries()) {
          expect(all[i]).toBeGreaterThanOrEqual(p)
          expect(all[i]).toBeLessThanOrEqual(1)
        }
      }),
    )
    expect(holmCorrection([])).toEqual([])
  })
})

describe('quantiles', () => {
  it('have the values of SciPy', () => {
    const student = [3, 5, 7, 25, 100].map((degrees) => studentQuantile(0.975, degrees))
    const known = [3.1824463, 2.5705818, 2.3646243, 2.0595386, 1.9839715]
    for (const [i, value] of student.entries()) expect(Math.abs(value - known[i]!)).toBeLessThan(0.03)
    for (const [i, value] of student.entries()) if (i > 0) expect(value).toBeCloseTo(known[i]!, 2)
    const normal = [0.8416212, 1.959964, 2.807034]
    for (const [i, share] of [0.8, 0.975, 0.9975].entries()) expect(normalQuantile(share)).toBeCloseTo(normal[i]!, 2)
    expect(normalQuantile(0.2)).toBeCloseTo(-0.8416212, 2)
  })
})
