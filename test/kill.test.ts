import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './cli.js'

it('gives the same bytes after being killed ten times at random moments and resumed', () => {
  const out = execFileSync(process.execPath, [join(root, 'scripts/kill.mjs'), '--kills', '10', '--seed', '7'], {
    encoding: 'utf8',
  })
  expect(out).toMatch(/^1\d kills, \d+ resumes, \d+ finished runs: all equal/)
})
