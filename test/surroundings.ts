import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Names the folder of this run. A variable, since every project loads this file anew. */
const OURS = 'MEMSCOPE_TESTS'

let folder: string | null = null

/** Gives all tests of a run one temporary folder and what the judge's model made of their texts before. Every project asks; the first gets it. */
export default function setup({ config }: TestProject): void {
  if (process.env[OURS] !== undefined) return
  folder = mkdtempSync(join(tmpdir(), 'memscope-tests-'))
  // A database that a test starts runs as another user.
  chmodSync(folder, 0o755)
  for (const name of [OURS, 'TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  process.on('exit', teardown)
  fillCache(String(config.env.MEMSCOPE_CACHE))
}

/** Removes the temporary folder with whatever tests left in it. */
export function teardown(): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Readings take most of the time of a run on a machine that made none; what is missing is read. */
function fillCache(cache: string): void {
  const kept = join(import.meta.dirname, 'cache')
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(kept))
    if (!existsSync(join(cache, name))) copyFileSync(join(kept, name), join(cache, name))
}
