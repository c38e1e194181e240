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
  const clear = () => {
    if (dirty) stream.write('\r\x1b[2K')
    dirty = false
  }
  const show = ({ done, total, at }: Progress) => {
    shown = now()
    const share = total === 0 ? 100 : Math.floor((100 * done) / total)
    const text = printable(`${String(share).padStart(3)} %  ${done}/${total}  ${at}${beside()}`)
    if (!live) stream.write(`${text}\n`)
    else {
      const width = (stream.columns ?? 80) - 1
      stream.write(`\r\x1b[2K${text.slice(0, width)}`)
      dirty = true
    }
  }
  return {
    update(progress) {
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
