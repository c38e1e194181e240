import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { lintOwn, lintPublished, type MemoraReport } from './index.js'

const broken = ({ rules }: MemoraReport) =>
  Object.fromEntries(rules.flatMap(({ name, broken }) => (broken === 0 ? [] : [[name, broken]])))

it('finds nothing wrong with a simulated week', async () => {
  const embedder = {
    id: 'lengths',
    dimensions: 2,
    embed: async (texts: readonly string[]) =>
      texts.map(({ length }) => Float32Array.from(length % 2 === 0 ? [1, 0] : [0, 1])),
  }
  const report = await lintOwn({ seed: 7, days: 7, personas: 2, embedder })
  expect(broken(report)).toEqual({})
  expect(report.figures['null answer']).toBe('remembering 0.00, reasoning 0.00, recommending 0.00')
  expect(report.figures['overlap of runs of 1/2/3 words']).toMatch(/^0\.1\d+ \/ 0\.0\d+ \/ 0\.0\d+ over 8000 pairs$/)
  expect(report.figures['cosine of embeddings']).toMatch(/^0\.\d+ over all 8001 pairs of 127 sessions$/)
  expect(report.figures.operations).toMatch(/^add 6\d\.\d % \(.*\), update .*, delete .*$/)
  expect(Number(report.figures['turns a session'])).toBeGreaterThan(15)
  expect(report.figures['seed data']).toContain('proposals 100, emails 100, notes 100, posts 100')
})

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
