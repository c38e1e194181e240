import { printable } from '../base/text.js'
import type { Progress } from '../engine/execute.js'

/** Shows how far a run is. */
export interface ProgressLine {
  update(progress: Progress): void
  /** Shows the last progress again when it is time to: what is told beside it may have moved. */
  again(): void
  note(message: string): void
  end(): void
}

const EVERY_MS = 100
const PLAIN_EVERY_MS = 5_000
const AGAIN_MS = 1_000
const PLAIN_AGAIN_MS = 30_000

/**
 * One live line on a terminal; elsewhere a plain line now and then, so that logs stay short.
 *
 * @param stream where it is shown, usually standard error
 * @param beside what is told behind the progress, for instance work that goes on between two of its steps
 */
export function progressLine(
  stream: NodeJS.WriteStream,
  beside: () => string = () => '',
  now: () => number = Date.now,
): ProgressLine {
  const live = Boolean(stream.isTTY) && process.env.TERM !== 'dumb'
  let shown = 0
  let dirty = false
  let newest: Progress | null = null
  const timeLeft = timeLeftOf(now)
  const clear = () => {
    if (dirty) stream.write('\r\x1b[2K')
    dirty = false
  }
  const show = ({ done, total, at }: Progress) => {
    shown = now()
    const left = timeLeft({ done, total })
    const share = total === 0 ? 100 : Math.floor((100 * done) / total)
    const where = `${String(share).padStart(3)} %  ${done}/${total}${left ? `  ${left} left` : ''}  ${at}${beside()}`
    const text = printable(where)
    if (!live) stream.write(`${text}\n`)
    else {
      const width = (stream.columns ?? 80) - 1
      stream.write(`\r\x1b[2K${text.slice(0, width)}`)
      dirty = true
    }
  }
  return {
    update(progress) {
      // Where it begins is noted, shown or not: what an earlier sitting did took none of this one's time.
      if (newest === null) timeLeft(progress)
      newest = progress
      const last = progress.done === progress.total && progress.total > 0
      if (last || now() - shown >= (live ? EVERY_MS : PLAIN_EVERY_MS)) show(progress)
    },
    again() {
      if (newest && now() - shown >= (live ? AGAIN_MS : PLAIN_AGAIN_MS)) show(newest)
    },
    note(message) {
      clear()
      stream.write(`${printable(message)}\n`)
    },
    end: clear,
  }
}

/**
 * Says about how much longer it will take, at the rate since it was first asked; null before the first percent of what there was to do, for
 * until then nobody knows.
 *
 * @example const timeLeft = timeLeftOf(Date.now); timeLeft({ done: 0, total: 100 }); // later: timeLeft({ done: 10, total: 100 }) → 'about 2 min'
 */
export function timeLeftOf(now: () => number): (progress: Pick<Progress, 'done' | 'total'>) => string | null {
  let first: { at: number; done: number } | null = null
  return ({ done, total }) => {
    first ??= { at: now(), done }
    const [made, todo] = [done - first.done, total - first.done]
    if (made <= 0 || made < todo / 100 || done >= total) return null
    return duration(((now() - first.at) * (total - done)) / made)
  }
}

/** A length of time as roughly as it is known: `about 40 s`, `about 12 min`, `about 3.5 h`. */
export function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `about ${Math.max(1, Math.round(seconds))} s`
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s`
  const minutes = seconds / 60
  return minutes < 90 ? `about ${Math.round(minutes)} min` : `about ${(minutes / 60).toFixed(1)} h`
}
