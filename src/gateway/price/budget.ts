import { LlmError } from '../../model/index.js'
import type { Ledger } from './ledger.js'

/** Money set aside for one try. Exactly one of its methods is called, once. */
export interface Reservation {
  /** It was paid for: this much. */
  settle(usd: number): void
  /** Nothing was charged. */
  release(): void
  /** Nobody knows whether it was charged; all of it counts as spent. */
  forfeit(): void
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
    if (this.spent + usd > this.cap) throw this.#refusal(usd, what)
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
          reject(this.#refusal(usd, what))
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
    // A cost that is none must not make room: then all that was set aside counts.
    const settle = (cost: number) => end(cost >= 0 && Number.isFinite(cost) ? cost : usd)
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

  #refusal(usd: number, what: string): LlmError {
    const money = (amount: number) => `$${amount.toFixed(4)}`
    return new LlmError(
      'budget',
      `${what} may cost up to ${money(usd)}, but of the budget of ${money(this.cap)} ${money(this.spent)} is spent.`,
      'Go on with --resume and a larger --budget, or lower the most tokens of a reply.',
    )
  }
}
