import type { MemorySystem, RehearsedReply, SystemContext, SystemDefinition, SystemOptions } from '../../model/index.js'
import { Endpoints } from './endpoints.js'
import type { ContextData, DescribedFile } from './messages.js'
import { MemoryProcess } from './process.js'

/** Processes of one file that wait for their next memory. */
const MOST_IDLE = 4

/** Replies that the rehearsal of a file gave, in its own process, by the request they belong to. */
const rehearsed = new WeakMap<object, RehearsedReply>()

type Described = Omit<DescribedFile, 'rehearsed' | 'mayLeaveOut'> &
  Pick<SystemDefinition, 'create' | 'rehearsal' | 'withoutModel'>

/**
 * Reads the definition in a user's file. Every memory it makes lives in a process of its own, which can be ended whatever the memory does;
 * one that was closed in order serves the next memory of the file.
 *
 * @throws MemoryGoneError when the import does not end within the limit, or ends the process
 */
export async function describeFile(file: string, shown: string, limitMs: number): Promise<Described> {
  const idle: MemoryProcess[] = []
  const first = new MemoryProcess()
  const {
    rehearsed: hasRehearsal,
    mayLeaveOut,
    ...data
  } = await first.load(file, shown, limitMs).catch((error: unknown) => {
    first.end('it could not be loaded')
    throw error
  })
  const release = (one: MemoryProcess) => {
    if (one.isOver) return
    if (idle.length >= MOST_IDLE) return one.end('it was closed')
    one.rest()
    idle.push(one)
  }
  release(first)
  const lease = async (): Promise<MemoryProcess> => {
    for (let one = idle.pop(); one; one = idle.pop()) if (!one.isOver) return one
    const fresh = new MemoryProcess()
    await fresh.load(file, shown, limitMs)
    return fresh
  }
  /** Asks any process of the file what depends on nothing else. */
  const asking = async <T>(ask: (one: MemoryProcess) => Promise<T>): Promise<T> => {
    const one = await lease()
    return ask(one).finally(() => release(one))
  }
  return {
    ...data,
    ...(hasRehearsal && {
      rehearsal: (call) => rehearsed.get(call.request) ?? asking((one) => one.rehearse(call)),
    }),
    ...(mayLeaveOut && { withoutModel: (options) => asking((one) => one.leavesOut(options)) }),
    create: async (context, options) => memoryIn(await lease(), context, options, shown, release),
  }
}

/** A memory in a process, as the engine sees it. */
async function memoryIn(
  host: MemoryProcess,
  context: SystemContext,
  options: SystemOptions,
  shown: string,
  release: (host: MemoryProcess) => void,
): Promise<MemorySystem> {
  const endpoints = new Endpoints((options) => {
    if (!context.endpoint) throw new Error('endpoint: it does not declare needs.endpoint')
    return context.endpoint(options)
  })
  const stop = () => {
    host.end('it was stopped')
    void endpoints.close().catch(() => {})
  }
  context.signal.addEventListener('abort', stop, { once: true })
  if (context.signal.aborted) stop()
  host.serve({
    now: () => context.now(),
    log: (message) => context.log(message),
    embed: (texts) => context.embed.embed(texts),
    generate: (request, generation, played) => {
      if (!context.llm) throw new Error('llm: it does not declare needs.llm')
      if (played) rehearsed.set(request, played)
      return context.llm.generate(request, generation)
    },
    endpoint: (order, replies) => endpoints.obey(order, replies),
  })
  const leave = async () => {
    context.signal.removeEventListener('abort', stop)
    release(host)
    await endpoints.close()
  }
  const methods = await host.create(dataOf(context), options, shown).catch(async (error: unknown) => {
    await leave()
    throw error
  })
  const system: Record<string, unknown> = {}
  for (const name of methods) system[name] = (...given: unknown[]) => host.call(name, given)
  system.close = async () => {
    try {
      if (methods.includes('close')) await host.call('close', [])
    } catch (error) {
      // What is left of it is not known: no other memory is made there, and it keeps no program from ending.
      host.end('it could not be closed')
      throw error
    } finally {
      await leave()
    }
  }
  return system as unknown as MemorySystem
}

function dataOf({ embed, llm, endpoint, workdir, namespace, prompts }: SystemContext): ContextData {
  const { id, dimensions } = embed
  const plain = { workdir, namespace, ...(prompts && { prompts }) }
  return { embed: { id, dimensions }, model: llm?.model ?? null, endpoint: endpoint !== undefined, ...plain }
}
