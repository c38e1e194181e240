import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs with a folder of caches: that of `MEMSCOPE_TEST_CACHE`, which stays, or one that is removed behind it. */
export async function withCache<T>(run: (cacheDir: string) => Promise<T>): Promise<T> {
  const shared = process.env.MEMSCOPE_TEST_CACHE
  const cacheDir = shared ?? mkdtempSync(join(tmpdir(), 'memscope-bench-'))
  try {
    return await run(cacheDir)
  } finally {
    if (!shared) rmSync(cacheDir, { recursive: true, force: true })
  }
}
