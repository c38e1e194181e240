import { LlmError } from '../../model/index.js'
import type { Redactor } from '../redact.js'
import type { Clock } from './clock.js'
import { type CallFailure, callFailure, TryTimeout } from './failure.js'
import type { AdaptiveLimiter } from './limiter.js'

export interface RetryPolicy {
  /** Longest wait for one reply. */
  attemptMs: number
  /** Longest time for one call over all tries, from when it first gets its turn. */
  deadlineMs: number
  /** Most tries, whatever the time. */
  attempts: number
  /** First wait between tries; doubles each time. */
  backoffMs: number
  maxBackoffMs: number
}

export const DEFAULT_RETRY: RetryPolicy = {
  attemptMs: 180_000,
  deadlineMs: 600_000,
  attempts: 10,
  backoffMs: 500,
  maxBackoffMs: 30_000,
}

/** Most tries with a server that has never been reached: most likely it is not up, or its address is wrong. */
const FIRST_TRIES = 3

export interface RetryContext {
  /** Names model and request in errors. */
  what: string
  policy: RetryPolicy
  clock: Clock
  limiter: AdaptiveLimiter
  redactor: Redactor
  signal?: AbortSignal | undefined
  /** Whether a server has ever taken a request of this model. Who was never there is not waited for. */
  reached?(): boolean
  /** Gets its turn before calls that are not. */
  urgent?: boolean
  onRetry?(failure: CallFailure, waitMs: number): void
}

/** One try. It learns of failures through `failed`, before the next try begins. */
export interface Attempt<T> {
  /** Waited for with the call's turn in hand, before its time begins to run. */
  prepare?(): Promise<void>
  run(signal: AbortSignal): Promise<T>
  /** Called with the result, while the call still has its turn. */
  done?(value: T): void | Promise<void>
  failed?(failure: CallFailure | null): void | Promise<void>
}

/**
 * Tries until there is a result, the failure is one that trying again cannot mend, or time or tries run out. Waits with jitter, at least as
 * long as the provider asks; when that is longer than the time left, it fails at once.
 */
export async function withRetries<T>(attempt: Attempt<T>, context: RetryContext): Promise<T> {
  const { policy, clock, limiter, signal } = context
  let deadline: number | null = null
  let refused = 0
  for (let n = 1; ; n++) {
    const slot = await limiter.acquire(signal, context.urgent).catch(() => {
      throw stoppedCall(context.what)
    })
    let failure: CallFailure
    try {
      await attempt.prepare?.()
      deadline ??= clock.now() + policy.deadlineMs
      const ms = Math.min(policy.attemptMs, Math.max(1, deadline - clock.now()))
      const value = await timed(attempt, ms, clock, signal)
      await attempt.done?.(value)
      slot.release('ok')
      return value
    } catch (error) {
      const found = signal?.aborted ? null : callFailure(error, clock.now())
      // Nobody is held back for longer than a call may take: who asks for more is told so by the run that ends.
      const pause = Math.min(found?.retryAfterMs ?? 0, policy.deadlineMs)
      slot.release(found?.overloaded ? 'overloaded' : 'other', pause)
      await attempt.failed?.(found)
      if (!found) throw signal?.aborted ? stoppedCall(context.what) : error
      failure = found
    }
    const backoff = Math.min(policy.maxBackoffMs, policy.backoffMs * 2 ** (n - 1))
    const wait = Math.max(failure.retryAfterMs ?? 0, backoff * (0.5 + clock.random() / 2))
    const left = (deadline ?? 0) - clock.now()
    const most =
      failure.unreached && context.reached?.() === false ? Math.min(FIRST_TRIES, policy.attempts) : policy.attempts
    const over = failure.times !== undefined && ++refused >= failure.times
    if (failure.retryable && (failure.retryAfterMs ?? 0) > policy.deadlineMs) {
      throw toError(closedFor(failure, failure.retryAfterMs!, policy), n, context)
    }
    if (!failure.retryable || over || n >= most || wait >= left) throw toError(failure, n, context)
    context.onRetry?.(failure, wait)
    await clock.sleep(wait, signal).catch(() => {
      throw stoppedCall(context.what)
    })
  }
}

/** Runs a try and ends it when its time is over, even if it does not listen. */
async function timed<T>(attempt: Attempt<T>, ms: number, clock: Clock, outer?: AbortSignal): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const onOuter = () => controller.abort(outer?.reason ?? new Error('aborted'))
  if (outer?.aborted) onOuter()
  outer?.addEventListener('abort', onOuter, { once: true })
  const callOff = clock.limit(ms, () => controller.abort(new TryTimeout(ms)))
  try {
    return await Promise.race([attempt.run(signal), over])
  } finally {
    callOff()
    outer?.removeEventListener('abort', onOuter)
  }
}

/** A provider that asks for more time than any call has, such as one whose quota of the day is used up: every other call would meet the same. */
function closedFor(failure: CallFailure, waitMs: number, { deadlineMs }: RetryPolicy): CallFailure {
  const seconds = (ms: number) => `${Math.ceil(ms / 1000).toLocaleString('en-US')} s`
  return {
    ...failure,
    code: 'unavailable',
    message: `${failure.message.replace(/\.$/, '')}; it asks to wait ${seconds(waitMs)}, longer than a call may take (${seconds(deadlineMs)})`,
    hint: 'Wait that long, and go on with --resume.',
  }
}

/** The error of a call that was stopped from outside. */
export function stoppedCall(what: string): LlmError {
  return new LlmError('aborted', `${what} was stopped.`, 'Start it again, or go on with --resume.')
}

function toError(failure: CallFailure, tries: number, { what, redactor }: RetryContext): LlmError {
  const after = tries > 1 ? ` (after ${tries} tries)` : ''
  return new LlmError(
    failure.code,
    redactor.message(`${what} failed${after}: ${failure.message}.`).replace(/\.\.$/, '.'),
    failure.hint,
    failure.status,
  )
}
