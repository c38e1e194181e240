import type { Clock } from './clock.js'

/** A place among the calls under way. Given back exactly once. */
export interface Slot {
  /** `ok` lets the limit grow, `overloaded` cuts it, anything else leaves it. */
  release(outcome: 'ok' | 'overloaded' | 'other', pauseMs?: number): void
}

/** By how much an overload cuts the limit. */
const CUT = 0.7

/** How many calls a model gets at a time. An overload cuts the limit once for all calls under way; every full round of successes adds one. */
export class AdaptiveLimiter {
  readonly #most: number
  readonly #clock: Clock
  #limit: number
  #active = 0
  /** Who waits, first come first served. */
  readonly #urgent = new Set<() => void>()
  readonly #others = new Set<() => void>()
  #era = 0
  /** The last overload that other processes told of. */
  #heard: number | null = null
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

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#urgent.size + this.#others.size
  }

  /** Waits for a place, first come first served; who is urgent goes before all who are not. */
  acquire(signal?: AbortSignal, urgent = false): Promise<Slot> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const line = urgent ? this.#urgent : this.#others
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve(this.#slot())
      }
      const onAbort = () => {
        line.delete(start)
        if (this.waiting === 0) this.#rest?.abort()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      line.add(start)
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

  /** Slows down once for every overload that another process met; `known`: it was this one that met it. */
  heed(era: number, known = false): void {
    if (this.#heard !== null && era > this.#heard && !known) this.#overloaded(this.#era, 0)
    this.#heard = Math.max(era, this.#heard ?? 0)
  }

  #overloaded(era: number, pauseMs: number): void {
    if (era === this.#era) {
      this.#era++
      this.#limit = Math.max(1, this.#limit * CUT)
    }
    if (pauseMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + pauseMs)
  }

  #admit(): void {
    while (this.#active < this.limit && this.waiting > 0) {
      if (this.#pausedUntil > this.#clock.now()) {
        this.#sleep(this.#pausedUntil)
        return
      }
      const line = this.#urgent.size > 0 ? this.#urgent : this.#others
      const [start] = line
      line.delete(start!)
      this.#active++
      start!()
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
