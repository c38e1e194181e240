interface Flight<T> {
  result: Promise<T>
  controller: AbortController
  waiting: number
}

/** Equal things asked for at the same time are done once. Who no longer wants the result leaves; the work stops when nobody is left. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()

  /** @returns the result, and whether this caller started the work */
  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; first: boolean }> {
    signal?.throwIfAborted()
    let flight = this.#flights.get(key)
    const first = flight === undefined
    if (!flight) {
      const controller = new AbortController()
      const started: Flight<T> = { controller, waiting: 0, result: work(controller.signal) }
      const done = () => {
        if (this.#flights.get(key) === started) this.#flights.delete(key)
      }
      started.result.then(done, done)
      this.#flights.set(key, started)
      flight = started
    }
    flight.waiting++
    try {
      return { value: await orAborted(flight.result, signal), first }
    } finally {
      flight.waiting--
      if (flight.waiting === 0 && signal?.aborted) {
        // Whoever asks from now on must not join work that is being stopped.
        if (this.#flights.get(key) === flight) this.#flights.delete(key)
        flight.controller.abort(signal.reason)
      }
    }
  }
}

function orAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
