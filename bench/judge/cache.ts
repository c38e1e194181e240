import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'

/** Runs with a folder of caches: that of `MEMSCOPE_TEST_CACHE`, which stays, or one that is removed behind it. */
export async function withCache<T>(run: (cacheDir: string) => Promise<T>): Promise<T> {
  const shared = process.env.MEMSCOPE_TEST_CACHE
  const cacheDir = shared ?? temporaryFolder('bench')
  try {
    return await run(cacheDir)
  } finally {
    if (!shared) removeTemporary(cacheDir)
  }
}
