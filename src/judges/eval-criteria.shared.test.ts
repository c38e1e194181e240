import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evaluateCriteria } from './eval-criteria.js'
import { parseCriteria } from './gold.js'
import { createLexicalJudge } from './lexical/index.js'

const GOLD = '../shared/gold/criteria-dev.jsonl'

describe.skipIf(!existsSync(GOLD))(`the lexical judge over ${GOLD} (skipped where the labelled data is absent)`, () => {
  const cases = existsSync(GOLD) ? parseCriteria(readFileSync(GOLD, 'utf8'), GOLD) : []

  it('agrees with the labels, and knows when it may not', async () => {
    const { n, accuracy, kappa, certain } = await evaluateCriteria(createLexicalJudge(), cases)
    expect(accuracy).toBeGreaterThanOrEqual(0.88)
    expect(kappa).toBeGreaterThanOrEqual(0.75)
    expect(certain.accuracy).toBeGreaterThanOrEqual(0.97)
    // By words alone; with the model three quarters are certain.
    expect(certain.n / n).toBeGreaterThanOrEqual(0.5)
  })

  it('agrees on either half of the questions', async () => {
    for (const half of [0, 1]) {
      const { accuracy, certain } = await evaluateCriteria(
        createLexicalJudge(),
        cases.filter(({ id }) => hash(id.split('#')[0]!) % 2 === half),
      )
      expect(accuracy).toBeGreaterThanOrEqual(0.88)
      expect(certain.accuracy).toBeGreaterThanOrEqual(0.97)
    }
  })
})

/** FNV-1a, so that both answers to a question fall into the same half. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}
