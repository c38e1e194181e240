import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { KillError } from './kill-error.js'

/** A variable that a killed command line and all that it starts carry. */
export const MARK = 'MEMSCOPE_KILL_FOLDER'

/** Time that a process has to see that who started it is gone. */
const PATIENCE_MS = 10_000

/** Whether processes can be looked at here. */
export const canLook = existsSync('/proc/self/environ')

/** Waits until no process that carries the mark is left. Where processes cannot be looked at, nothing is said of them. */
export async function requireNoneLeft(mark: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const left = marked(mark)
    if (left.length === 0) return
    if (performance.now() > end)
      throw new KillError(`left behind by runs that were killed: processes ${left.join(', ')}`)
    await new Promise((resume) => setTimeout(resume, 100))
  }
}

/** Processes that carry the mark; those that have ended carry nothing. */
export function marked(mark: string): number[] {
  if (!canLook) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`${MARK}=${mark}\0`))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // Ended meanwhile, or another user's.
    return ''
  }
}
