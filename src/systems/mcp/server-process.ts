import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { printable, shortened } from '../../base/text.js'
import type { Transport } from './client.js'

/** Bytes of one message; a longer one is no reply. */
export const MOST_BYTES = 64 * 2 ** 20
/** Characters of standard error that are shown when something goes wrong. */
const TAIL = 1500
/** Milliseconds in which a server may end by itself, once its input has ended. */
const GRACE_MS = 1000
/** Milliseconds in which its last words arrive, once it has ended. */
const ECHO_MS = 200

const living = new Set<ServerProcess>()
process.on('exit', () => {
  for (const one of living) one.end('the program ended')
})

/**
 * A server in a process with a group of its own, so that nothing it starts outlives it, and with an environment that is all given. The client's
 * own transport has neither. Whatever the server does, it can be ended at once, and `gone` says why it was.
 */
export class ServerProcess implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: unknown) => void
  /** Why it is no longer there. */
  gone: string | null = null
  #child: ChildProcessWithoutNullStreams | null = null
  #parts: Buffer[] = []
  #bytes = 0
  #heard = false
  #written = ''
  #exited: Promise<void> = Promise.resolve()

  constructor(readonly options: { words: readonly string[]; cwd: string; env: Record<string, string> }) {}

  /** What it last wrote to standard error, for people. */
  get lastWords(): string {
    const words = printable(this.#written).trim().slice(-TAIL)
    return words === '' ? '' : ` Its last words: ${words}`
  }

  start(): Promise<void> {
    if (this.gone !== null) return Promise.reject(new Error(this.gone))
    const { words, cwd, env } = this.options
    const child = spawn(words[0]!, words.slice(1), { cwd, env, detached: true, stdio: 'pipe' })
    this.#child = child
    living.add(this)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#written = (this.#written + text).slice(-4 * TAIL)
    })
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    // One that has ended takes no input, too, and then how it ended says more, with what it wrote before.
    child.stdin.on('error', (error) => {
      setTimeout(() => this.end(`it takes no more input (${error.message})`), ECHO_MS).unref()
    })
    this.#exited = new Promise((resolve) => {
      child.once('error', () => resolve())
      child.once('exit', (code, signal) => {
        this.#kill()
        const over = () => this.end(`its process ended (${signal ?? `code ${code}`})`)
        child.once('close', over)
        setTimeout(over, ECHO_MS).unref()
        resolve()
      })
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.end(`it cannot be started (${error.message})`)
        reject(error)
      })
    })
  }

  async send(message: unknown): Promise<void> {
    if (this.gone !== null) throw new Error(this.gone)
    this.#child!.stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Lets it end by itself for a while, and ends it then. */
  async close(): Promise<void> {
    if (this.gone === null) {
      this.#child?.stdin.end()
      const grace = new AbortController()
      await Promise.race([this.#exited, sleep(GRACE_MS, null, grace).catch(() => {})])
      grace.abort()
      this.end('it was closed')
    }
    await this.#exited
  }

  /** Ends the process and all it started, at once. */
  end(why: string): void {
    if (this.gone !== null) return
    this.gone = why
    living.delete(this)
    this.#kill()
    this.#child?.stdout.destroy()
    this.#child?.stderr.destroy()
    this.onclose?.()
  }

  #kill(): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Groups are not known everywhere, and this one may be gone.
      this.#child?.kill('SIGKILL')
    }
  }

  #read(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#parts, chunk.subarray(from, at)])
      this.#parts = []
      this.#bytes = 0
      from = at + 1
      if (this.gone === null) this.#hear(line)
    }
    this.#parts.push(chunk.subarray(from))
    this.#bytes += chunk.length - from
    if (this.#bytes > MOST_BYTES) this.end(`it said more than ${MOST_BYTES / 2 ** 20} MiB in one line`)
  }

  /** A line that is no message ends it; before the first message it may greet. */
  #hear(line: Buffer): void {
    let message: unknown
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(line)
      if (text.trim() === '') return
      message = JSON.parse(text)
    } catch {
      const shown = printable(shortened(line.toString('utf8', 0, 400), 100))
      if (this.#heard) this.end(`it said what is no JSON: ${shown}`)
      return
    }
    this.#heard = true
    this.onmessage?.(message)
  }
}
