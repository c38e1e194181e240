import { setTimeout as setTimeoutPromise } from 'node:timers/promises'

/** Time and chance, handed in so that tests need neither wait nor be lucky. */
export interface Clock {
  now(): number
  /** Resolves after a while; rejects with the signal's reason when it is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `end` after a while, unless the returned function is called before. */
  limit(ms: number, end: () => void): () => void
  random(): number
}

export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  limit: (ms, end) => {
    let isOff = false
    // A reply that came while this process was too busy to see it came in time.
    const timer = setTimeout(() => setImmediate(() => isOff || end()), ms)
    return () => {
      isOff = true
      clearTimeout(timer)
    }
  },
  sleep: async (ms, signal) => {
    await setTimeoutPromise(ms, undefined, { signal }).catch(() => {
      throw signal?.reason
    })
  },
}
