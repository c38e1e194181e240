import { withoutSecrets } from './secrets.js'
import { type Control, type ProgressEvent, StoppedError } from './types.js'

/** Time after a stop that what is under way has to finish. */
const GRACE_MS = 400

/** How a call is watched and stopped, with what the caller left out. */
export interface Heard {
  tell(event: ProgressEvent): void
  /** Memory systems may have clients and keys of their own: what goes wrong is told without any. */
  warn(message: string): void
  signal: AbortSignal
  /** @param run the run that can go on */
  stopIfAsked(run: string | null): void
}

/** How a call is watched and stopped, of what its caller gave. */
export function hearControl({ signal = new AbortController().signal, onProgress = () => {} }: Control): Heard {
  const stopIfAsked = (run: string | null) => {
    if (signal.aborted) throw new StoppedError(run)
  }
  const warn = (message: string) => onProgress({ type: 'warning', message: withoutSecrets(message) })
  return { tell: onProgress, warn, signal, stopIfAsked }
}

/** Waits for work; of work that is to stop no longer than it is given then. */
export async function untilStopped<T>({ signal }: Heard, work: Promise<T>): Promise<T | undefined> {
  let giveUp = () => {}
  const waited = new Promise<undefined>((resolve) => {
    giveUp = () => setTimeout(resolve, GRACE_MS, undefined)
  })
  signal.addEventListener('abort', giveUp, { once: true })
  return Promise.race([work, waited]).finally(() => signal.removeEventListener('abort', giveUp))
}

/** Does work that a signal stops: the call rejects with a `StoppedError` then, and what hangs is left behind. */
export async function stoppable<T>(told: Heard, work: () => Promise<T>): Promise<T> {
  told.stopIfAsked(null)
  try {
    const done = await untilStopped(told, work())
    told.stopIfAsked(null)
    told.tell({ type: 'done' })
    return done as T
  } catch (error) {
    told.stopIfAsked(null)
    throw error
  }
}
