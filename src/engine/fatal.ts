import { causesOf, messageOf } from '../base/errors.js'
import { LeaseLostError, LlmError, MemoryGoneError } from '../model/index.js'

const ENDS_THE_RUN: readonly string[] = ['budget', 'auth', 'unavailable', 'not_recorded']

/**
 * Whether a failure ends the run instead of being a result: a full disk, a budget that is spent, a key that is wrong, a model or server
 * that is not there, a cassette that has ended, a worker that was given up. It does so, too, as the cause of an error in which a system wrapped it.
 */
export function isFatal(error: unknown): boolean {
  return causesOf(error).some(
    (at) =>
      at.name === 'UserError' ||
      at instanceof LeaseLostError ||
      (at instanceof LlmError && ENDS_THE_RUN.includes(at.code)),
  )
}

/** Whether an error ends the attempt at a life: it was aborted, is fatal, or the memory is gone. */
export function endsAttempt(error: unknown, { signal }: { signal: AbortSignal }): boolean {
  return signal.aborted || isFatal(error) || error instanceof MemoryGoneError
}

/** What an error says, without secrets. */
export function errorMessage(error: unknown, { redact }: { redact?(message: string): string }): string {
  return redact ? redact(messageOf(error)) : messageOf(error)
}
