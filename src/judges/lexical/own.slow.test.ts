import { describe, expect, it } from 'vitest'
import type { FactLabel } from '../../model/index.js'
import { goldCases } from '../../suites/memfail/gold.js'
import { TASKS } from '../../suites/memfail/material.js'
import { loadOwn } from '../../suites/memfail/own-material.js'
import { evaluateJudge, type JudgeEvaluation } from '../eval.js'
import { createLexicalJudge } from './index.js'

/** Rows of each corpus of ours, whose damaged versions the judge is not told. */
const ROWS = 24

describe.each(TASKS)('over our own rows of %s', (task) => {
  const material = loadOwn(task)
  const cases = [...goldCases({ ...material, rows: material.rows.slice(-ROWS) })]
  const judged = (pattern: RegExp) =>
    evaluateJudge(
      createLexicalJudge(),
      cases.filter(({ style }) => pattern.test(style)),
    )

  it('finds with certainty what stands word for word', async () => {
    expect(await judged(/verbatim/)).toMatchObject({ accuracy: 1, uncertain: 0 })
  })

  it('accepts plain statements', async () =>
    expect(share(await judged(/plain/), 'correct')).toBeGreaterThanOrEqual(0.9))

  it('sees most damaged versions for what they are, by words alone', async () => {
    expect(share(await judged(/damaged/), 'summary_error')).toBeGreaterThanOrEqual(0.6)
  })

  it('is right where it is certain', async () => {
    expect((await judged(/./)).certain.accuracy).toBeGreaterThanOrEqual(0.97)
  })
})

/** How many of the facts got a label. */
function share({ n, confusion }: JudgeEvaluation, label: FactLabel): number {
  return Object.values(confusion).reduce((sum, given) => sum + given[label], 0) / n
}
