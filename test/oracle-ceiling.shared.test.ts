import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { offCeiling } from './ceiling.js'
import { root } from './cli.js'

describe('oracle equals the ceiling at every k and budget of tokens', () => {
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
