import { causesOf, UserError } from '../../base/errors.js'
import { MemoryGoneError } from '../../model/index.js'
import { type Connection, type MemoryOrder, MOST_BYTES, quoteStart, readReply } from './protocol.js'
import { headerValues, secretRemover } from './secrets.js'

/** Where a server is, and what it is sent beside requests. */
export interface Server {
  url: string
  /** Headers by name, each with the variable of the environment that holds its value. */
  headers: Readonly<Record<string, string>>
}

/** Connections to the memories of one server. */
export function serverAt({ url, headers }: Server): (memory: string) => Connection {
  if (!URL.canParse(url)) throw new UserError(`"${url}" is no address.`, 'For example: http://127.0.0.1:8080/memory')
  const values = headerValues(headers)
  const safe = secretRemover(Object.values(values))
  let asked = 0
  return (memory) => {
    const stop = new AbortController()
    let over: MemoryGoneError | null = null
    const gone = (why: string): MemoryGoneError => {
      over ??= new MemoryGoneError(safe(`${why}.`))
      stop.abort(over)
      return over
    }
    return {
      ask: async (order, now) => {
        if (over) throw over
        const id = ++asked
        const body = JSON.stringify({ id, memory, now, ...order })
        const { status, bytes } = await post(url, values, body, order, stop.signal).catch((error: unknown) => {
          if (over) throw over
          if (error instanceof MemoryGoneError) throw gone(error.message)
          throw unreached(error, order)
        })
        if (status !== 200) throw new Error(safe(refusal(status, bytes)))
        const { reply, wrong } = readReply(bytes, safe)
        if (wrong !== undefined) throw gone(`${wrong} during ${order.do}`)
        if (!reply || reply.id !== id) throw gone(`its reply to ${order.do} is not to what was asked`)
        if (reply.message !== null) throw new Error(reply.message)
        return reply.value
      },
      release: () => {},
      end: (why) => void gone(why),
    }
  }
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  { do: what }: MemoryOrder,
  signal: AbortSignal,
): Promise<{ status: number; bytes: Uint8Array }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal,
    redirect: 'error',
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    size += part.length
    if (size > MOST_BYTES) throw new MemoryGoneError(`its reply to ${what} is longer than 64 MiB`)
  }
  return { status: response.status, bytes: Buffer.concat(parts) }
}

/** The innermost cause says what happened, and carries the code by which it is known that nothing was reached. */
function unreached(error: unknown, { do: what }: MemoryOrder): Error {
  const cause = causesOf(error).at(-1)
  return new Error(`${what}: the server cannot be reached: ${cause?.message || String(error)}`, { cause: error })
}

function refusal(status: number, bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.slice(0, 2000)).trim()
  return `its server said ${status}${text === '' ? '' : `: ${quoteStart(text)}`}`
}
