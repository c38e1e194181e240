import { LlmError } from '../model/index.js'

const ENDS_THE_RUN: readonly string[] = ['budget', 'auth', 'unavailable', 'not_recorded']

/**
 * Whether a failure ends the run instead of being a result: a full disk, a budget that is spent, a key that is wrong, a model or server
 * that is not there, a cassette that has ended. It does so, too, as the cause of an error in which a system wrapped it.
 */
export function isFatal(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at.name === 'UserError') return true
    if (at instanceof LlmError && ENDS_THE_RUN.includes(at.code)) return true
  }
  return false
}
