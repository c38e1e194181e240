/**
 * Memscope without its command line: a memory that is an object of this program is measured, stopped in the midst of its work, and goes on.
 *
 *   npx jiti library.ts
 */
import { defineSystem, type ProgressEvent, run, StoppedError } from 'memscope'
import ownMemory from './own-memory.js'

/** An object needs a name; a file has one. */
const memory = defineSystem({ ...ownMemory, name: 'my-memory' })

const options = {
  suite: 'memfail/conditional-easy',
  system: [memory, 'bm25'],
  k: [1, 5],
  limit: 5,
}

/** Measures until so many questions are done; all of them when no number is given. */
async function measure(resume?: string, most = Number.POSITIVE_INFINITY): Promise<string | null> {
  const stop = new AbortController()
  const onProgress = (event: ProgressEvent) => {
    if (event.type !== 'progress') return
    console.log(`${event.done} of ${event.total}`)
    if (event.done >= most) stop.abort()
  }
  try {
    const asked = { ...options, ...(resume !== undefined && { resume }) }
    const { summary } = await run(asked, { signal: stop.signal, onProgress })
    for (const { task, system, k, evidence } of summary.cells)
      if (evidence) console.log(`${task}  ${system} at k ${k}: ${evidence.complete} of ${evidence.n} with all evidence`)
    return null
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error
    console.log(`stopped; ${error.run} goes on`)
    return error.run
  }
}

const stopped = await measure(undefined, 4)
if (stopped !== null) await measure(stopped)
