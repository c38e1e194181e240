import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { lintPublished, type MemoraReport } from './published.js'

const broken = ({ rules }: MemoraReport) =>
  Object.fromEntries(rules.flatMap(({ name, broken }) => (broken === 0 ? [] : [[name, broken]])))

const sample = fileURLToPath(new URL('../../../../../shared/data/memora', import.meta.url))

it.skipIf(!existsSync(sample))('finds what is known of the published sample (skipped without ../shared)', () => {
  const [weekly, monthly, ...others] = lintPublished(sample) as [MemoraReport, MemoraReport, ...MemoraReport[]]
  expect(others).toEqual([])
  expect(broken(weekly)).toMatchObject({ criteria: 1, 'two-places': 1, 'unsaid-dates': 4, avoid: 21, bundles: 33 })
  expect(broken(monthly)).toMatchObject({ duplicates: 17, 'unsaid-dates': 4, avoid: 1, bundles: 6 })
  for (const report of [weekly, monthly]) {
    const sound = ['replay', 'content', 'said', 'missing-sessions', 'contradictions']
    for (const rule of [...sound, 'understood', 'operations', 'missing-questions', 'dates'])
      expect(broken(report)).not.toHaveProperty(rule)
    const { counts } = report
    expect(counts['rescheduled, said']).toBe(0)
    expect(counts.criteria! - counts.agreeing!).toBe(report === weekly ? 1 : 0)
    expect(counts['null audited recommending']).toBe(0)
  }
  expect(weekly.figures['null answer, released']).toBe('remembering 0.00, reasoning 0.00, recommending 35.27')
  expect(monthly.figures['null answer, released']).toBe('remembering 0.00, reasoning 0.00, recommending 5.00')
  expect(weekly.figures['agreement in all durations']).toBe('493 of 494 criteria, 99.80 %')
  // As in the paper's Table 1: 5.6 sessions a question of a week, 99 for the largest of a month.
  expect(weekly.counts.consolidation).toBeCloseTo(5.6, 1)
  expect(monthly.counts.mostConsolidation).toBe(99)
})
