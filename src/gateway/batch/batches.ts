import { randomBytes } from 'node:crypto'
import { sha256 } from '../../base/hash.js'
import type { Clock } from '../limits/clock.js'
import { CALL_KEY } from '../providers/sdk.js'
import { type BatchApi, BatchError, type BatchPlace } from './batch-api.js'
import type { BatchLine, BatchReply, BatchStore, KeptBatch } from './batch-store.js'

/** Most requests and characters of one batch. Providers take more; so the replies of one can be read in one piece. */
const MOST_LINES = 2_000
const MOST_CHARACTERS = 50_000_000

/** A batch is sent when no request has come for so long. */
const QUIET_MS = 1_000
/** First wait for a batch; doubles each time. */
const FIRST_LOOK_MS = 1_000
const LONGEST_LOOK_MS = 60_000
/** How often in a row a look may fail before the batch is left for later. */
const MOST_FAILED_LOOKS = 10

interface Waiter {
  settle(reply: BatchReply | null): void
  fail(error: unknown): void
}

export interface BatchTools {
  api: BatchApi
  store: BatchStore
  clock: Clock
  request: typeof fetch
  /** Takes secrets out of what is kept. */
  redact(text: string): string
  log(message: string): void
}

/**
 * A `fetch` whose requests go out together, in batches, and whose replies come when theirs is over. To the SDK nothing else is different, so that
 * requests and replies are made and read as ever. A request that is in a batch already, of this process or of one that ended, is waited for
 * and not sent again.
 */
export function batchFetch(model: string, tools: BatchTools): typeof fetch {
  const { store } = tools
  const waiting = new Map<string, Set<Waiter>>()
  const queue = new Map<string, BatchLine>()
  const watched = new Set<string>()
  let quiet: AbortController | null = null
  /** Ends the waiting when nobody is left who waits. The batches go on where they are. */
  let patience = new AbortController()

  const answer = (id: string, reply: BatchReply | null) => {
    for (const waiter of waiting.get(id) ?? []) waiter.settle(reply)
    waiting.delete(id)
  }
  const failAll = (ids: Iterable<string>, error: unknown) => {
    for (const id of ids) {
      for (const waiter of waiting.get(id) ?? []) waiter.fail(error)
      waiting.delete(id)
    }
  }

  const watch = (place: BatchPlace, batch: KeptBatch) => {
    if (watched.has(batch.name)) return
    watched.add(batch.name)
    const ids = store.linesOf(batch.name)
    finish(place, batch, ids, tools, patience.signal).then(
      (came) => {
        const replies = came.map((reply) => ({ ...reply, body: tools.redact(reply.body) }))
        store.end(batch.name, replies)
        const found = new Map(replies.map((reply) => [reply.id, reply]))
        for (const id of ids) answer(id, found.get(id) ?? null)
      },
      (error) => {
        if (error instanceof BatchError && error.isFinal) store.end(batch.name, [])
        watched.delete(batch.name)
        failAll(ids, error)
      },
    )
  }

  const send = (place: BatchPlace, key: string) => {
    const lines: BatchLine[] = []
    let characters = 0
    for (const [id, line] of queue) {
      if (lines.length === MOST_LINES || (lines.length > 0 && characters + line.body.length > MOST_CHARACTERS)) break
      lines.push(line)
      characters += line.body.length
      queue.delete(id)
    }
    const batch: KeptBatch = { name: randomBytes(12).toString('hex'), created: tools.clock.now(), remote: null }
    store.begin(batch, key, lines)
    watched.add(batch.name)
    const ids = lines.map(({ id }) => id)
    tools.api.submit(place, batch.name, lines, NEVER).then(
      (remote) => {
        store.sent(batch.name, remote)
        tools.log(
          `${lines.length} requests to ${model} are in the batch ${remote}. Ctrl-C leaves it there; --resume comes back for it.`,
        )
        watched.delete(batch.name)
        watch(place, { ...batch, remote })
      },
      (error) => {
        // Refused, so that nothing is under way; what was lost on its way may be, and is looked for when it is asked for again.
        if (error instanceof BatchError) store.end(batch.name, [])
        watched.delete(batch.name)
        failAll(ids, error)
      },
    )
    if (queue.size > 0) send(place, key)
  }

  return async (input, init = {}) => {
    const { [CALL_KEY]: call = '', ...headers } = Object.fromEntries(new Headers(init.headers))
    const body = String(init.body)
    const url = new URL(String(input))
    const [, base = '', path = ''] =
      /^(.*?)(\/(?:chat\/completions|responses|messages))$/.exec(`${url.origin}${url.pathname}`) ?? []
    const place: BatchPlace = { base, path, headers, request: tools.request }
    const key = `${base}${path} ${model}`
    const id = sha256(`${call}\n${body}`)
    const known = store.line(id)
    if (known && 'reply' in known) return responseOf(known.reply, store)
    const all = waiting.get(id) ?? new Set()
    return new Promise<Response>((resolve, reject) => {
      const onAbort = () => {
        reject(init.signal?.reason)
        all.delete(waiter)
        if (all.size === 0) waiting.delete(id)
        if (waiting.size > 0) return
        patience.abort()
        patience = new AbortController()
      }
      init.signal?.addEventListener('abort', onAbort, { once: true })
      const done = () => init.signal?.removeEventListener('abort', onAbort)
      const waiter: Waiter = {
        settle: (reply) => {
          done()
          resolve(reply ? responseOf(reply, store) : new Response('{}', { status: 408 }))
        },
        fail: (error) => {
          done()
          if (error instanceof BatchError) resolve(new Response(error.body, { status: error.status }))
          else reject(error)
        },
      }
      waiting.set(id, all.add(waiter))
      if (known) {
        for (const batch of store.open(key)) watch(place, batch)
        return
      }
      queue.set(id, { id, call, body })
      quiet?.abort()
      quiet = new AbortController()
      tools.clock.sleep(QUIET_MS, quiet.signal).then(
        () => send(place, key),
        () => {},
      )
    })
  }
}

/** A batch that is under way is not given up with the process: the provider works on it all the same. */
const NEVER = new AbortController().signal

/** Waits until a batch is over. */
async function finish(
  place: BatchPlace,
  batch: KeptBatch,
  ids: readonly string[],
  { api, clock, store }: BatchTools,
  signal: AbortSignal,
): Promise<BatchReply[]> {
  let remote = batch.remote
  let failures = 0
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(LONGEST_LOOK_MS, wait * 2)) {
    try {
      if (remote === null) {
        remote = await api.find(place, batch, ids, signal)
        if (remote === null) return []
        store.sent(batch.name, remote)
      }
      const state = await api.state(place, remote, signal)
      if (state.over) return await state.replies()
      failures = 0
    } catch (error) {
      if (signal.aborted || (error instanceof BatchError && error.isFinal) || ++failures >= MOST_FAILED_LOOKS)
        throw error
    }
    await clock.sleep(wait, signal)
  }
}

/** A reply as if it had been asked for alone. One that failed is given out once: the next time, the request is sent again. */
function responseOf({ id, status, body }: BatchReply, store: BatchStore): Response {
  if (status >= 400) store.drop(id)
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}
