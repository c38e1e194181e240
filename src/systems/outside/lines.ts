import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { MemoryGoneError } from '../../model/index.js'
import { processEnvironment } from './environment.js'
import { LastWords } from './last-words.js'
import { type Connection, type MemoryOrder, MOST_BYTES, readReply } from './protocol.js'
import { secretRemover } from './secrets.js'

/** Processes of one command that wait for their next memory. */
const MOST_IDLE = 4

/** What processes find in their environment where no model is: clients can be made, and reach nobody. */
const NO_MODEL = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'none', MEMSCOPE_MODEL: 'none' }

/** How a process is started. */
export interface ProcessCommand {
  words: readonly string[]
  cwd: string
  /** Variables of the environment that are passed on, by name. */
  env: readonly string[]
}

interface Waiting {
  what: string
  resolve(value: unknown): void
  reject(error: Error): void
}

const living = new Set<LineProcess>()
process.on('exit', () => {
  for (const one of living) one.end('the program ended')
})

/** A process that is asked in lines, with a group of its own, so that nothing it starts outlives it. One memory at a time. */
class LineProcess implements Connection {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, Waiting>()
  readonly #words = new LastWords()
  readonly #safe: (text: string) => string
  readonly #onRelease: (one: LineProcess) => void
  #memory = ''
  #asked = 0
  #parts: Buffer[] = []
  #bytes = 0
  #over: MemoryGoneError | null = null

  constructor(command: ProcessCommand, given: Record<string, string>, onRelease: (one: LineProcess) => void) {
    const [program = '', ...rest] = command.words
    this.#safe = secretRemover(command.env.flatMap((name) => process.env[name] ?? []))
    this.#onRelease = onRelease
    this.#child = spawn(program, rest, {
      cwd: command.cwd,
      env: { ...NO_MODEL, ...processEnvironment(command.env, given) },
      detached: process.platform !== 'win32',
      stdio: 'pipe',
      windowsHide: true,
    })
    living.add(this)
    this.#child.stdout.on('data', (chunk: Buffer) => this.#hear(chunk))
    this.#child.stderr.on('data', (chunk: Buffer) => this.#words.hear(chunk))
    // Whoever is gone cannot be written to; that it is gone is told by its end.
    this.#child.stdin.on('error', () => {})
    this.#child.on('error', (error) => this.end(`its process could not be started: ${error.message}`))
    this.#child.once('exit', (code, signal) => {
      // What it wrote last may still be on its way.
      setTimeout(() => this.end(`its process ended (${signal ?? `code ${code}`})`), this.#waiting.size > 0 ? 50 : 0)
    })
  }

  get isOver(): boolean {
    return this.#over !== null
  }

  /** Names the memory that is asked from now on, and keeps the program from ending meanwhile. */
  serve(memory: string): this {
    this.#memory = memory
    this.#hold(true)
    return this
  }

  ask(order: MemoryOrder, now: string): Promise<unknown> {
    if (this.#over) return Promise.reject(this.#over)
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { what: order.do, resolve, reject })
      this.#child.stdin.write(`${JSON.stringify({ id, memory: this.#memory, now, ...order })}\n`)
    })
  }

  release(): void {
    if (this.#over) return
    this.#hold(false)
    this.#onRelease(this)
  }

  end(why: string): void {
    if (this.#over) return
    living.delete(this)
    const said = (what?: string) => this.#safe(`${why}${what === undefined ? '' : ` during ${what}`}.${this.#words}`)
    this.#over = new MemoryGoneError(said())
    for (const { what, reject } of this.#waiting.values()) reject(new MemoryGoneError(said(what)))
    this.#waiting.clear()
    const { pid } = this.#child
    if (pid !== undefined) killGroup(pid)
    this.#hold(false)
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy()
  }

  #hear(chunk: Buffer): void {
    let rest = chunk
    for (let at = rest.indexOf(10); at >= 0 && !this.#over; at = rest.indexOf(10)) {
      this.#read(Buffer.concat([...this.#parts, rest.subarray(0, at)]))
      this.#parts = []
      this.#bytes = 0
      rest = rest.subarray(at + 1)
    }
    this.#parts.push(rest)
    this.#bytes += rest.length
    if (this.#bytes > MOST_BYTES) this.end('it wrote a line of more than 64 MiB')
  }

  #read(line: Buffer): void {
    const { reply, wrong } = readReply(line)
    const one = reply && this.#waiting.get(reply.id)
    if (one) {
      this.#waiting.delete(reply.id)
      const { message } = reply
      if (message === null) one.resolve(reply.value)
      else one.reject(new Error(this.#safe(message)))
    } else if (wrong !== undefined) this.end(wrong)
    else if (reply) this.end(`it replied to ${reply.id}, which was not asked`)
  }

  #hold(isHeld: boolean): void {
    for (const one of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr] as {
      ref?(): void
      unref?(): void
    }[]) {
      if (isHeld) one.ref?.()
      else one.unref?.()
    }
  }
}

/** Processes of one command: those that closed a memory in order serve the next. */
export function processPool(command: ProcessCommand): (memory: string, given?: Record<string, string>) => Connection {
  const idle: LineProcess[] = []
  const release = (one: LineProcess) => {
    if (idle.length < MOST_IDLE) idle.push(one)
    else one.end('it was closed')
  }
  return (memory, given) => {
    // What a process is given when it starts is for one memory alone.
    if (given) return new LineProcess(command, given, (one) => one.end('it was closed')).serve(memory)
    for (let one = idle.pop(); one; one = idle.pop()) if (!one.isOver) return one.serve(memory)
    return new LineProcess(command, {}, release).serve(memory)
  }
}

/** Ends a process and what it started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone.
    }
  }
}
