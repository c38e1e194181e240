import type { Coordination, Heartbeat, WorkerInfo, WorkerStats } from '../../model/coordination.js'

/** A process as others see it: one heartbeat keeps alive all that it holds. */
export interface WorkerPresence {
  readonly worker: WorkerInfo
  /** Speaks up now and then from now on, until it leaves. @param run for which it works, if for one */
  begin(run: string | null): Promise<Heartbeat>
  /** Hears of every heartbeat, and when it was sent off. */
  onBeat(listener: (beat: Heartbeat, began: number) => void): void
  leave(): Promise<void>
}

/** This process as a worker of a shared store, which lets others know that it is there. */
export function presenceOf(
  worker: WorkerInfo,
  coordination: Pick<Coordination, 'extend' | 'leave'> & { heartbeatMs: number },
  stats: () => WorkerStats,
): WorkerPresence {
  let run: string | null = null
  let timer: NodeJS.Timeout | undefined
  let begun = false
  const listeners: ((beat: Heartbeat, began: number) => void)[] = []
  const beat = async (): Promise<Heartbeat> => {
    const began = performance.now()
    const told = await coordination.extend(run, worker, stats())
    for (const listener of listeners) listener(told, began)
    return told
  }
  const next = () => {
    timer = setTimeout(() => {
      // A database that is gone for good is told by whatever else is asked of it.
      beat().then(next, next)
    }, coordination.heartbeatMs)
    timer.unref()
  }
  return {
    worker,
    async begin(of) {
      run = of ?? run
      const first = await beat()
      if (!begun) next()
      begun = true
      return first
    },
    onBeat: (listener) => void listeners.push(listener),
    async leave() {
      clearTimeout(timer)
      if (begun) await coordination.leave(worker.id)
      begun = false
    },
  }
}
