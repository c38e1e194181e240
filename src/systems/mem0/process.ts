import { type ChildProcess, fork } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import type { SystemContext } from '../../model/index.js'

/** What the child can be told to do, and the time it may take. Storing and asking wait for models, which have limits of their own. */
const LIMITS_MS = { open: 120_000, store: 7_200_000, undo: 300_000, retrieve: 7_200_000, dump: 300_000 } as const

export type Mem0Operation = keyof typeof LIMITS_MS

/** Characters of what the child wrote that are shown when it ends. */
const TAIL = 1500

const Reply = z.union([
  z.object({ refused: z.string() }),
  z.object({ id: z.number(), error: z.string(), code: z.string().optional() }),
  z.object({ id: z.number(), value: z.unknown().optional() }),
])

interface Waiting {
  operation: Mem0Operation
  resolve(value: unknown): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

/** The package in a process with a home of its own, without this environment and its keys, reaching nothing but this machine. */
export class PackageProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  readonly #context: Pick<SystemContext, 'signal' | 'log'>
  readonly #stop = () => this.#fail(new Error('mem0 was stopped.'))
  #asked = 0
  #over: Error | null = null
  #written = ''

  constructor(context: Pick<SystemContext, 'workdir' | 'signal' | 'log'>) {
    this.#context = context
    const home = join(context.workdir, 'mem0')
    mkdirSync(home, { recursive: true })
    this.#child = fork(fileURLToPath(new URL('./child.cjs', import.meta.url)), [], {
      cwd: home,
      env: environment(home),
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#written = (this.#written + text).slice(-TAIL)
      })
    }
    this.#child.on('message', (message) => {
      const reply = Reply.safeParse(message)
      if (reply.success) this.#take(reply.data)
      else this.#fail(new Error(`The process of mem0 said what cannot be read: ${JSON.stringify(message)}`))
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (error) => {
        this.#fail(new Error(`The process of mem0 failed: ${error.message}`))
        if (this.#child.pid === undefined) resolve()
      })
      // Streams are at their end by then, so that what it last wrote is known.
      this.#child.once('close', (code, signal) => {
        this.#fail(new Error(`The process of mem0 ended (${signal ?? `code ${code}`}). ${this.#written.trim()}`.trim()))
        resolve()
      })
    })
    // One signal stops many lives; that many listeners are no leak.
    setMaxListeners(0, context.signal)
    context.signal.addEventListener('abort', this.#stop, { once: true })
    if (context.signal.aborted) this.#stop()
  }

  /** Has something done; what is asked meanwhile waits its turn. */
  call(operation: Mem0Operation, time: string, given: object = {}): Promise<unknown> {
    if (this.#over) return Promise.reject(this.#over)
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      const limit = LIMITS_MS[operation]
      const late = () => this.#fail(new Error(`mem0 did not ${operation} within ${limit / 1000} s.`))
      this.#waiting.set(id, { operation, resolve, reject, timer: setTimeout(late, limit) })
      this.#child.send({ id, operation, time, ...given }, (error) => {
        if (error) this.#fail(new Error(`The process of mem0 cannot be reached: ${error.message}`))
      })
    })
  }

  async close(): Promise<void> {
    this.#fail(new Error('mem0 is closed.'))
    await this.#ended
  }

  #take(reply: z.infer<typeof Reply>): void {
    if ('refused' in reply) {
      this.#context.log(`mem0 was kept from reaching ${reply.refused}.`)
      return
    }
    const waiting = this.#waiting.get(reply.id)
    if (!waiting) return
    this.#waiting.delete(reply.id)
    clearTimeout(waiting.timer)
    if (!('error' in reply)) waiting.resolve(reply.value)
    else if (reply.code === 'MODULE_NOT_FOUND' || reply.code === 'ERR_DLOPEN_FAILED') {
      waiting.reject(new UserError(`The package mem0ai cannot be loaded: ${reply.error.split('\n')[0]}.`, INSTALL))
    } else waiting.reject(new Error(`mem0 could not ${waiting.operation}: ${reply.error}`))
  }

  /** Ends the process, and everything that waits for it. */
  #fail(error: Error): void {
    if (this.#over) return
    this.#over = error
    this.#context.signal.removeEventListener('abort', this.#stop)
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(error)
    }
    this.#waiting.clear()
    this.#child.kill('SIGKILL')
  }
}

/** Packages of the system, the one it is about first. */
export const PACKAGES = ['mem0ai', 'better-sqlite3', 'compromise'] as const

export const INSTALL = `Run: npm install ${PACKAGES.join(' ')}`

/** No more than a process needs to start, and what keeps the package to itself. */
function environment(home: string): Record<string, string> {
  const kept = ['PATH', 'SystemRoot'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: home,
    MEM0_DIR: join(home, '.mem0'),
    MEM0_TELEMETRY: 'false',
    TZ: 'UTC',
  }
}
