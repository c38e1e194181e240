import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { depthKey } from '../src/model/index.js'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscope, root } from './cli.js'

const DEPTHS = ['--k', '1,2,3,5,10,50', '--token-budget', '16,100,250,1000,4000']

/** Every cell in which `oracle` does not complete what the ceiling says can be completed. */
async function offCeiling(...flags: string[]): Promise<string[]> {
  const { code, out, err } = await memscope([
    'run',
    '--system',
    'oracle',
    ...DEPTHS,
    ...flags,
    '--quiet',
    '--json',
    '-',
  ])
  expect(code, err).toBe(0)
  const { cells, errors } = JSON.parse(out) as Summary
  expect(errors).toBe(0)
  const own = cells.filter(({ system, evidence }) => system === 'oracle' && evidence)
  expect(own.length).toBeGreaterThan(0)
  return own
    .filter(({ evidence, scores }) => evidence!.rate !== scores.ceiling)
    .map(({ task, depth, evidence, scores }) => `${task}@${depthKey(depth)} ${evidence!.rate} of ${scores.ceiling}`)
}

describe('oracle equals the ceiling at every k and budget of tokens', { timeout: 300_000 }, () => {
  const bundled = [
    ['--suite', 'memfail', '--size', 'paper'],
    ['--suite', 'meme', '--size', '20', '--filler', 'none'],
    ['--suite', 'memora', '--days', '7'],
  ]
  it.each(bundled.map((flags) => [flags.join(' '), flags] as const))('with %s', async (_, flags) => {
    expect(await offCeiling(...flags)).toEqual([])
  })

  const published = ['memfail', 'meme', 'memora'].flatMap((suite) =>
    ['released', 'audited'].map((view) => [suite, view] as const),
  )
  const releases = join(root, '../shared/data')
  const there = it.skipIf(!existsSync(releases))
  there.each(published)('on the release of %s, %s (skipped when ../shared is absent)', async (suite, view) => {
    const data = join(releases, suite)
    const filler = suite === 'meme' ? ['--filler', 'none'] : []
    expect(await offCeiling('--suite', suite, '--data', data, '--view', view, ...filler)).toEqual([])
  })
})
