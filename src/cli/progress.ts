import type { Progress } from '../engine/execute.js'

/** Shows how far a run is. */
export interface ProgressLine {
  update(progress: Progress): void
  note(message: string): void
  end(): void
}

const EVERY_MS = 100
const PLAIN_EVERY_MS = 5_000

/**
 * One live line on a terminal; elsewhere a plain line now and then, so that logs stay short.
 *
 * @param stream where it is shown, usually standard error
 */
export function progressLine(stream: NodeJS.WriteStream, now: () => number = Date.now): ProgressLine {
  const live = Boolean(stream.isTTY) && process.env.TERM !== 'dumb'
  let shown = 0
  let dirty = false
  const clear = () => {
    if (dirty) stream.write('\r\x1b[2K')
    dirty = false
  }
  return {
    update({ done, total, at }) {
      const time = now()
      const last = done === total && total > 0
      if (!last && time - shown < (live ? EVERY_MS : PLAIN_EVERY_MS)) return
      shown = time
      const share = total === 0 ? 100 : Math.floor((100 * done) / total)
      const text = `${String(share).padStart(3)} %  ${done}/${total}  ${at}`
      if (!live) stream.write(`${text}\n`)
      else {
        const width = (stream.columns ?? 80) - 1
        stream.write(`\r\x1b[2K${text.slice(0, width)}`)
        dirty = true
      }
    },
    note(message) {
      clear()
      stream.write(`${message}\n`)
    },
    end: clear,
  }
}
