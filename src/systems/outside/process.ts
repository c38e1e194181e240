import { AsyncResource } from 'node:async_hooks'
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { jsonSchemaOf } from '../../base/zod-schema.js'
import {
  type EndpointOptions,
  type LlmOptions,
  type LlmReply,
  type LlmRequest,
  MemoryGoneError,
  type RehearsedCall,
  type RehearsedReply,
  type SystemOptions,
} from '../../model/index.js'
import { PrintedLines } from './last-words.js'
import {
  type AskedGeneration,
  type ChildMessage,
  type ContextData,
  type DescribedFile,
  type EndpointOrder,
  type ErrorData,
  errorData,
  errorFrom,
  type Fit,
  type Order,
  type ParentReply,
  plainTool,
} from './messages.js'

/** What a memory may ask of this process. */
export interface Services {
  now(): string
  log(message: string): void
  embed(texts: readonly string[]): Promise<Float32Array[]>
  generate(request: LlmRequest<unknown>, options: LlmOptions, played?: RehearsedReply): Promise<LlmReply<unknown>>
  endpoint(order: EndpointOrder, replies: EndpointOptions): Promise<unknown>
}

interface Waiting {
  /** What it was told, in a word. */
  what: string
  resolve(value: unknown): void
  reject(error: Error): void
  /** Runs something as if whoever gave the order had called it, so that it goes on their bill. */
  inside<T>(job: () => T): T
}

type Task = Order extends infer One ? (One extends Order ? Omit<One, 'id' | 'now'> : never) : never

const NOBODY: Services = {
  now: () => '',
  log: () => {},
  embed: async () => [],
  generate: async () => {
    throw new Error('llm: nothing is asked while no memory is there')
  },
  endpoint: async () => {
    throw new Error('endpoint: nothing is asked while no memory is there')
  },
}

const living = new Set<MemoryProcess>()
process.on('exit', () => {
  for (const one of living) one.end('the program ended')
})

/**
 * A process for memories of a user's file, with a group of its own, so that nothing it starts outlives it. Whatever goes on in it, it can be
 * ended at once; then all that waits for it fails.
 */
export class MemoryProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #ready: Promise<void>
  readonly #printed = new PrintedLines()
  #services = NOBODY
  #given = 0
  #over: MemoryGoneError | null = null
  #crash: ErrorData | null = null

  constructor() {
    this.#child = startChild()
    living.add(this)
    this.#ready = new Promise((resolve, reject) => {
      this.#child.on('message', (said: ChildMessage) => {
        if ('ready' in said) resolve()
        else this.#hear(said)
      })
      const over = (why: string) => {
        this.end(this.#crash ? `its process crashed: ${this.#crash.message}` : why)
        reject(this.#over)
      }
      this.#child.on('error', (error) => over(`its process failed: ${error.message}`))
      // What it wrote last may still be on its way.
      this.#child.once('exit', (code, signal) =>
        setTimeout(() => over(`its process ended (${signal ?? `code ${code}`})`), this.#waiting.size > 0 ? 50 : 0),
      )
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (text) => this.#printed.hear(text))
    // Who loads is told; a process may also end before anybody asks.
    this.#ready.catch(() => {})
  }

  get isOver(): boolean {
    return this.#over !== null
  }

  /** Imports a file. The limit counts from when the process stands. */
  async load(file: string, shown: string, limitMs: number): Promise<DescribedFile> {
    await this.#ready
    const late = setTimeout(() => this.#finish(new MemoryGoneError(`importing ${shown} took too long`, true)), limitMs)
    try {
      return (await this.#order({ do: 'load', file, shown })) as DescribedFile
    } finally {
      clearTimeout(late)
    }
  }

  /** Says who answers the memory that is made next. */
  serve(services: Services): void {
    this.#services = services
    this.#printed.listen((line) => services.log(line))
    this.#hold('ref')
  }

  /** Lets the program end although this process waits. */
  rest(): void {
    this.#services = NOBODY
    this.#printed.listen(null)
    this.#hold('unref')
  }

  /** @returns the methods that the memory has */
  async create(context: ContextData, options: Record<string, string>, shown: string): Promise<string[]> {
    return (await this.#order({ do: 'create', context, options, shown, clock: Date.now() })) as string[]
  }

  call(method: string, given: unknown[]): Promise<unknown> {
    return this.#order({ do: 'call', method, given })
  }

  /** Whether these options leave the model out. */
  async leavesOut(options: SystemOptions): Promise<boolean> {
    return (await this.#order({ do: 'leaves-out', options })) as boolean
  }

  /** What its rehearsal says to a request that came from elsewhere. */
  async rehearse({ step, request: { schema, tools, ...rest } }: RehearsedCall): Promise<RehearsedReply> {
    const request = {
      ...rest,
      ...(schema && { schema: jsonSchemaOf(schema) }),
      ...(tools && { tools: tools.map(plainTool) }),
    }
    return (await this.#order({ do: 'rehearse', step, request })) as RehearsedReply
  }

  /** Ends the process and what it started, at once. */
  end(why: string): void {
    this.#finish(new MemoryGoneError(why))
  }

  /** Whether the program waits for it. */
  #hold(how: 'ref' | 'unref'): void {
    this.#child[how]()
    this.#child.channel?.[how]()
    for (const stream of [this.#child.stdout, this.#child.stderr] as Socket[]) stream[how]()
  }

  #order(task: Task): Promise<unknown> {
    if (this.#over) return Promise.reject(this.#over)
    const id = ++this.#given
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        what: 'method' in task ? task.method : task.do,
        resolve,
        reject,
        inside: AsyncResource.bind((job) => job()),
      })
      this.#tell({ id, now: this.#services.now(), ...task } as Order)
    })
  }

  #hear(said: Exclude<ChildMessage, { ready: true }>): void {
    if ('log' in said) this.#services.log(said.log)
    else if ('crash' in said) this.#crash = said.crash
    else if ('ask' in said) void this.#answer(said)
    else {
      const one = this.#waiting.get(said.id)
      this.#waiting.delete(said.id)
      if ('error' in said) one?.reject(errorFrom(said.error))
      else one?.resolve(said.value)
    }
  }

  async #answer(said: Extract<ChildMessage, { ask: number }>): Promise<void> {
    const { embed, generate, endpoint } = this.#services
    const inside = this.#waiting.get(said.during)?.inside ?? (<T>(job: () => T) => job())
    try {
      const value = await inside<Promise<unknown>>(async () =>
        'embed' in said
          ? embed(said.embed)
          : 'endpoint' in said
            ? endpoint(said.endpoint, this.#repliesFrom(said.endpoint))
            : generate(this.#requestFrom(said.generate), this.#optionsFrom(said.generate), said.generate.rehearsed),
      )
      this.#tell({ answers: said.ask, value })
    } catch (error) {
      this.#tell({ answers: said.ask, error: errorData(error) })
    }
  }

  /** The request again; whether a reply fits its schema is asked where that schema is. */
  #requestFrom({ generation, request: { schema, ...rest } }: AskedGeneration): LlmRequest<unknown> {
    if (!schema) return rest
    const there = this.#schemaThere(generation)
    there._zod.toJSONSchema = () => schema
    return { ...rest, schema: there }
  }

  #repliesFrom(order: EndpointOrder): EndpointOptions {
    if (order.what !== 'open' || order.generation === undefined) return {}
    return { replies: this.#schemaThere(order.generation) }
  }

  #schemaThere(generation: number): z.ZodType {
    return z.unknown().transform(async (value, context) => {
      const fit = (await this.#order({ do: 'fit', generation, value })) as Fit
      if ('data' in fit) return fit.data
      for (const message of fit.issues) context.addIssue(message)
      return z.NEVER
    })
  }

  #optionsFrom({ generation, options, objects }: AskedGeneration): LlmOptions {
    if (!objects) return options
    const objection = async (reply: Pick<LlmReply, 'text' | 'toolCalls'>) =>
      (await this.#order({ do: 'object', generation, reply })) as string | null
    return { ...options, objection }
  }

  #tell(what: Order | ParentReply): void {
    if (!this.#child.connected) return
    this.#child.send(what, (error) => {
      if (error) this.end(`its process cannot be reached: ${error.message}`)
    })
  }

  #finish(error: MemoryGoneError): void {
    if (this.#over) return
    this.#over = error
    living.delete(this)
    for (const { what, reject } of this.#waiting.values())
      reject(new MemoryGoneError(error.timedOut ? error.message : `${error.message} during ${what}`, error.timedOut))
    this.#waiting.clear()
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Groups are not known everywhere, and this one may be gone.
      this.#child.kill('SIGKILL')
    }
    this.#hold('unref')
  }
}

/** What a memory prints is passed on as what it logs: this program's own output may be a result, and what a memory prints is data. */
function startChild(): ChildProcess {
  const built = fileURLToPath(new URL('./child.js', import.meta.url))
  const isBuilt = existsSync(built)
  return fork(isBuilt ? built : built.replace(/\.js$/, '.ts'), [], {
    execArgv: isBuilt ? [] : ['--import', 'jiti/register'],
    serialization: 'advanced',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}
