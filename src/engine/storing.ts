import { setTimeout as wait } from 'node:timers/promises'
import { MemoryGoneError } from '../model/index.js'
import { isFatal } from './fatal.js'

/** Milliseconds before a conversation is told once more. */
const WAITS = [200, 1_000, 3_000]

/** A conversation could not be stored, and what the memory holds of it is not known: its life may begin again. */
export class HalfStoredError extends Error {
  override readonly name = 'HalfStoredError'
}

/**
 * Stores a conversation; once more, after a while, when it failed and that can do no harm: the memory was certainly not reached, or it takes
 * a conversation that is told again as the same.
 */
export async function storeSafely<T>(
  store: () => Promise<T>,
  idempotent: boolean | undefined,
  signal: AbortSignal,
): Promise<T> {
  for (const ms of WAITS) {
    try {
      return await store()
    } catch (error) {
      const isOver = signal.aborted || isFatal(error) || error instanceof MemoryGoneError
      if (isOver || !(idempotent || wasNotReached(error))) throw error
      await wait(ms, undefined, { signal })
    }
  }
  return store()
}

/** Whether a failure says that nobody was there to take anything in: a connection refused, or a name that leads nowhere. */
function wasNotReached(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('code' in at && (at.code === 'ECONNREFUSED' || at.code === 'ENOTFOUND')) return true
  }
  return false
}
