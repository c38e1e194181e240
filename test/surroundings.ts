import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAMES = ['TMPDIR', 'TEMP', 'TMP']
let folder: string | null = null

/** Gives all tests of a run one temporary folder, which is removed behind them with whatever they left, however the run ends. */
export default function setup(): void {
  if (folder !== null) return
  folder = mkdtempSync(join(tmpdir(), 'memscope-tests-'))
  // A database that a test starts runs as another user.
  chmodSync(folder, 0o755)
  for (const name of NAMES) process.env[name] = folder
  process.on('exit', teardown)
}

export function teardown(): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
