import { setMaxListeners } from 'node:events'
import type { Embedder, Llm } from './llm.js'
import { MemoryGoneError, type MemorySystem } from './system.js'

/** Milliseconds of its own that a call of a system may take, unless told otherwise. */
export const SYSTEM_TIMEOUT_MS = 120_000

const METHODS = ['store', 'retrieve', 'dump', 'settle', 'answer', 'insert', 'snapshot', 'restore', 'close'] as const

interface Call {
  method: string
  reject(error: MemoryGoneError): void
}

/**
 * Gives every call of one memory a limit of time. The clock stands still while a model or an embedder works for the memory, and begins anew
 * whenever a call begins or comes back: a memory that does one thing after another is slow, not stuck. A memory over its limit is not
 * trusted further: `signal` is aborted, and every later call fails.
 */
export class CallWatch {
  /** Aborted when the memory is given up, and when whoever asks is stopped. */
  readonly signal: AbortSignal
  readonly #ms: number
  readonly #stop = new AbortController()
  readonly #calls = new Set<Call>()
  #modelsAtWork = 0
  #usedMs = 0
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #gone: string | null = null

  constructor(ms: number, signal: AbortSignal) {
    this.#ms = ms
    this.signal = AbortSignal.any([signal, this.#stop.signal])
    // One signal stops many lives; that many listeners are no leak.
    setMaxListeners(0, signal, this.signal)
  }

  /** Has one thing done, within the limit. */
  call<T>(method: string, work: () => Promise<T>): Promise<T> {
    if (this.#gone !== null) return Promise.reject(new MemoryGoneError(this.#gone))
    return new Promise<T>((resolve, reject) => {
      const call: Call = { method, reject }
      this.#calls.add(call)
      this.#begin()
      const over = () => {
        if (this.#calls.delete(call)) this.#begin()
      }
      let result: Promise<T>
      try {
        // What a system in a file returns may be no promise.
        result = Promise.resolve(work())
      } catch (error) {
        result = Promise.reject(error)
      }
      result.then(resolve, reject).finally(over)
    })
  }

  /** The same model; its time is not the memory's. */
  model(llm: Llm): Llm {
    return {
      model: llm.model,
      generate: (request, options) => this.#uncounted(() => llm.generate(request, options)),
    }
  }

  /** The same embedder; its time is not the memory's. */
  embedder(embedder: Embedder): Embedder {
    const { id, dimensions } = embedder
    return { id, dimensions, embed: (texts, as) => this.#uncounted(() => embedder.embed(texts, as)) }
  }

  /** The same memory, with a limit on every method it has. */
  system(system: MemorySystem): MemorySystem {
    const limited: Record<string, unknown> = {}
    for (const name of METHODS) {
      if (!system[name]) continue
      limited[name] = (...given: unknown[]) => this.call(name, () => Reflect.apply(system[name]!, system, given))
    }
    return limited as unknown as MemorySystem
  }

  async #uncounted<T>(work: () => Promise<T>): Promise<T> {
    if (this.#modelsAtWork++ === 0) {
      this.#usedMs += performance.now() - this.#since
      clearTimeout(this.#timer)
    }
    try {
      return await work()
    } finally {
      if (--this.#modelsAtWork === 0) this.#run()
    }
  }

  #begin(): void {
    this.#usedMs = 0
    this.#run()
  }

  #run(): void {
    clearTimeout(this.#timer)
    this.#since = performance.now()
    if (this.#calls.size === 0 || this.#modelsAtWork > 0) return
    const left = Math.max(0, this.#ms - this.#usedMs)
    // Replies that came while this process was busy are heard before the limit counts.
    this.#timer = setTimeout(() => setImmediate(() => this.#late(left)), left)
  }

  #late(left: number): void {
    if (this.#calls.size === 0 || this.#modelsAtWork > 0 || performance.now() - this.#since < left - 1) return
    const words = (method: string) => `${method} took longer than ${Math.round(this.#ms) / 1000} s`
    const late = [...this.#calls]
    this.#calls.clear()
    this.#gone = words(late[0]!.method)
    for (const { method, reject } of late) reject(new MemoryGoneError(words(method), true))
    this.#stop.abort()
  }
}
