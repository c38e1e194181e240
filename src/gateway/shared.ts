import { createHash, randomUUID } from 'node:crypto'
import { type CallEnd, type Coordination, DrainingError, LeaseLostError, leaseInForce } from '../model/index.js'
import type { BatchStore } from './batch/batch-store.js'
import type { ReplyStore } from './keep/reply-cache.js'
import type { Clock } from './limits/clock.js'
import { type BookedCall, budgetRefusal, type Reservation } from './price/budget.js'
import { WireReply } from './wire.js'

/** What gateways of several processes share: limits, a budget, replies and vectors. */
export interface SharedTraffic {
  /** Who asks. */
  worker: string
  coordination: Pick<Coordination, 'reserve' | 'release' | 'cap' | 'limit'>
  replies: {
    get(key: string): Promise<string | null>
    /** Whether it was kept: not under a lease that was lost. Settles the call in any case. */
    put(key: string, model: string, body: string, paid: { id: string; usd: number; tokens: number }): Promise<boolean>
    drop(keys: readonly string[]): Promise<void>
  }
  vectors: SharedVectors
  batches: BatchStore
  /** A call was made at this cost. */
  countCall(usd: number): void
  /** Aborted: no call is begun any more; those under way come to their end. */
  draining?: AbortSignal
}

/** Vectors that all processes share, by the hex of their keys. */
export interface SharedVectors {
  get(keys: readonly Uint8Array[]): Promise<Map<string, Uint8Array>>
  put(entries: readonly { key: Uint8Array; body: Uint8Array }[]): Promise<void>
}

/** Another process has the reply by now. */
export class KnownReplyError extends Error {}

/** Longest sleep before a place is asked for again. */
const LONGEST_MS = 2_000

/** Sets a place and money aside in a store that all processes share. */
export class SharedBooking {
  #total = 0
  spent = 0

  constructor(
    private readonly shared: SharedTraffic,
    private readonly clock: Clock,
    private readonly account: string | null,
    readonly cap: number,
  ) {}

  /** As far as is known here. */
  fits(usd: number): boolean {
    return this.#total + usd <= this.cap
  }

  /** @throws LlmError `budget`, LeaseLostError, KnownReplyError */
  async reserve(
    usd: number,
    what: string,
    signal: AbortSignal | undefined,
    call: BookedCall,
  ): Promise<SharedReservation> {
    const { worker, coordination, draining } = this.shared
    const { rate, key, tokens, limiter } = call
    const lease = leaseInForce.getStore() ?? null
    const id = randomUUID()
    const asked = { id, worker, lease, rate, key, account: this.account, usd, tokens }
    for (let n = 0; ; n++) {
      signal?.throwIfAborted()
      if (draining?.aborted) throw new DrainingError(what)
      const grant = await coordination.reserve(asked)
      limiter.heed(grant.era)
      if (this.account !== null && grant.total > 0) {
        this.#total = grant.total
        this.spent = grant.spent
      }
      switch (grant.outcome) {
        case 'lost':
          throw new LeaseLostError(lease?.name ?? what)
        case 'known':
          throw new KnownReplyError(what)
        case 'refused':
          throw budgetRefusal(usd, what, this)
        case 'wait': {
          const ms = Math.min(LONGEST_MS, grant.waitMs * (1 + n / 4))
          await this.clock.sleep(ms * (0.75 + this.clock.random() / 2), signal)
          continue
        }
        case 'granted': {
          const reservation = new SharedReservation(this.shared, id, call, grant.era)
          if (grant.waitMs > 0)
            await this.clock.sleep(grant.waitMs, signal).catch(async (error: unknown) => {
              await reservation.release()
              throw error
            })
          return reservation
        }
      }
    }
  }
}

class SharedReservation implements Reservation {
  constructor(
    private readonly shared: SharedTraffic,
    readonly id: string,
    private readonly call: BookedCall,
    private readonly era: number,
  ) {}

  /** What a call took beyond what was asked for. */
  tokensBeyond(tokens: number): number {
    return tokens - this.call.tokens
  }

  settle(usd: number, tokens = this.call.tokens): Promise<void> {
    return this.#end({ usd, tokens: this.tokensBeyond(tokens) })
  }

  release(overloaded?: { pauseMs: number }): Promise<void> {
    return this.#end({ usd: 0, tokens: -this.call.tokens }, overloaded)
  }

  forfeit(overloaded?: { pauseMs: number }): Promise<void> {
    return this.#end({ usd: null, tokens: 0 }, overloaded)
  }

  async #end(end: CallEnd, overloaded?: { pauseMs: number }): Promise<void> {
    const told = overloaded ? { ...end, overloaded: { ...overloaded, era: this.era } } : end
    const era = await this.shared.coordination.release(this.id, told)
    // Who was told by the provider has slowed down already.
    if (overloaded) this.call.limiter.heed(era, true)
  }
}

/** The cache of replies that all processes share. A reply is kept and its call settled at once, so that neither is without the other. */
export class SharedReplies implements ReplyStore {
  constructor(private readonly shared: SharedTraffic) {}

  async get(key: string): Promise<WireReply | null> {
    const body = await this.shared.replies.get(key)
    const read = body === null ? null : WireReply.safeParse(JSON.parse(body))
    return read?.success ? read.data : null
  }

  async put(
    key: string,
    model: string,
    reply: WireReply,
    paid?: { reservation: Reservation; usd: number },
  ): Promise<boolean> {
    const { reservation, usd = 0 } = paid ?? {}
    const booked = reservation instanceof SharedReservation ? reservation : null
    const tokens = booked?.tokensBeyond(reply.usage.input + reply.usage.output) ?? 0
    const call = { id: booked?.id ?? '', usd, tokens }
    this.shared.countCall(usd)
    const kept = await this.shared.replies.put(key, model, JSON.stringify(reply), call)
    if (!kept) throw new LeaseLostError(leaseInForce.getStore()?.name ?? model)
    return true
  }

  async drop(keys: readonly string[]): Promise<void> {
    await this.shared.replies.drop(keys)
  }

  close(): void {}
}

/** What limits of a provider are kept by: its address and key, of which nothing can be told from it. */
export function rateKey(provider: string, endpoint: { baseUrl?: string; apiKey?: string }): string {
  const { baseUrl = '', apiKey = '' } = endpoint
  const print = createHash('sha256').update(`memscope rate\0${provider}\0${baseUrl}\0${apiKey}`).digest('hex')
  return `${provider} ${print.slice(0, 12)}`
}
