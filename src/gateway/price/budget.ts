import { LlmError } from '../../model/index.js'
import type { AdaptiveLimiter } from '../limits/limiter.js'
import type { Ledger } from './ledger.js'

/** Money set aside for one try. Exactly one of its methods is called, once. */
export interface Reservation {
  /** It was paid for: this much. */
  settle(usd: number, tokens?: number): void | Promise<void>
  /** Nothing was charged. `overloaded`: the provider has too much to do, and asks for so long a pause. */
  release(overloaded?: { pauseMs: number }): void | Promise<void>
  /** Nobody knows whether it was charged; all of it counts as spent. */
  forfeit(overloaded?: { pauseMs: number }): void | Promise<void>
}

/** A call for which money, or a place among all workers, is set aside. */
export interface BookedCall {
  /** Provider and key. */
  rate: string
  /** What its reply will be kept by; null when it is kept elsewhere. */
  key: string | null
  /** About how many tokens it takes. */
  tokens: number
  limiter: AdaptiveLimiter
}

interface Waiter {
  usd: number
  grant(reservation: Reservation): void
  refuse(): void
}

/**
 * A cap on what is spent. Before every try the most it can cost is set aside; afterwards what it did cost takes its place. So the cap holds
 * whatever the concurrency, and over all processes that share a book. Who finds no room because others have set money aside waits for them;
 * who would not fit even alone is refused.
 */
export class Budget {
  #spent = 0
  #reserved = 0
  #waiting: Waiter[] = []

  constructor(
    readonly cap: number,
    /** Keeps what is spent, and knows what earlier sittings and other processes have spent or set aside. */
    readonly ledger: Ledger | null = null,
  ) {
    if (!(cap >= 0)) throw new RangeError(`Expected a budget from 0 USD up, got ${cap}`)
  }

  /** What others have set aside counts as spent: nobody here knows whether it comes back. */
  get spent(): number {
    return this.ledger ? Math.max(0, this.ledger.total() - this.#reserved) : this.#spent
  }

  get reserved(): number {
    return this.#reserved
  }

  /** Whether so much could be set aside at once. */
  fits(usd: number): boolean {
    return this.#waiting.length === 0 && this.spent + this.#reserved + usd <= this.cap
  }

  /** @throws LlmError `budget` when it cannot fit any more */
  async reserve(usd: number, what: string, signal?: AbortSignal): Promise<Reservation> {
    const held = this.#waiting.length === 0 ? this.#hold(usd) : null
    if (held) return held
    if (this.spent + usd > this.cap) throw budgetRefusal(usd, what, this)
    return new Promise<Reservation>((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', onAbort)
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
      }
      const onAbort = () => {
        leave()
        reject(signal?.reason)
        this.#next()
      }
      const waiter: Waiter = {
        usd,
        grant: (reservation) => {
          leave()
          resolve(reservation)
        },
        refuse: () => {
          leave()
          reject(budgetRefusal(usd, what, this))
        },
      }
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(waiter)
    })
  }

  /** Sets money aside; null when there is no room for it now. */
  #hold(usd: number): Reservation | null {
    const close = this.ledger?.enter(usd, this.cap)
    if (close === null || (!close && this.#spent + this.#reserved + usd > this.cap)) return null
    this.#reserved += usd
    let held = true
    const end = (spent: number) => {
      if (!held) return
      held = false
      close?.(spent)
      this.#reserved = Math.max(0, this.#reserved - usd)
      this.#spent += spent
      this.#next()
    }
    // A cost that is none must not make room: then all that was set aside counts. Where that is nothing, it is in the book already.
    const settle = (cost: number) => end(usd > 0 && cost >= 0 && Number.isFinite(cost) ? cost : usd)
    return { settle, release: () => end(0), forfeit: () => end(usd) }
  }

  #next(): void {
    for (const waiter of [...this.#waiting]) {
      if (this.spent + waiter.usd > this.cap) {
        waiter.refuse()
        continue
      }
      const held = this.#hold(waiter.usd)
      if (!held) return
      waiter.grant(held)
    }
  }
}

/** Why a call is not made. */
export function budgetRefusal(usd: number, what: string, { cap, spent }: Pick<Budget, 'cap' | 'spent'>): LlmError {
  const money = (amount: number) => `$${amount.toFixed(4)}`
  return new LlmError(
    'budget',
    `${what} may cost up to ${money(usd)}, but of the budget of ${money(cap)} ${money(spent)} is spent.`,
    'Go on with --resume and a larger --budget, or lower the most tokens of a reply.',
  )
}
