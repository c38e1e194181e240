import { isObject, parseJson } from '../json.js'
import type { ProviderKind } from '../providers/provider-config.js'
import type { BatchLine, BatchReply, KeptBatch } from './batch-store.js'

/** Where batches go: an address before the API's own path, and the headers that requests of this provider have. */
export interface BatchPlace {
  base: string
  /** Path of single requests behind it, such as `/chat/completions`. */
  path: string
  headers: Record<string, string>
  request: typeof fetch
}

/** How a batch stands: still worked on, over, or refused as a whole. */
export type BatchState = { over: false } | { over: true; replies(): Promise<BatchReply[]> }

/** A provider's API for batches. */
export interface BatchApi {
  /** @returns what the provider calls the batch */
  submit(place: BatchPlace, name: string, lines: readonly BatchLine[], signal: AbortSignal): Promise<string>
  state(place: BatchPlace, remote: string, signal: AbortSignal): Promise<BatchState>
  /** A batch that was sent under a name by a process that did not live to hear of it; null when it never came. */
  find(place: BatchPlace, batch: KeptBatch, ids: readonly string[], signal: AbortSignal): Promise<string | null>
}

/** A provider refused a batch, or does not answer as its API says. */
export class BatchError extends Error {
  readonly body: string

  constructor(
    message: string,
    readonly status = 502,
    body?: string,
  ) {
    super(message)
    this.body = body ?? JSON.stringify({ type: 'error', error: { type: 'api_error', message } })
  }

  /** What was sent was not taken. Of an error of the server, or a reply that cannot be read, nobody knows. */
  get isRefusal(): boolean {
    return this.status < 500 && this.status !== 408
  }

  /** Looking again would find the same. */
  get isFinal(): boolean {
    return this.status < 500 && this.status !== 429
  }
}

type Json = Record<string, unknown>

/** Which providers have batches, by how they are spoken to. */
export const BATCH_APIS: Readonly<Partial<Record<ProviderKind, BatchApi>>> = {
  openai: openai(),
  'openai-responses': openai(),
  anthropic: anthropic(),
}

/** Stands for a line that its batch had no time for: asked for again, as a request that timed out. */
const EXPIRED = 408

function openai(): BatchApi {
  return {
    submit: async (place, name, lines, signal) => {
      const url = `/v1${place.path}`
      const jsonl = lines.map(({ id, body }) => `{"custom_id":"${id}","method":"POST","url":"${url}","body":${body}}`)
      const boundary = `memscope-${name}`
      const part = (head: string, content: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
      const head = `name="file"; filename="${name}.jsonl"\r\nContent-Type: application/jsonl`
      const form = `${part('name="purpose"', 'batch')}${part(head, `${jsonl.join('\n')}\n`)}--${boundary}--\r\n`
      const file = await call(place, 'POST', '/files', signal, form, `multipart/form-data; boundary=${boundary}`)
      const made = await call(place, 'POST', '/batches', signal, {
        input_file_id: file.id,
        endpoint: url,
        completion_window: '24h',
        metadata: { memscope: name },
      })
      return textOf(made, 'id')
    },
    state: async (place, remote, signal) => {
      const batch = await call(place, 'GET', `/batches/${remote}`, signal)
      const status = textOf(batch, 'status')
      if (!['completed', 'expired', 'cancelled', 'failed'].includes(status)) return { over: false }
      const files = [batch.output_file_id, batch.error_file_id].filter((id) => typeof id === 'string')
      return {
        over: true,
        replies: async () => {
          if (status === 'failed' && files.length === 0) return refusedLines(batch)
          const texts = await Promise.all(files.map((id) => content(place, `/files/${id}/content`, signal)))
          return texts.flatMap(linesIn).flatMap((line) => {
            // A line that says not whose it is takes no others along.
            if (typeof line.custom_id !== 'string') return []
            const response = isObject(line.response) ? line.response : null
            const { error } = line
            const isExpired = response === null && isObject(error) && error.code === 'batch_expired'
            const failed = isExpired ? EXPIRED : 500
            return {
              id: line.custom_id,
              status: typeof response?.status_code === 'number' ? response.status_code : failed,
              body: JSON.stringify(response?.body ?? { error }),
            }
          })
        },
      }
    },
    find: async (place, { name, created }, _ids, signal) => {
      for await (const batch of listed(place, '/batches', 'after', created, signal))
        if (isObject(batch.metadata) && batch.metadata.memscope === name) return textOf(batch, 'id')
      return null
    },
  }
}

/** What errors of single requests of Anthropic's would have had as status. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
}

function anthropic(): BatchApi {
  const resultsOf = async (place: BatchPlace, remote: string, signal: AbortSignal): Promise<BatchReply[]> =>
    linesIn(await content(place, `/messages/batches/${remote}/results`, signal)).flatMap((line) => {
      const result = isObject(line.result) ? line.result : {}
      const id = line.custom_id
      if (typeof id !== 'string') return []
      if (result.type === 'succeeded') return { id, status: 200, body: JSON.stringify(result.message) }
      if (result.type !== 'errored') return { id, status: EXPIRED, body: '{}' }
      const error = isObject(result.error) && isObject(result.error.error) ? result.error.error : result.error
      const type = isObject(error) && typeof error.type === 'string' ? error.type : ''
      return { id, status: STATUSES[type] ?? 500, body: JSON.stringify({ type: 'error', error }) }
    })
  return {
    submit: async (place, _name, lines, signal) => {
      const requests = lines.map(({ id, body }) => `{"custom_id":"${id}","params":${body}}`)
      const made = await call(place, 'POST', '/messages/batches', signal, `{"requests":[${requests.join(',')}]}`)
      return textOf(made, 'id')
    },
    state: async (place, remote, signal) => {
      const batch = await call(place, 'GET', `/messages/batches/${remote}`, signal)
      if (batch.processing_status !== 'ended') return { over: false }
      return { over: true, replies: () => resultsOf(place, remote, signal) }
    },
    // Batches have no names here: it is known by its time and number of requests, and in the end by theirs.
    find: async (place, { created }, ids, signal) => {
      const wanted = new Set(ids)
      for await (const batch of listed(place, '/messages/batches', 'after_id', created, signal)) {
        const counts = isObject(batch.request_counts) ? Object.values(batch.request_counts) : []
        const total = counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0)
        if (total !== ids.length) continue
        if (batch.processing_status !== 'ended') return textOf(batch, 'id')
        const replies = await resultsOf(place, textOf(batch, 'id'), signal)
        if (replies.length > 0 && replies.every(({ id }) => wanted.has(id))) return textOf(batch, 'id')
      }
      return null
    },
  }
}

const CLOCKS_DIFFER_MS = 120_000

/** Batches from the newest to the first that is older than a moment; a list that comes round again ends there. */
async function* listed(
  place: BatchPlace,
  path: string,
  cursor: string,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<Json> {
  const seen = new Set<string>()
  for (let after = ''; ; ) {
    const page = await call(place, 'GET', `${path}?limit=100${after}`, signal)
    for (const batch of listOf(page)) {
      const id = textOf(batch, 'id')
      if (seen.has(id) || createdAt(batch) < since - CLOCKS_DIFFER_MS) return
      seen.add(id)
      yield batch
      after = `&${cursor}=${encodeURIComponent(id)}`
    }
    if (page.has_more !== true || listOf(page).length === 0) return
  }
}

/** When a batch was made: OpenAI tells seconds, Anthropic a date. One that does not say may be of any time. */
function createdAt({ created_at: at }: Json): number {
  const time = typeof at === 'number' ? at * 1000 : typeof at === 'string' ? Date.parse(at) : Number.NaN
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}

async function call(
  place: BatchPlace,
  method: string,
  path: string,
  signal: AbortSignal,
  body?: object | string,
  type = 'application/json',
): Promise<Json> {
  const text = await send(place, method, path, signal, typeof body === 'object' ? JSON.stringify(body) : body, type)
  const read = parseJson(text)
  if (!isObject(read)) throw new BatchError(`${method} ${path.replace(/\?.*/, '')} brought no JSON`)
  return read
}

function content(place: BatchPlace, path: string, signal: AbortSignal): Promise<string> {
  return send(place, 'GET', path, signal)
}

async function send(
  { base, headers, request }: BatchPlace,
  method: string,
  path: string,
  signal: AbortSignal,
  body?: string,
  type?: string,
): Promise<string> {
  const { 'content-type': _, ...own } = headers
  const response = await request(`${base}${path}`, {
    method,
    headers: { ...own, ...(body !== undefined && type && { 'content-type': type }) },
    ...(body !== undefined && { body }),
    signal,
  })
  const text = await response.text()
  if (response.ok) return text
  throw new BatchError(`${method} ${path.replace(/\?.*/, '')}: HTTP ${response.status}`, response.status, text)
}

function linesIn(jsonl: string): Json[] {
  return jsonl.split('\n').flatMap((line) => {
    const read = line.trim() === '' ? null : parseJson(line)
    return isObject(read) ? [read] : []
  })
}

function listOf({ data }: Json): Json[] {
  return Array.isArray(data) ? data.filter(isObject) : []
}

function textOf(from: Json, name: string): string {
  const value = from[name]
  if (typeof value === 'string') return value
  throw new BatchError(`Expected "${name}" in what the provider says of a batch`)
}

/** A batch that was refused as a whole: too many tokens are waited for, or a line is wrong. */
function refusedLines({ errors }: Json): never {
  const [first] = isObject(errors) ? listOf(errors) : []
  const message = typeof first?.message === 'string' ? first.message : 'The provider refused the batch.'
  throw new BatchError(message, first?.code === 'token_limit_exceeded' ? 429 : 400)
}
