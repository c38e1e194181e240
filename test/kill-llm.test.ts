import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './cli.js'

it('gives the same bytes, tokens and cost after kills in ingest, answer and judge, and pays for no kept reply twice', () => {
  const args = ['--kills', '6', '--seed', '3']
  const out = execFileSync(process.execPath, [join(root, 'scripts/kill-llm.mjs'), ...args], { encoding: 'utf8' })
  expect(out).toMatch(/^6 kills .* \d+ finished runs of \d+ calls: all equal/)
})
