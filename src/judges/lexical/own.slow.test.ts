import { describe, expect, it } from 'vitest'
import type { FactLabel } from '../../model/index.js'
import { goldCases } from '../../suites/memfail/gold.js'
import { TASKS } from '../../suites/memfail/material.js'
import { loadOwn } from '../../suites/memfail/own-material.js'
import { type Comparison, compareWithGold } from '../eval.js'
import { createLexicalJudge } from './index.js'

/** Rows of each corpus of ours, whose damaged versions the judge is not told. */
const ROWS = 24

describe.each(TASKS)('over our own rows of %s', (task) => {
  const material = loadOwn(task)
  const cases = [...goldCases({ ...material, rows: material.rows.slice(-ROWS) })]
  const compared = compareWithGold(createLexicalJudge(), cases)
  const of = async (pattern: RegExp) => (await compared).filter(({ style }) => pattern.test(style))

  it('finds with certainty what stands word for word', async () => {
    for (const { fact, verdict } of await of(/verbatim/))
      expect(verdict, fact.id).toMatchObject({ label: 'correct', uncertain: false })
  })

  it('accepts plain statements', async () => expect(share(await of(/plain/), 'correct')).toBeGreaterThanOrEqual(0.9))

  it('sees most damaged versions for what they are, by words alone', async () => {
    expect(share(await of(/damaged/), 'summary_error')).toBeGreaterThanOrEqual(0.65)
  })

  it('is right where it is certain', async () => {
    const certain = (await compared).filter(({ verdict }) => !verdict.uncertain)
    const right = certain.filter(({ gold, verdict }) => gold === verdict.label)
    expect(right.length / certain.length).toBeGreaterThanOrEqual(0.97)
  })
})

function share(list: readonly Comparison[], label: FactLabel): number {
  return list.filter(({ verdict }) => verdict.label === label).length / list.length
}
