import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { z } from 'zod'
import { atMost } from '../../base/at-most.js'
import { UserError } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import { removeTemporary, temporaryFolder } from '../../base/temporary.js'
import type { Endpoint, MemorySystem, SystemContext, SystemDefinition } from '../../model/index.js'
import { checkInstance } from './import-file.js'
import {
  type Connection,
  type Declared,
  declaredSchema,
  linkedByText,
  type MemoryOrder,
  memoriesIn,
  PROTOCOL,
} from './protocol.js'

/** A memory that speaks the protocol, before anything is known of it. */
export interface Remote {
  /** What it is called by in messages. */
  shown: string
  /** What its row is called where neither the user nor the memory says so. */
  name: string
  /** What the user calls its row. */
  given?: string | undefined
  options: Readonly<Record<string, string>>
  /** What makes it another subject when it changes, beside its own version. */
  content: unknown
  /** It runs on this machine, and gets a folder and an environment. */
  isProcess: boolean
  /** A way to a new memory; with an environment of its own, where it runs here. */
  connect(memory: string, environment?: Record<string, string>): Connection
}

const UNMETERED = 'model calls of its own, if it makes any, are not metered'
const TIMELESS = 'does not go by scenario time'

/**
 * The definition of a memory behind the protocol, by what it declares when it is opened. A first memory is opened and closed for that.
 *
 * @param timeoutMs longest that opening may take
 */
export async function remoteDefinition(remote: Remote, timeoutMs: number): Promise<SystemDefinition> {
  const declared = await describe(remote, timeoutMs)
  const { name, version, about, depth, answers, atomic, idempotent, model, time, concurrency = 1 } = declared
  const content = fingerprint({ content: remote.content, options: remote.options }).slice(0, 16)
  // One server has the calls of all its memories; a process has one memory.
  const shared = atMost(concurrency)
  return {
    name: remote.given ?? name ?? remote.name,
    version: version === undefined ? content : `${version}+${content}`,
    class: 'processed',
    about: about ?? `a memory of your own: ${remote.shown}`,
    ...(depth && { depth }),
    ...(answers && { answers }),
    ...(model && { needs: { llm: true, endpoint: true } }),
    atomic: atomic ?? false,
    idempotent: idempotent ?? false,
    remarks: [...(time ? [] : [TIMELESS]), ...(model ? [] : [UNMETERED])],
    create: (context) => {
      if (model && !context.llm) throw new Error('It has a model inside, and none is there to be asked.')
      return open(remote, context, remote.isProcess ? atMost(concurrency) : shared)
    },
  }
}

async function describe(remote: Remote, timeoutMs: number): Promise<Declared> {
  const connection = remote.connect(`check-${process.pid}-${Date.now()}`)
  const late = setTimeout(() => connection.end(`it took longer than ${timeoutMs / 1000} s to open`), timeoutMs)
  const now = '2025-01-01T00:00:00Z'
  const workdir = remote.isProcess ? temporaryFolder('opened') : undefined
  try {
    const declared = declaredIn(await connection.ask(openOrder(remote, workdir === undefined ? {} : { workdir }), now))
    await connection.ask({ do: 'close' }, now)
    connection.release()
    return declared
  } catch (error) {
    connection.end('it could not be opened')
    if (error instanceof UserError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `${remote.shown} could not be used as a memory: ${why}`,
      'What is expected of it: docs/protocol.md',
    )
  } finally {
    clearTimeout(late)
    if (workdir !== undefined) removeTemporary(workdir)
  }
}

function openOrder({ options }: Remote, more: Partial<Extract<MemoryOrder, { do: 'open' }>> = {}): MemoryOrder {
  return { do: 'open', protocol: PROTOCOL, options, ...more }
}

function declaredIn(value: unknown): Declared {
  const plain = Object.fromEntries(Object.entries(value ?? {}).filter(([, one]) => one !== null))
  const read = declaredSchema.safeParse(plain)
  if (read.success) return read.data
  throw new UserError(
    `What it declares when it is opened is wrong: ${z.prettifyError(read.error).replace(/\s*\n\s*/g, ' ')}`,
  )
}

/** A memory in a process or on a server, as the engine sees it. */
async function open(
  remote: Remote,
  context: SystemContext,
  turn: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<MemorySystem> {
  const { llm, workdir } = context
  const endpoint = llm ? await context.endpoint?.() : undefined
  const model = endpoint && llm ? { url: endpoint.url, token: endpoint.token, name: llm.model } : undefined
  const environment = model && {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: model.token,
    MEMSCOPE_MODEL: model.name,
  }
  const connection = remote.connect(context.namespace, remote.isProcess ? environment : undefined)
  const stop = () => connection.end('it was stopped')
  context.signal.addEventListener('abort', stop, { once: true })
  if (context.signal.aborted) stop()
  let isLeft = false
  // What served it may serve another by now.
  const ask = async (order: MemoryOrder) => {
    if (!isLeft) return turn(() => connection.ask(order, context.now()))
    if (order.do !== 'close') throw new Error('it was closed')
  }
  const leave = async (end?: string) => {
    if (isLeft) return
    isLeft = true
    context.signal.removeEventListener('abort', stop)
    if (end === undefined) connection.release()
    else connection.end(end)
    await endpoint?.close()
  }
  try {
    const more = { ...(remote.isProcess && { workdir }), ...(model && { model }) }
    const opened = () => ask(openOrder(remote, more))
    // Clients of models may ask something already when they are made.
    const { offers = [] } = declaredIn(await (endpoint ? endpoint.during('ingest', opened) : opened()))
    return checkInstance(linkedByText(methodsOf(ask, offers, endpoint, leave)), remote.shown)
  } catch (error) {
    await leave('it could not be opened')
    throw error
  }
}

function methodsOf(
  ask: (order: MemoryOrder) => Promise<unknown>,
  offers: NonNullable<Declared['offers']>,
  endpoint: Endpoint | undefined,
  leave: (end?: string) => Promise<void>,
): MemorySystem {
  const billed = <T>(role: Parameters<Endpoint['during']>[0], work: () => Promise<T>) =>
    endpoint ? endpoint.during(role, work) : work()
  const optional: Required<Omit<MemorySystem, 'store' | 'retrieve' | 'close'>> = {
    dump: async () => memoriesIn(await ask({ do: 'dump' })) as never,
    settle: async (timeoutMs) => void (await billed('ingest', () => ask({ do: 'settle', timeoutMs }))),
    answer: async (query) => {
      const answer = (await billed('answer', () => ask({ do: 'answer', query }))) as { used?: unknown } | string
      if (typeof answer === 'string') return { text: answer }
      return (answer?.used ? { ...answer, used: memoriesIn(answer.used) } : answer) as never
    },
    insert: async (memories) => void (await billed('ingest', () => ask({ do: 'insert', memories: [...memories] }))),
    snapshot: () => ask({ do: 'snapshot' }),
    restore: async (snapshot) => void (await ask({ do: 'restore', snapshot })),
  }
  return {
    ...Object.fromEntries(offers.map((name) => [name, optional[name]])),
    store: async (conversation) => void (await billed('ingest', () => ask({ do: 'store', conversation }))),
    retrieve: async (query, k, depth) =>
      memoriesIn(await billed('retrieve', () => ask({ do: 'retrieve', query, k, depth }))) as never,
    close: async () => {
      try {
        await ask({ do: 'close' })
      } catch (error) {
        await leave('it could not be closed')
        throw error
      }
      await leave()
    },
  }
}

/** Files that a command names. */
export function filesNamed(words: readonly string[], cwd: string): string[] {
  return words.map((word) => resolve(cwd, word)).filter((file) => existsSync(file) && statSync(file).isFile())
}

/** What files hold: another content is another subject. */
export function contentsOf(files: readonly string[]): string[] {
  return files.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'))
}

/** A short name for what a command or an address points to. */
export function nameFor(path: string): string {
  return basename(path, extname(path)).replace(/[\s:=]+/g, '-') || 'memory'
}
