import { expect, it } from 'vitest'
import { lintGeneratedLives } from './own.js'
import type { MemoraReport } from './published.js'

const broken = ({ rules }: MemoraReport) =>
  Object.fromEntries(rules.flatMap(({ name, broken }) => (broken === 0 ? [] : [[name, broken]])))

it('finds nothing wrong with a simulated week', async () => {
  const embedder = {
    id: 'lengths',
    dimensions: 2,
    embed: async (texts: readonly string[]) =>
      texts.map(({ length }) => Float32Array.from(length % 2 === 0 ? [1, 0] : [0, 1])),
  }
  const report = await lintGeneratedLives({ seed: 7, days: 7, personas: 2, embedder })
  expect(broken(report)).toEqual({})
  expect(report.figures['null answer']).toBe('remembering 0.00, reasoning 0.00, recommending 0.00')
  expect(report.figures['overlap of runs of 1/2/3 words']).toMatch(/^0\.1\d+ \/ 0\.0\d+ \/ 0\.0\d+ over 8000 pairs$/)
  expect(report.figures['cosine of embeddings']).toMatch(/^0\.\d+ over all 8001 pairs of 127 sessions$/)
  expect(report.figures.operations).toMatch(/^add 6\d\.\d % \(.*\), update .*, delete .*$/)
  expect(Number(report.figures['turns a session'])).toBeGreaterThan(15)
  expect(report.figures['seed data']).toContain('proposals 100, emails 100, notes 100, posts 100')
})
