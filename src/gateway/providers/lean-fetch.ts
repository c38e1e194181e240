import { isUtf8 } from 'node:buffer'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { Redirected, RefusedReply } from '../limits/failure.js'

/** Longest wait for a connection. */
const CONNECT_MS = 10_000

/** Longest reply that is read, as it comes and decompressed: four times what the longest replies and batches of vectors take. */
const MOST_BYTES = 16 * 1024 * 1024

/** How many calls are under way is the limiter's business; their connections are kept for the next ones. */
const KEPT = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }
const plain = new http.Agent(KEPT)
const secure = new https.Agent(KEPT)

/**
 * A `fetch` for calls of models: sends a text and reads the whole reply. It takes less than half the time of the built-in one, which puts streams
 * around every body, and it leaves time limits to the caller (the built-in one gives up after five minutes, whatever was asked for). Errors
 * are those of `fetch`. Redirects are not followed, since keys and prompts would go with them, and a reply that is too long is refused.
 *
 * @example createOpenAI({ apiKey, fetch: leanFetch })
 */
export const leanFetch: typeof fetch = async (input, init = {}) => {
  const { body = null, signal = null } = init
  const url = String(input instanceof Request ? input.url : input)
  if (input instanceof Request || !/^https?:/.test(url) || (body !== null && typeof body !== 'string'))
    throw new TypeError(`Expected the address of a web server and a text to send to it, got ${url}`)
  signal?.throwIfAborted()
  const { reply, bytes } = await exchange(url, init, body ?? '', signal)
  const { statusCode = 0, statusMessage = '', headers } = reply
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  // Read all the same, letters would be replaced, and other words be judged than the model said. What is said of an error may be garbled.
  if (statusCode < 400 && !isUtf8(bytes)) throw new RefusedReply('the reply is no text in UTF-8', BAD_SERVER)
  const empty = statusCode === 204 || statusCode === 205 || statusCode === 304
  return new Response(empty ? null : bytes, { status: statusCode, statusText: statusMessage, headers: pairs })
}

interface Exchanged {
  reply: IncomingMessage
  bytes: Uint8Array<ArrayBuffer>
}

function exchange(url: string, init: RequestInit, body: string, signal: AbortSignal | null): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const isSecure = url.startsWith('https:')
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...Object.fromEntries(new Headers(init.headers)),
      ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
    }
    const options = { method: init.method ?? 'GET', headers, agent: isSecure ? secure : plain }
    const request = isSecure ? https.request(url, options) : http.request(url, options)
    const fail = (error: unknown) => {
      signal?.removeEventListener('abort', onAbort)
      const known = error instanceof RefusedReply ? error : new TypeError('fetch failed', { cause: error })
      reject(signal?.aborted ? signal.reason : known)
    }
    const onAbort = () => request.destroy()
    signal?.addEventListener('abort', onAbort, { once: true })
    request.on('error', fail)
    request.on('socket', (socket) => limitConnecting(request, socket))
    request.on('response', (reply) => {
      const { statusCode = 0, headers } = reply
      const end = (error: unknown) => {
        request.destroy()
        fail(error)
      }
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        end(new Redirected(url, headers.location))
        return
      }
      readAll(reply).then((bytes) => {
        signal?.removeEventListener('abort', onAbort)
        resolve({ reply, bytes })
      }, end)
    })
    request.end(body)
  })
}

/** The connection ended inside a reply: it was written, and may be charged for. */
class CutOff extends Error {
  constructor(cause: unknown) {
    super('the connection ended before the whole reply had come', { cause })
  }
}

/** Nothing was sent. */
class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT'
}

/** A server that cannot be reached is told apart from one that thinks for long. What connected while this process was busy has connected. */
function limitConnecting(request: http.ClientRequest, socket: Socket): void {
  if (!socket.connecting) return
  const end = () => {
    if (socket.connecting) request.destroy(new ConnectTimeout(`no connection within ${CONNECT_MS / 1000} s`))
  }
  // What happened meanwhile is heard between timers and this.
  const timer = setTimeout(() => setImmediate(end), CONNECT_MS)
  const done = () => clearTimeout(timer)
  socket.once('connect', done)
  socket.once('close', done)
}

/** The whole body, decompressed as it comes, so that neither memory nor time is taken by what is refused in the end. */
async function readAll(reply: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = () =>
    new RefusedReply(
      `the reply is longer than ${MOST_BYTES / 1024 / 1024} MiB, more than is read`,
      'Ask for fewer tokens or smaller batches, or look at what the server sends.',
    )
  if (Number(reply.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLong()
  const body = decoded(reply)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MOST_BYTES) throw tooLong()
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof RefusedReply || isGarbled(error) ? error : new CutOff(error)
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks)
}

function isGarbled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR'
}

/** Servers may compress though they were not asked to. */
function decoded(reply: IncomingMessage): Readable {
  const encoding = reply.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return reply
  const known = /^(?:x-)?gzip$|^deflate$/.test(encoding)
    ? createUnzip()
    : encoding === 'br'
      ? createBrotliDecompress()
      : null
  if (!known) throw new RefusedReply(`the reply is compressed as "${encoding}", which was not asked for`, BAD_SERVER)
  reply.on('error', (error) => known.destroy(error))
  return reply.pipe(known)
}

const BAD_SERVER = 'Check that the base URL is that of an API of this kind.'
