import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../base/random.js'
import { type NestedRates, varianceParts } from './variance.js'

/** A draw from the normal distribution. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random())
}

/** A made-up experiment with known standard deviations. `shape[i][j]` judge trials within answer j of ingest i. */
function simulate(
  shape: number[][],
  sd: { ingest: number; answer: number; judge: number },
  random: Random,
): NestedRates {
  return shape.map((answers) => {
    const a = sd.ingest * normal(random)
    return answers.map((judges) => {
      const b = sd.answer * normal(random)
      return Array.from({ length: judges }, () => 0.5 + a + b + sd.judge * normal(random))
    })
  })
}

const trees = fc.array(
  fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 5 },
)

describe('parts of variance', () => {
  it.each([
    ['balanced', Array.from({ length: 4 }, () => [3, 3, 3])],
    ['unbalanced', [[3, 1], [2, 2, 4], [1, 3], [2]]],
  ])('are found again on average, %s', (_, shape) => {
    const sd = { ingest: 0.06, answer: 0.03, judge: 0.02 }
    const random = new Random('variance')
    const runs = 6000
    const total = { ingest: 0, answer: 0, judge: 0 }
    for (let run = 0; run < runs; run++) {
      const { raw } = varianceParts(simulate(shape, sd, random))
      for (const part of ['ingest', 'answer', 'judge'] as const) total[part] += raw[part]! / runs
    }
    expect(total.judge / sd.judge ** 2).toBeCloseTo(1, 1)
    expect(Math.abs(total.answer / sd.answer ** 2 - 1)).toBeLessThan(0.08)
    expect(Math.abs(total.ingest / sd.ingest ** 2 - 1)).toBeLessThan(0.08)
  })

  it('do not depend on the level of the rates, and grow with the square of their scale', () => {
    fc.assert(
      fc.property(trees, fc.double({ min: -1, max: 1, noNaN: true }), (rates, shift) => {
        const moved = rates.map((one) => one.map((own) => own.map((rate) => 2 * rate + shift)))
        const [before, after] = [varianceParts(rates), varianceParts(moved)]
        for (const part of ['ingest', 'answer', 'judge'] as const) {
          if (before[part] === null) expect(after[part]).toBeNull()
          else expect(after[part]).toBeCloseTo(4 * before[part]!, 9)
        }
      }),
    )
  })

  it('are never below 0, and null exactly where nothing was repeated', () => {
    fc.assert(
      fc.property(trees, (rates) => {
        const { ingest, answer, judge, ofMean } = varianceParts(rates)
        for (const part of [ingest, answer, judge, ofMean]) if (part !== null) expect(part).toBeGreaterThanOrEqual(0)
        expect(ingest === null).toBe(rates.length === 1)
        expect(answer === null).toBe(rates.every((one) => one.length === 1))
        expect(judge === null).toBe(rates.flat().every((own) => own.length === 1))
      }),
    )
  })

  it('are the plain variance where only one level was repeated', () => {
    const values = [0.2, 0.5, 0.6]
    const plain = varianceParts(values.map((rate) => [[rate]]))
    expect(plain.ingest).toBeCloseTo(0.13 / 3, 3)
    expect(plain.ofMean).toBeCloseTo(plain.ingest! / 3, 9)
    expect(varianceParts([values.map((rate) => [rate])]).answer).toBeCloseTo(plain.ingest!, 9)
    expect(varianceParts([[values]]).judge).toBeCloseTo(plain.ingest!, 9)
  })

  it('blame nobody when all rates are the same', () => {
    const { ingest, answer, judge } = varianceParts([[[0.4, 0.4]], [[0.4], [0.4, 0.4]]])
    expect([ingest, answer, judge].map((part) => Number(part!.toFixed(12)))).toEqual([0, 0, 0])
  })
})
