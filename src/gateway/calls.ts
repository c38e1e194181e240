import { setMaxListeners } from 'node:events'
import { entryOf } from '../base/group-by.js'
import { LlmError, type LlmRole, type LlmUsage, type ReasoningEffort } from '../model/index.js'
import type { BatchStore } from './batch/batch-store.js'
import type { Cassette } from './keep/cassette.js'
import type { ReplyStore } from './keep/reply-cache.js'
import { SingleFlight } from './keep/single-flight.js'
import type { Clock } from './limits/clock.js'
import { AdaptiveLimiter } from './limits/limiter.js'
import { type RetryContext, type RetryPolicy, stoppedCall, withRetries } from './limits/retry.js'
import { upperBound } from './price/bound.js'
import type { BookedCall, Budget, Reservation } from './price/budget.js'
import { BATCH_SHARE } from './price/cost-estimate.js'
import { addTo, type Meter } from './price/meter.js'
import type { PriceTable } from './price/prices.js'
import { boundRequestTokens } from './price/prompt-tokens.js'
import type { Backend } from './providers/backend.js'
import { withHeadRoom } from './providers/reasoning.js'
import type { Redactor } from './redact.js'
import { KnownReplyError, type SharedBooking } from './shared.js'
import { checkReply } from './sound.js'
import { withoutThought } from './thought.js'
import { requestKey, type WireReply, type WireRequest } from './wire.js'

/** Everything a call passes through. */
export interface Plant {
  mode: 'live' | 'record' | 'replay' | 'offline'
  cache: ReplyStore | null
  cassette: Cassette | null
  redactor: Redactor
  clock: Clock
  policy: RetryPolicy
  concurrency: number
  meter: Meter
  prices: PriceTable
  budget: Pick<Budget, 'cap' | 'spent' | 'fits'> | null
  /** Where money, or a place among all workers, is set aside before a call; null when nobody needs to. */
  booking: Pick<SharedBooking, 'reserve'> | Budget | null
  /** What limits of a provider are shared by. */
  rateOf(provider: string, batched: boolean): string
  /** Batches under way; null when there are none and none are asked for. */
  batches: BatchStore | null
  /** Whether calls to answer and to judge go out in batches. */
  batch: boolean
  /** Aborted: batches are no longer waited for. */
  draining?: AbortSignal | undefined
  log(message: string): void
}

/** A model that can be called. */
export interface Target {
  spec: string
  provider: string
  model: string
  /** How much it reasons where a request does not say. */
  effort?: ReasoningEffort
  /** Not called in replay: there, keys are not needed and nothing is reached. */
  backend(): Backend
  /** The same model, asked in batches; null when its provider has none. */
  batched(): Backend | null
}

export interface CallOptions {
  role: LlmRole
  trial: number
  ask: number
  signal?: AbortSignal | undefined
  label?: string | undefined
}

export interface Called {
  key: string
  /** What the model said. What it thought aloud is only in what is kept. */
  reply: WireReply
  /** It thought aloud and said nothing. */
  onlyThought: boolean
  /** In USD, as if uncached. */
  cost: number | null
  /** No request went out for this call. */
  cached: boolean
}

/** Something to be done over the network. */
export interface LiveWork<T> {
  /** It goes out in a batch, `sent` when it did so before, by a process that ended. */
  batch?: { key: string; sent: boolean } | null
  /** The most one try can cost; asked only when there is a budget. */
  bound(budget: Pick<Budget, 'fits'>): number
  /** What the reply is kept by and about how many tokens it takes, where others may make the same call. */
  call?: Pick<BookedCall, 'key' | 'tokens'>
  run(backend: Backend, signal: AbortSignal): Promise<T>
  /** Puts the result where it outlives the process. Its place is taken until then: never more calls are paid and not kept than run at a time. */
  keep?(result: T, paid?: { reservation: Reservation; usd: number }): Promise<boolean>
}

/** A call whose reply is kept elsewhere. */
const NO_CALL = { key: null, tokens: 0 }

/** About how many bytes of English a token has. */
const BYTES_A_TOKEN = 4

/** One request to one model: cassette or cache first, then once over the network, metered, within the budget. */
export class Calls {
  readonly #flights = new SingleFlight<{ reply: WireReply; cached: boolean }>()
  readonly #limiters = new Map<string, AdaptiveLimiter>()
  /** Models that have replied. */
  readonly #reached = new Set<string>()
  /** Models that were told to have no batches. */
  readonly #unbatched = new Set<string>()
  /** Whether something was sent before, by whomever. */
  #anyBatches: boolean | Promise<boolean> | undefined

  constructor(readonly plant: Plant) {}

  async generate(target: Target, request: WireRequest, options: CallOptions): Promise<Called> {
    const { meter, prices } = this.plant
    const line = meter.line(options.role, target.spec)
    // One signal stops thousands of calls; that many listeners are no leak.
    if (options.signal) setMaxListeners(0, options.signal)
    try {
      const { trial, ask } = options
      const key = requestKey({ provider: target.provider, model: target.model, trial, ask }, request)
      const { reply, cached } = await this.#find(key, target, request, options)
      const cost = prices.cost(target.spec, reply.usage)
      addTo(line, { usage: reply.usage, cost })
      const text = withoutThought(reply.text)
      const onlyThought = text === '' && reply.text !== '' && reply.toolCalls.length === 0
      return { key, reply: { ...reply, text }, onlyThought, cost, cached }
    } catch (error) {
      line.errors++
      if (options.signal?.aborted && !(error instanceof LlmError)) {
        throw stoppedCall(naming(target, options))
      }
      throw error
    }
  }

  /** Forgets replies that turned out to be of no use, so that a later run asks anew. Cassettes keep them: they tell what happened. */
  async forget(keys: readonly string[]): Promise<void> {
    await this.plant.cache?.drop(keys)
  }

  /** Tries, limits and errors for one model. */
  retryContext(target: Target, options: Pick<CallOptions, 'role' | 'signal' | 'label'>): RetryContext {
    const { clock, policy, redactor, meter, log } = this.plant
    const what = naming(target, options)
    return {
      what,
      policy,
      clock,
      redactor,
      limiter: this.limiter(target.spec),
      signal: options.signal,
      reached: () => this.#reached.has(target.spec),
      // Memories take in one thing after the other, and all else waits for them; answers and verdicts can be had many at a time.
      urgent: options.role === 'ingest' || options.role === 'retrieve',
      onRetry: (failure, waitMs) => {
        meter.line(options.role, target.spec).retries++
        log(redactor.message(`${what}: ${failure.message}; trying again in ${(waitMs / 1000).toFixed(1)} s`))
      },
    }
  }

  /** Whether calls wait for others. */
  isBusy(): boolean {
    return [...this.#limiters.values()].some(({ waiting }) => waiting > 0)
  }

  limiter(spec: string): AdaptiveLimiter {
    const { concurrency, clock } = this.plant
    return entryOf(this.#limiters, spec, () => new AdaptiveLimiter(concurrency, clock))
  }

  async #find(
    key: string,
    target: Target,
    request: WireRequest,
    options: CallOptions,
  ): Promise<{ reply: WireReply; cached: boolean }> {
    const { mode, cache, cassette, redactor } = this.plant
    if (mode === 'replay') {
      const recorded = cassette?.reply(key)
      if (!recorded) throw notRecorded(key, target, request, options, redactor)
      return { reply: recorded, cached: true }
    }
    const known = (await cache?.get(key)) ?? cassette?.reply(key) ?? null
    if (known) {
      cassette?.putReply(key, { ...target, ...options }, options.label, request, known)
      return { reply: known, cached: true }
    }
    const batch = await this.#batchOf(key, target, options)
    const sent = withHeadRoom(target.model, request, options.ask > 0)
    const work: LiveWork<WireReply> = {
      batch,
      bound: (budget) => upperBound(target.spec, sent, this.plant.prices, budget),
      call: { key, tokens: Math.ceil(boundRequestTokens(sent) / BYTES_A_TOKEN) },
      run: async (backend, trySignal) => {
        const reply = await backend.generate(sent, trySignal, batch?.key)
        checkReply(reply, sent)
        return redactor.value(reply)
      },
      keep: async (reply, paid) => {
        const settled = (await cache?.put(key, target.spec, reply, paid)) ?? false
        if (batch) await this.plant.batches?.taken(key)
        cassette?.putReply(key, { ...target, ...options }, options.label, request, reply)
        return settled
      },
    }
    const { value, first } = await this.#flights.run(key, options.signal, async (signal) => {
      for (;;)
        try {
          return { reply: await this.live(target, { ...options, signal }, work), cached: false }
        } catch (error) {
          if (!(error instanceof KnownReplyError)) throw error
          const reply = await cache?.get(key)
          if (reply) return { reply, cached: true }
        }
    })
    return { reply: value.reply, cached: !first || value.cached }
  }

  /** Does something over the network: limited, retried, within the budget, and on the bill of its role. */
  async live<T extends { usage: LlmUsage }>(
    target: Target,
    options: Pick<CallOptions, 'role' | 'signal' | 'label'>,
    { bound, call = NO_CALL, run, keep, batch }: LiveWork<T>,
  ): Promise<T> {
    const { budget, booking, prices, meter, rateOf, draining } = this.plant
    const backend = (batch && target.batched()) || target.backend()
    const share = batch ? BATCH_SHARE : 1
    const context = batch ? this.#batchContext(target, options) : this.retryContext(target, options)
    const line = meter.line(options.role, target.spec)
    let held: { usd: number; reservation: Reservation } | null = null
    return withRetries(
      {
        prepare: async () => {
          await backend.ready()
          if (!booking) return
          // What a process that ended has sent is in the book already.
          const usd = budget && !batch?.sent ? bound(budget) * share : 0
          const booked = { ...call, rate: rateOf(target.provider, batch != null), limiter: context.limiter }
          held = { usd, reservation: await booking.reserve(usd, context.what, context.signal, booked) }
        },
        run: (signal) => run(backend, signal),
        done: async (result) => {
          this.#reached.add(target.spec)
          const full = prices.cost(target.spec, result.usage)
          const cost = full === null ? null : full * share
          addTo(line.paid, { usage: result.usage, cost })
          const paid = held && { reservation: held.reservation, usd: cost ?? 0 }
          held = null
          const settled = await keep?.(result, paid ?? undefined)
          if (!settled) await paid?.reservation.settle(paid.usd, result.usage.input + result.usage.output)
        },
        failed: async (failure) => {
          // Who comes back for a batch takes over what was set aside for it.
          if (batch && draining?.aborted) return
          const owed = failure?.maybeBilled ?? options.signal?.aborted ?? false
          const ended = held
          held = null
          if (owed) line.unconfirmed += ended?.usd ?? 0
          const overloaded = failure?.overloaded ? { pauseMs: failure.retryAfterMs ?? 0 } : undefined
          await (owed ? ended?.reservation.forfeit(overloaded) : ended?.reservation.release(overloaded))
        },
      },
      context,
    )
  }

  /** Whether a call goes out in a batch: when that is asked for, and when it was sent so before, for then it is paid. */
  async #batchOf(key: string, target: Target, { role }: CallOptions): Promise<{ key: string; sent: boolean } | null> {
    const { batches, batch, log } = this.plant
    this.#anyBatches ??= batches?.any()
    if (!batches || (role !== 'answer' && role !== 'judge')) return null
    const sent = (batch || ((await this.#anyBatches) ?? false)) && (await batches.has(key))
    if (!sent && !batch) return null
    if (target.batched()) return { key, sent }
    if (!this.#unbatched.has(target.spec))
      log(`${target.spec} has no batches: it is asked one by one, at the full price.`)
    this.#unbatched.add(target.spec)
    return null
  }

  /** A batch may take a day, and all of it is waited for at once. */
  #batchContext(target: Target, options: Pick<CallOptions, 'role' | 'signal' | 'label'>): RetryContext {
    const { draining } = this.plant
    const signal = draining ? AbortSignal.any([draining, ...(options.signal ? [options.signal] : [])]) : options.signal
    const context = this.retryContext(target, { ...options, signal })
    const limiter = entryOf(
      this.#limiters,
      `batch ${target.spec}`,
      () => new AdaptiveLimiter(MOST_BATCHED, this.plant.clock),
    )
    return { ...context, limiter, policy: { ...context.policy, attemptMs: BATCH_MS, deadlineMs: 3 * BATCH_MS } }
  }
}
/** Longest wait for a batch: providers give up after a day. */
const BATCH_MS = 26 * 3_600_000
const MOST_BATCHED = 100_000

function naming({ spec }: Target, { label, role }: Pick<CallOptions, 'label' | 'role'>): string {
  return label === undefined ? `A call of ${spec} to ${role}` : `${spec} for "${label}"`
}

function notRecorded(
  key: string,
  target: Target,
  request: WireRequest,
  options: CallOptions,
  redactor: Redactor,
): LlmError {
  const last = request.messages.at(-1)?.content.replace(/\s+/g, ' ').trim() ?? ''
  const shown = last.length > 80 ? `${last.slice(0, 80)}…` : last
  return new LlmError(
    'not_recorded',
    redactor.message(
      `${naming(target, options)} is not on the cassette (trial ${options.trial}, key ${key.slice(0, 12)}, ends in "${shown}").`,
    ),
    'Record the run again with the same prompts, models and trial, or run it live.',
  )
}
