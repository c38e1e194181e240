import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './cli.js'

it('gives the same bytes, tokens and cost after kills in ingest, answer and judge, and pays for no kept reply twice', () => {
  // A slow machine reads replies late; that no more are lost than run at a time holds on any.
  const args = ['--kills', '6', '--seed', '3', '--grace', '2000']
  const out = execFileSync(process.execPath, [join(root, 'scripts/kill-llm.mjs'), ...args], { encoding: 'utf8' })
  expect(out).toMatch(/^6 kills .* \d+ finished runs of \d+ calls: all equal/)
})
