import { AsyncLocalStorage } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { isZodSchema, jsonSchemaOf } from '../../base/zod-schema.js'
import {
  type Endpoint,
  type EndpointOptions,
  isRehearsed,
  type Llm,
  LlmError,
  type LlmOptions,
  type LlmReply,
  type LlmRequest,
  type LlmTool,
  type MemorySystem,
  type RehearsedReply,
  type SystemContext,
} from '../../model/index.js'
import { shiftedDate } from '../shifted-date.js'
import { checkInstance, type FileDefinition, importDefinition } from './import-file.js'
import {
  type AskedGeneration,
  type ChildMessage,
  type ContextData,
  type EndpointOrder,
  errorData,
  errorFrom,
  type Fit,
  type Order,
  type ParentReply,
  plainTool,
} from './messages.js'

/*
 * The process of a memory from a user's file. It imports the file, makes one memory at a time and does with it what it is told; models and
 * embedders are asked over there.
 */

/** Snapshots that are kept; the harness holds only their numbers. */
const MOST_SNAPSHOTS = 16

const METHODS = ['store', 'retrieve', 'dump', 'settle', 'answer', 'insert', 'snapshot', 'restore', 'close'] as const

const DAY_MS = 86_400_000
const RealDate = Date

const orders = new AsyncLocalStorage<number>()
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
const generations = new Map<number, { request: LlmRequest<unknown>; options: LlmOptions }>()
const snapshots = new Map<number, unknown>()
let definition: FileDefinition | null = null
let system: MemorySystem | null = null
let now = ''
let asked = 0
let taken = 0

endWithParent()
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)
process.on('disconnect', () => process.exit())
process.on('message', (message: Order | ParentReply) => {
  if ('answers' in message) answered(message)
  else void orders.run(message.id, () => obey(message))
})
say({ ready: true })

async function obey(order: Order): Promise<void> {
  now = order.now
  try {
    say({ id: order.id, value: await doneOf(order) })
  } catch (error) {
    say({ id: order.id, error: errorData(error) })
  }
}

function doneOf(order: Order): unknown {
  switch (order.do) {
    case 'load':
      return load(order.file, order.shown)
    case 'create':
      setClock(order.clock)
      return make(order.context, order.options, order.shown)
    case 'call':
      return call(order.method as (typeof METHODS)[number], order.given)
    case 'leaves-out':
      return definition!.withoutModel?.(order.options) ?? false
    case 'rehearse':
      return rehearsedReply(order.step, requestFrom(order.request))
    case 'fit':
      return fitOf(generations.get(order.generation)!.request, order.value)
    case 'object':
      return generations.get(order.generation)!.options.objection?.(order.reply) ?? null
  }
}

async function load(file: string, shown: string) {
  definition = await importDefinition(file, shown)
  const { create: _create, rehearsal, withoutModel, ...data } = definition
  return { ...data, rehearsed: rehearsal !== undefined, mayLeaveOut: withoutModel !== undefined }
}

/** The clock of the harness stands elsewhere while it finds out whether memories look at clocks. */
function setClock(time: number): void {
  const ms = time - RealDate.now()
  globalThis.Date = Math.abs(ms) > DAY_MS ? shiftedDate(RealDate, ms) : RealDate
}

/** @returns the methods that the memory has */
async function make(context: ContextData, options: Record<string, string>, shown: string): Promise<string[]> {
  system = checkInstance(await definition!.create(contextFrom(context), options), shown)
  snapshots.clear()
  return METHODS.filter((name) => system![name] !== undefined)
}

async function call(method: (typeof METHODS)[number], given: unknown[]): Promise<unknown> {
  if (method === 'restore') {
    const number = given[0] as number
    if (!snapshots.has(number)) throw new Error('restore: that snapshot is no longer there')
    return system!.restore!(snapshots.get(number))
  }
  const result: unknown = await Reflect.apply(system![method]!, system, given)
  if (method !== 'snapshot') return result
  snapshots.set(++taken, result)
  for (const old of [...snapshots.keys()].slice(0, -MOST_SNAPSHOTS)) snapshots.delete(old)
  return taken
}

function contextFrom({ embed, model, endpoint, ...data }: ContextData): SystemContext {
  return {
    ...data,
    embed: { ...embed, embed: async (texts) => (await ask({ embed: [...texts] })) as Float32Array[] },
    ...(model !== null && { llm: modelNamed(model) }),
    ...(endpoint && { endpoint: openEndpoint }),
    now: () => now,
    signal: new AbortController().signal,
    log: (message) => say({ log: String(message) }),
  }
}

function modelNamed(model: string): Llm {
  return {
    model,
    async generate<T>(request: LlmRequest<T>, options: LlmOptions): Promise<LlmReply<T>> {
      const generation = ++asked
      generations.set(generation, { request, options })
      try {
        const generate = await generationData(generation, model, request, options)
        const reply = (await ask({ generate })) as LlmReply<T>
        return { ...reply, toolCalls: checkedCalls(reply, request.tools ?? [], options) }
      } finally {
        generations.delete(generation)
      }
    },
  }
}

async function generationData<T>(
  generation: number,
  model: string,
  request: LlmRequest<T>,
  { signal: _signal, objection, ...options }: LlmOptions,
): Promise<AskedGeneration> {
  const { schema, tools, ...rest } = request
  const step = options.label?.split('/').at(-1) ?? ''
  const rehearsed = isRehearsed(model) ? await rehearsedReply(step, request) : undefined
  return {
    generation,
    request: {
      ...rest,
      ...(schema && { schema: jsonSchemaOf(schema) }),
      ...(tools && { tools: tools.map(plainTool) }),
    },
    options,
    objects: objection !== undefined,
    ...(rehearsed && { rehearsed }),
  }
}

async function rehearsedReply(step: string, request: LlmRequest<unknown>): Promise<RehearsedReply | undefined> {
  const prompt = request.messages.map(({ content }) => content).join('\n\n')
  return definition?.rehearsal?.({ step, prompt, request })
}

function requestFrom({ schema, ...rest }: AskedGeneration['request']): LlmRequest<unknown> {
  return { ...rest, ...(schema && { schema: z.fromJSONSchema(schema) }) }
}

/** A server over there; the work during which it answers is done here. */
async function openEndpoint({ replies }: EndpointOptions = {}): Promise<Endpoint> {
  const generation = ++asked
  if (replies) generations.set(generation, { request: { messages: [], schema: replies }, options: { role: 'ingest' } })
  const { endpoint, ...place } = (await ask({
    endpoint: { what: 'open', ...(replies && { generation }) },
  })) as Pick<Endpoint, 'url' | 'token'> & { endpoint: number }
  return {
    ...place,
    during: async (role, work) => {
      const visit = (await ask({ endpoint: { what: 'begin', endpoint, role } })) as number
      const end = (failed: boolean) => ask({ endpoint: { what: 'end', visit, failed } })
      const result = await work().catch(async (error: unknown) => {
        await end(true)
        throw error
      })
      await end(false)
      return result
    },
    close: async () => {
      await ask({ endpoint: { what: 'close', endpoint } })
      generations.delete(generation)
    },
  }
}

async function fitOf({ schema }: LlmRequest<unknown>, value: unknown): Promise<Fit> {
  const fits = await schema!.safeParseAsync(value)
  return fits.success
    ? { data: fits.data }
    : { issues: fits.error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')) }
}

/** Arguments are looked at here, where the schemas of the tools are. */
function checkedCalls(reply: LlmReply<unknown>, tools: readonly LlmTool[], options: LlmOptions): LlmReply['toolCalls'] {
  return reply.toolCalls.map((made) => {
    const parameters = tools.find(({ name }) => name === made.name)?.parameters
    if (made.wrong !== undefined || !parameters || !isZodSchema(parameters)) return made
    const fits = parameters.safeParse(made.input)
    if (fits.success) return { ...made, input: fits.data }
    const wrong = z.prettifyError(fits.error).replace(/\s*\n\s*/g, ' ')
    if (options.wrongCalls === 'return') return { ...made, wrong }
    throw new LlmError('unparsable', `The call of the tool "${made.name}" for "${options.label}": ${wrong}`, '')
  })
}

function ask(
  what: { embed: string[] } | { generate: AskedGeneration } | { endpoint: EndpointOrder },
): Promise<unknown> {
  const number = ++asked
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject })
    say({ ask: number, during: orders.getStore() ?? 0, ...what })
  })
}

function answered(told: ParentReply): void {
  const one = waiting.get(told.answers)
  waiting.delete(told.answers)
  if ('error' in told) one?.reject(errorFrom(told.error))
  else one?.resolve(told.value)
}

/** @throws when what is said is no plain data, such as a function */
function say(what: ChildMessage): void {
  process.send!(what)
}

function crash(error: unknown): void {
  try {
    process.send!({ crash: errorData(error) } satisfies ChildMessage, undefined, undefined, () => process.exit(1))
  } catch {
    process.exit(1)
  }
}

/** A thread that sees the parent go, also while the memory keeps this one busy; then it ends everything the memory started. */
function endWithParent(): void {
  const watch = `
    const parent = ${process.ppid}
    setInterval(() => {
      if (process.ppid === parent) return
      try { process.kill(-process.pid, 'SIGKILL') } catch { process.kill(process.pid, 'SIGKILL') }
    }, 250)`
  new Worker(watch, { eval: true, stdin: false }).unref()
}
