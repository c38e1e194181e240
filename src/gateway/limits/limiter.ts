import type { Clock } from './clock.js'

/** A place among the calls under way. Given back exactly once. */
export interface Slot {
  /** `ok` lets the limit grow, `overloaded` cuts it, anything else leaves it. */
  release(outcome: 'ok' | 'overloaded' | 'other', pauseMs?: number): void
}

interface Waiter {
  start(): void
}

/** Who waits, first come first served. */
class Line {
  #waiting: Waiter[] = []
  /** Where it begins; the part before is cut off now and then, so that taking from it stays cheap. */
  #head = 0

  get isEmpty(): boolean {
    return this.#head === this.#waiting.length
  }

  join(waiter: Waiter): void {
    this.#waiting.push(waiter)
  }

  leave(waiter: Waiter): void {
    const at = this.#waiting.indexOf(waiter, this.#head)
    if (at >= 0) this.#waiting.splice(at, 1)
  }

  next(): Waiter | undefined {
    if (this.isEmpty) return undefined
    const waiter = this.#waiting[this.#head++]
    if (this.#head > 1024) {
      this.#waiting = this.#waiting.slice(this.#head)
      this.#head = 0
    }
    return waiter
  }
}

/** By how much an overload cuts the limit. */
const CUT = 0.7

/**
 * How many calls one model gets at a time: additive increase, multiplicative decrease.
 *
 * It starts at the most that is allowed. A provider that says it is overloaded cuts the limit once for all calls that were under way at
 * that moment, since they all met the same overload; every full round of successes adds one. `Retry-After` holds back new calls.
 */
export class AdaptiveLimiter {
  readonly #most: number
  readonly #clock: Clock
  #limit: number
  #active = 0
  readonly #urgent = new Line()
  readonly #others = new Line()
  #era = 0
  #pausedUntil = 0
  /** Ends the wait for the end of a pause. */
  #rest: AbortController | null = null

  constructor(most: number, clock: Clock) {
    if (!(most >= 1)) throw new RangeError(`Expected a concurrency from 1 up, got ${most}`)
    this.#most = Math.floor(most)
    this.#limit = this.#most
    this.#clock = clock
  }

  get limit(): number {
    return Math.floor(this.#limit)
  }

  get active(): number {
    return this.#active
  }

  /** Waits for a place, first come first served; who is urgent goes before all who are not. */
  acquire(signal?: AbortSignal, urgent = false): Promise<Slot> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const line = urgent ? this.#urgent : this.#others
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve(this.#slot())
        },
      }
      const onAbort = () => {
        line.leave(waiter)
        if (!this.#isWaitedFor) this.#rest?.abort()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      line.join(waiter)
      this.#admit()
    })
  }

  #slot(): Slot {
    const era = this.#era
    let held = true
    return {
      release: (outcome, pauseMs = 0) => {
        if (!held) return
        held = false
        this.#active--
        if (outcome === 'ok') this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit)
        if (outcome === 'overloaded') this.#overloaded(era, pauseMs)
        this.#admit()
      },
    }
  }

  #overloaded(era: number, pauseMs: number): void {
    if (era === this.#era) {
      this.#era++
      this.#limit = Math.max(1, this.#limit * CUT)
    }
    if (pauseMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + pauseMs)
  }

  get #isWaitedFor(): boolean {
    return !this.#urgent.isEmpty || !this.#others.isEmpty
  }

  #admit(): void {
    while (this.#active < this.limit && this.#isWaitedFor) {
      if (this.#pausedUntil > this.#clock.now()) {
        this.#sleep(this.#pausedUntil)
        return
      }
      const waiter = this.#urgent.next() ?? this.#others.next()
      this.#active++
      waiter!.start()
    }
  }

  /** Only while somebody waits: a pause alone keeps no program from ending. */
  #sleep(until: number): void {
    if (this.#rest) return
    const rest = new AbortController()
    this.#rest = rest
    const over = (isAwake: boolean) => {
      this.#rest = null
      if (isAwake && this.#pausedUntil === until) this.#pausedUntil = 0
      this.#admit()
    }
    this.#clock.sleep(until - this.#clock.now(), rest.signal).then(
      () => over(true),
      () => over(false),
    )
  }
}
