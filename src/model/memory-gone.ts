/**
 * A memory that cannot be asked any more: a call of it took too long, so that nobody knows what it holds, or its process has ended. What it
 * was asked meanwhile fails with this, too.
 */
export class MemoryGoneError extends Error {
  /** @param timedOut the call itself took too long; else it fell with the memory */
  constructor(
    message: string,
    readonly timedOut = false,
  ) {
    super(message)
    this.name = 'MemoryGoneError'
  }
}
