import { randomBytes } from 'node:crypto'
import { sha256 } from '../../base/hash.js'
import { LeaseLostError } from '../../model/index.js'
import type { Clock } from '../limits/clock.js'
import { mayHaveArrived } from '../limits/failure.js'
import { CALL_KEY } from '../providers/sdk.js'
import { type BatchApi, BatchError, type BatchPlace } from './batch-api.js'
import type { BatchLine, BatchReply, BatchStore, KeptBatch } from './batch-store.js'

/** Most requests and characters of one batch. Providers take more; so the replies of one can be read in one piece. */
const MOST_LINES = 2_000
const MOST_CHARACTERS = 50_000_000

/** The status of a line whose batch brought nothing: trying again at once would bring nothing again. */
const NOTHING_CAME = 424

/** A batch is sent when no request has come for so long. */
const QUIET_MS = 1_000
/** First wait for a batch; doubles each time. */
const FIRST_LOOK_MS = 1_000
const LONGEST_LOOK_MS = 60_000
/** How often in a row a look may fail before the batch is left for later. */
const MOST_FAILED_LOOKS = 10
/** How often a batch that may have arrived is looked for: a gateway that gave up on a request may still hand it on for some seconds. */
const MOST_LOOKS_FOR = 4

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
  /** Batches that are followed, with the lines that somebody here waits for. */
  const watched = new Map<string, Set<string>>()
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

  const watch = (place: BatchPlace, batch: KeptBatch, asked: readonly string[]) => {
    const followed = watched.get(batch.name)
    for (const id of asked) followed?.add(id)
    if (followed) return
    const ids = new Set(asked)
    watched.set(batch.name, ids)
    const follow = async () => {
      const came = await finish(place, batch, await store.linesOf(batch.name), tools, patience.signal)
      const replies = (came ?? []).map((reply) => ({ ...reply, body: tools.redact(reply.body) }))
      await store.end(batch.name, replies)
      const found = new Map(replies.map((reply) => [reply.id, reply]))
      for (const id of ids) answer(id, found.get(id) ?? null)
    }
    follow()
      .catch(async (error) => {
        failAll(ids, error)
        if (error instanceof BatchError && error.isFinal) await store.end(batch.name, [])
      })
      .finally(() => watched.delete(batch.name))
      .catch((error) => tools.log(String(error)))
  }

  const send = async (place: BatchPlace) => {
    const taken: BatchLine[] = []
    let characters = 0
    for (const [id, line] of queue) {
      if (taken.length === MOST_LINES || (taken.length > 0 && characters + line.body.length > MOST_CHARACTERS)) break
      taken.push(line)
      characters += line.body.length
      queue.delete(id)
    }
    if (queue.size > 0) void send(place)
    const batch: KeptBatch = { name: randomBytes(12).toString('hex'), created: tools.clock.now(), remote: null }
    let ids = taken.map(({ id }) => id)
    watched.set(batch.name, new Set(ids))
    try {
      const lines = await store.begin(batch, taken)
      const begun = new Set(lines.map(({ id }) => id))
      failAll(
        ids.filter((id) => !begun.has(id)),
        new LeaseLostError(model),
      )
      ids = [...begun]
      if (lines.length === 0) return
      const remote = await tools.api.submit(place, batch.name, lines, NEVER).catch((error: unknown) => {
        if (isLost(error)) return null
        throw error
      })
      if (remote === null) {
        watched.delete(batch.name)
        // It may be paid for: it is looked for before anything of it is sent again.
        tools.log(`A batch of ${lines.length} requests to ${model} may have arrived; it is looked for.`)
        watch(place, batch, ids)
        return
      }
      await store.sent(batch.name, remote)
      tools.log(
        `${lines.length} requests to ${model} are in the batch ${remote}. Ctrl-C leaves it there; --resume comes back for it.`,
      )
      watched.delete(batch.name)
      watch(place, { ...batch, remote }, ids)
    } catch (error) {
      watched.delete(batch.name)
      // Refused or never sent, so that nothing is under way.
      if (error instanceof BatchError || !mayHaveArrived(error)) await store.end(batch.name, [])
      failAll(ids, error)
    }
  }

  /** Sees to it that a line is answered: from what has come, by waiting for the batch it is in, or in one that is yet to be sent. */
  const provide = async (place: BatchPlace, line: BatchLine) => {
    const known = await store.line(line.id)
    if (!waiting.has(line.id)) return
    if (known && 'reply' in known) answer(line.id, known.reply)
    else if (known) watch(place, known.batch, [line.id])
    else {
      queue.set(line.id, line)
      quiet?.abort()
      quiet = new AbortController()
      tools.clock.sleep(QUIET_MS, quiet.signal).then(
        () => send(place),
        () => {},
      )
    }
  }

  return async (input, init = {}) => {
    const { [CALL_KEY]: call = '', ...headers } = Object.fromEntries(new Headers(init.headers))
    const body = String(init.body)
    const url = new URL(String(input))
    const [, base = '', path = ''] =
      /^(.*?)(\/(?:chat\/completions|responses|messages))$/.exec(`${url.origin}${url.pathname}`) ?? []
    const place: BatchPlace = { base, path, headers, request: tools.request }
    const id = sha256(`${call}\n${body}`)
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
          if (reply) responseOf(reply, store).then(resolve, reject)
          else resolve(new Response('{}', { status: 408 }))
        },
        fail: (error) => {
          done()
          if (error instanceof BatchError) resolve(new Response(error.body, { status: error.status }))
          else reject(error)
        },
      }
      waiting.set(id, all.add(waiter))
      provide(place, { id, call, body }).catch((error) => failAll([id], error))
    })
  }
}

/** A batch that is under way is not given up with the process: the provider works on it all the same. */
const NEVER = new AbortController().signal

/** Whether nobody knows if a batch was made. */
function isLost(error: unknown): boolean {
  return error instanceof BatchError ? !error.isRefusal : mayHaveArrived(error)
}

/**
 * Waits until a batch is over. One that has no reply to any of its lines is not sent again by itself: whatever became of it is paid for.
 *
 * @returns null when it never arrived
 */
async function finish(
  place: BatchPlace,
  batch: KeptBatch,
  ids: readonly string[],
  { api, clock, store }: BatchTools,
  signal: AbortSignal,
): Promise<BatchReply[] | null> {
  let remote = batch.remote
  let [failures, looks] = [0, 0]
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(LONGEST_LOOK_MS, wait * 2)) {
    try {
      if (remote === null) {
        remote = await api.find(place, batch, ids, signal)
        if (remote !== null) await store.sent(batch.name, remote)
        else if (++looks >= MOST_LOOKS_FOR) return null
      }
      const state = remote === null ? null : await api.state(place, remote, signal)
      if (state?.over) {
        const replies = await state.replies()
        if (replies.some(({ id }) => ids.includes(id))) return replies
        // Found by its looks alone, it may be somebody else's.
        if (batch.remote === null) return null
        throw new BatchError(
          `the batch ${remote} is over without a reply to any of its ${ids.length} requests; what is paid for is not sent again`,
          NOTHING_CAME,
        )
      }
      failures = 0
    } catch (error) {
      if (signal.aborted || (error instanceof BatchError && error.isFinal) || ++failures >= MOST_FAILED_LOOKS)
        throw error
    }
    await clock.sleep(wait, signal)
  }
}

/** A reply as if it had been asked for alone. One that failed is given out once: the next time, the request is sent again. */
async function responseOf({ id, status, body }: BatchReply, store: BatchStore): Promise<Response> {
  if (status >= 400) await store.drop(id)
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}
