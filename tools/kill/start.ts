import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const cli = join(import.meta.dirname, '../../dist/cli/main.js')

/** A command line that has been started. */
export interface Started {
  /** Ends it at once, and nothing that it started. */
  kill(): void
  /** Calls back when a line that fits has been written to standard error, once. */
  onLine(line: RegExp, then: () => void): void
}

/** A command line that has ended. */
export interface Ended {
  /** Its exit code, or the signal of somebody else that ended it. */
  code: number | NodeJS.Signals | null
  killed: boolean
  /** The id of its run, when it came to tell it. */
  run: string | null
  said: string
  /** Milliseconds from its start to its end, and to what it told on the way; null when it did not. */
  ms: number
  begunMs: number | null
  askedMs: number | null
}

/** Told when the run stands in the store, and when its last question has been asked. */
export const BEGUN = /^Run (\S+)$/m
export const ASKED = /^100 % /m

/** For what was written before the end and not read yet. */
const READ_MS = 50

/**
 * Starts `memscope run` and waits for its end.
 *
 * @param arm is told of the start; what it returns is called at the end
 */
export function startRun(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  arm: (started: Started) => () => void = () => () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const at = performance.now()
    const since = () => performance.now() - at
    const child = spawn(process.execPath, [cli, 'run', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', ...env },
    })
    const awaited: { line: RegExp; then: () => void }[] = []
    let said = ''
    let struck = false
    let begunMs: number | null = null
    let askedMs: number | null = null
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
      for (const one of awaited.filter(({ line }) => line.test(said))) {
        awaited.splice(awaited.indexOf(one), 1)
        one.then()
      }
    })
    const onLine: Started['onLine'] = (line, then) => void awaited.push({ line, then })
    onLine(BEGUN, () => {
      begunMs = since()
    })
    onLine(ASKED, () => {
      askedMs = since()
    })
    const kill = () => {
      struck = child.kill('SIGKILL') || struck
    }
    const disarm = arm({ kill, onLine })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      const ms = since()
      disarm()
      const tell = () => {
        const run = BEGUN.exec(said)?.[1] ?? null
        resolve({ code: code ?? signal, killed: struck && signal === 'SIGKILL', run, said, ms, begunMs, askedMs })
      }
      child.on('close', tell)
      // Processes that it started hold its standard error a little longer: the run goes on beside them, as it would at a user's.
      setTimeout(tell, READ_MS)
    })
  })
}

/** What must be equal in equal runs, byte for byte. */
export function comparable(file: string): string {
  const { run, timing, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  if (!run?.id || !timing) throw new Error(`${file} has no run or timing`)
  return JSON.stringify(rest, null, 2)
}
