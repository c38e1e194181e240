import { type Control, type ProgressEvent, StoppedError } from './types.js'

/** How a call is watched and stopped, with what the caller left out. */
export interface Heard {
  tell(event: ProgressEvent): void
  signal: AbortSignal
  /** Resolves when the call is to stop. */
  stopped: Promise<void>
  /** @param run the run that can go on */
  stopIfAsked(run: string | null): void
}

export function heard({ signal = new AbortController().signal, onProgress = () => {} }: Control): Heard {
  return {
    tell: onProgress,
    signal,
    stopped: new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    stopIfAsked: (run) => {
      if (signal.aborted) throw new StoppedError(run)
    },
  }
}

/** Does work that a signal stops; what it throws then is a `StoppedError`. */
export async function stoppable<T>(told: Heard, run: string | null, work: () => Promise<T>): Promise<T> {
  told.stopIfAsked(run)
  try {
    const done = await work()
    told.tell({ type: 'done' })
    return done
  } catch (error) {
    told.stopIfAsked(run)
    throw error
  }
}
