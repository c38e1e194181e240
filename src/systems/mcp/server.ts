import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import { messageOf } from '../../base/errors.js'
import { printable, shortened } from '../../base/text.js'
import { MemoryGoneError } from '../../model/index.js'
import { secretRemover } from '../outside/secrets.js'
import type { McpTool, Sdk, Transport } from './client.js'
import { MOST_BYTES, ServerProcess } from './server-process.js'

/** Where a server is: a command that starts one, with values of variables that the user passed on, or an address with the headers it is sent. */
export type ServerPlace =
  | { words: readonly string[]; cwd: string; env: Record<string, string>; passed?: readonly string[] }
  | { url: URL; headers: Record<string, string> }

/** What a tool gave. */
export interface ToolResult {
  tool: string
  /** Its data, or its text read as JSON, or else its texts. */
  data: unknown
  texts: readonly string[]
}

/** A server that does not do what a tool was called for, and goes on. */
export class RefusedError extends Error {}

/** A server that tools can be called of, until it is closed. */
export interface McpServer {
  name: string
  version: string
  tools: readonly McpTool[]
  call(tool: string, given: Record<string, unknown>): Promise<ToolResult>
  close(): Promise<void>
}

const Result = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
})

/** The client has a limit of its own, and none is longer. */
const NO_LIMIT_MS = 2 ** 31 - 1
/** Longest that a server is waited for when it is only told good-bye. */
const FAREWELL_MS = 2000

/**
 * Opens a server, and reads what it is and which tools it has. Aborting the signal ends it at once: whoever lives a life watches its time.
 *
 * @param timeoutMs longest that one request may take, where nobody watches
 * @throws MemoryGoneError when there is no server to talk to
 */
export async function openServer(
  sdk: Sdk,
  place: ServerPlace,
  signal: AbortSignal,
  timeoutMs = NO_LIMIT_MS,
): Promise<McpServer> {
  const own = 'words' in place ? new ServerProcess(place) : null
  const web = 'words' in place ? null : webTransport(sdk, place)
  const transport: Transport = own ?? web!
  const headers = 'words' in place ? [] : Object.values(place.headers)
  const safe = secretRemover(headers)
  const inWords = secretRemover('words' in place ? (place.passed ?? []) : headers)
  const client = new sdk.Client({ name: 'memscope', version: '1' })
  // What a process says unasked is no reply; streams of HTTP break off and are opened again by the client.
  client.onerror = (error) => own?.end(`it said what was not asked for (${shortened(error.message, 200)})`)
  let gone: MemoryGoneError | null = null
  const end = (why: string) => {
    own?.end(why)
    void client.close().catch(() => {})
  }
  const stop = () => {
    gone ??= new MemoryGoneError('it was stopped')
    end('it was stopped')
  }
  // One signal stops many lives; that many listeners are no leak.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const asking = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    if (gone) throw gone
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) === 'REQUEST_TIMEOUT') {
        gone ??= new MemoryGoneError(
          inWords(`${what} took longer than ${timeoutMs / 1000} s.${own?.lastWords ?? ''}`),
          true,
        )
        end('it took too long')
      } else if (own?.gone) gone ??= new MemoryGoneError(inWords(`${own.gone} during ${what}.${own.lastWords}`))
      if (gone) throw gone
      const message = inWords(messageOf(error))
      if (typeof codeOf(error) === 'number') throw new RefusedError(message)
      throw Object.assign(new Error(`${what}: ${message}`), reachOf(error))
    }
  }
  const options = { timeout: timeoutMs }
  const close = async () => {
    signal.removeEventListener('abort', stop)
    gone ??= new MemoryGoneError('it was closed')
    if (web) await withinFarewell(web.terminateSession())
    await withinFarewell(own ? own.close() : client.close())
  }
  try {
    await asking('opening', () => client.connect(transport, options))
    const { tools } = await asking('tools/list', () => client.listTools(undefined, options))
    const { name = 'server', version = '' } = client.getServerVersion() ?? {}
    return {
      name: printable(shortened(name, 100)),
      version: printable(shortened(version, 100)),
      tools,
      call: async (tool, given) => {
        const said = await asking(tool, () => client.callTool({ name: tool, arguments: given }, options))
        const { content, structuredContent, isError } = Result.parse(JSON.parse(safe(JSON.stringify(said))))
        const texts = content.flatMap(({ text = '' }) => (text === '' ? [] : [text]))
        if (isError) throw new RefusedError(`${tool}: ${printable(shortened(texts.join(' '), 1000))}`)
        return { tool, data: structuredContent ?? jsonIn(texts.join('\n')) ?? texts, texts }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** HTTP with a limit on what comes back. */
function webTransport(sdk: Sdk, { url, headers }: Extract<ServerPlace, { url: URL }>) {
  const bounded: typeof fetch = async (input, init) => {
    // What goes out is for the address that was given; nothing follows it elsewhere.
    const response = await fetch(input, { ...init, redirect: 'error' })
    let bytes = 0
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.length
        if (bytes > MOST_BYTES) controller.error(new Error(`it said more than ${MOST_BYTES / 2 ** 20} MiB`))
        else controller.enqueue(chunk)
      },
    })
    const { status, statusText } = response
    return response.body === null
      ? response
      : new Response(response.body.pipeThrough(limit), { status, statusText, headers: response.headers })
  }
  return new sdk.StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: bounded })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Whether somebody was there to hear it is known by the code of the innermost cause; the rest may hold secrets. */
function reachOf(error: unknown): { cause?: Error } {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at)
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return { cause: Object.assign(new Error(code), { code }) }
  }
  return {}
}

/** A list or an object; a number or a word is a text like others. */
function jsonIn(text: string): object | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}

async function withinFarewell(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS)
  })
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
