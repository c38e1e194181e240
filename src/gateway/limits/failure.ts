import { AISDKError, APICallError } from '@ai-sdk/provider'
import { messagesOf } from '../../base/errors.js'
import type { LlmErrorCode } from '../../model/index.js'
import { isObject, parseJson } from '../json.js'
import { retryAfterMs, retryDelayMs } from './retry-after.js'

/** What went wrong in one try, and what follows from it. */
export interface CallFailure {
  code: LlmErrorCode
  message: string
  hint: string
  status?: number
  retryable: boolean
  /** The provider has too much to do: fewer calls at a time. */
  overloaded: boolean
  retryAfterMs: number | null
  /** The request may have been worked on, and so be charged for, though no reply came. */
  maybeBilled: boolean
  /** No server took the request. */
  unreached?: boolean
  /** How often this may come in one call before trying again is given up; as often as there are tries when left out. */
  times?: number
}

/** How often a reply that is refused is asked for: it may well have been paid for, and a server that is broken stays so. */
const REFUSALS = 3

/** A reply came that cannot be taken as it is: too long, or with numbers that cannot be. It may be charged for. */
export class RefusedReply extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** The server sends elsewhere. What went out stays there: keys are for the address they were given for. */
export class Redirected extends Error {
  constructor(from: string, location: string) {
    const to = URL.canParse(location, from) ? new URL(location, from) : null
    const where = to ? `${to.origin}${to.pathname}` : 'an address that cannot be read'
    super(`the server redirects to ${where}, which is not followed`)
  }
}

/** Marks the end of a try by its own time limit. */
export class TryTimeout extends Error {
  constructor(readonly ms: number) {
    super(`no reply within ${ms} ms`)
  }
}

const OVERLOADED = new Set([429, 503, 529])
const AGAIN = new Set([408, 409, 425, 429])
/** Words by which providers say that nothing is paid for any more, whatever the status. */
const NO_CREDIT = /insufficient_quota|credit balance is too low|exceeded your current quota|billing/i
/** Gemini calls a wrong key a bad request. */
const WRONG_KEY = /API_KEY_INVALID|API key (?:not valid|expired)/i
/** Servers that were started without tools, and models that have none. */
const NO_TOOLS =
  /--enable-auto-tool-choice|tools param requires|unsupported param: tools|does(?: not|n't) support (?:tools|function calling)|support tool use/i
/** Nothing left this machine, so nothing is charged. */
const NOT_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT/

/** Whether a request may have come to its server, though no reply to it came. */
export function mayHaveArrived(error: unknown): boolean {
  return !NOT_SENT.test(causes(error))
}

/** What holds of a try that brought no reply though the request may have been worked on. */
const LOST = { retryable: true, overloaded: false, retryAfterMs: null, maybeBilled: true }

/** Reads an error of a provider. Null for anything that is not one: that is a mistake in a program and keeps its stack. */
export function callFailure(error: unknown, now: number): CallFailure | null {
  if (error instanceof TryTimeout) {
    const hint = 'Raise the time limit of a try, or look whether the provider is up.'
    return { ...LOST, code: 'timeout', message: error.message, hint }
  }
  if (error instanceof RefusedReply) {
    return { ...LOST, code: 'provider', message: error.message, hint: error.hint, times: REFUSALS }
  }
  if (APICallError.isInstance(error)) return apiFailure(error, now)
  if (AISDKError.isInstance(error)) return unreadable(error.message)
  return null
}

function apiFailure(error: APICallError, now: number): CallFailure {
  const status = error.statusCode
  if (status === undefined) {
    // The SDK says so of connections that ended later, too.
    const reason = causes(error).replace(/^Cannot connect to API: /, '')
    const redirected = error.cause instanceof Redirected
    const unreached = redirected || NOT_SENT.test(reason)
    const hint = redirected
      ? 'Give the address of the API itself as base URL of the provider.'
      : 'Check the network and the base URL of the provider, and that its server is up.'
    const code = unreached ? 'unavailable' : 'provider'
    return { ...LOST, code, message: reason, hint, maybeBilled: !unreached, unreached }
  }
  if (status < 400) return unreadable(`${error.message} (${causes(error)})`)
  const body = error.responseBody ?? ''
  const noCredit = status === 402 || ((status === 400 || status === 429) && NO_CREDIT.test(body) && !isOverSoon(body))
  const noTools = NO_TOOLS.test(body)
  return {
    code: noCredit ? 'unavailable' : codeOf(status, body),
    message: `HTTP ${status}: ${firstLine(saidIn(body) ?? error.message)}`,
    hint: noCredit ? hintFor(402) : noTools ? TOOLS : hintFor(WRONG_KEY.test(body) ? 401 : status),
    status,
    retryable: !noCredit && !noTools && (AGAIN.has(status) || status >= 500),
    overloaded: OVERLOADED.has(status) && !noCredit,
    retryAfterMs: retryAfterMs(error.responseHeaders, now) ?? retryDelayMs(body),
    maybeBilled: false,
  }
}

/** What an error is about where a server says so in a form of its own, as LM Studio (`{"error": "…"}`) and FastAPI (`{"detail": "…"}`) do. */
function saidIn(body: string): string | null {
  const read = parseJson(body)
  if (!isObject(read)) return null
  const said = [read.error, read.detail, read.message].find((one) => typeof one === 'string' && one !== '')
  return typeof said === 'string' ? said : null
}

/** A limit of the minute: Gemini speaks of quota and billing there, too, but says when to come back. */
function isOverSoon(body: string): boolean {
  return body.includes('"retryDelay"') && !body.includes('PerDay')
}

function codeOf(status: number, body: string): LlmErrorCode {
  if (status === 401 || status === 403 || (status === 400 && WRONG_KEY.test(body))) return 'auth'
  if (status === 404) return 'unavailable'
  return status === 429 ? 'rate_limited' : 'provider'
}

/** A reply came, but could not be read: cut off on its way, or not of the provider's own protocol. */
function unreadable(message: string): CallFailure {
  const hint = 'Check that the base URL is that of an API of this kind; if it is, the connection may be bad.'
  return { ...LOST, code: 'provider', message: `the reply could not be read: ${firstLine(message)}`, hint }
}

const TOOLS =
  'This server takes no tools as it is: start it with them (vLLM: --enable-auto-tool-choice --tool-call-parser …; ' +
  'llama.cpp: --jinja), or use a model that calls tools.'
const REFUSED = 'The provider refused the request as it is: check the model and its settings.'
const KEY = "Check the key in the provider's environment variable, and what it may use."
const HINTS: Readonly<Record<number, string>> = {
  400: REFUSED,
  422: REFUSED,
  401: KEY,
  403: KEY,
  402: 'The account has no credit or quota left: add some, or use another model.',
  404: 'Check the name of the model and the base URL.',
  413: 'The prompt is too long for this provider: store less in one conversation, or use a model with a longer context.',
  429: 'Lower --llm concurrency=<n>, or wait and go on with --resume.',
}

function hintFor(status: number): string {
  const broken = 'The provider has a problem: wait, and go on with --resume.'
  return HINTS[status] ?? (status >= 500 ? broken : 'See what the provider says.')
}

/** Messages of an error and what caused it, codes included. */
function causes(error: unknown): string {
  return messagesOf(error).map(firstLine).join(': ')
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
