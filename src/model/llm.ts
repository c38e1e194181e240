import type { z } from 'zod'
import type { Spent } from './verdict.js'

/** What a call is for; usage and cost are told apart by it. */
export const LLM_ROLES = ['ingest', 'retrieve', 'answer', 'judge', 'generate'] as const

export type LlmRole = (typeof LLM_ROLES)[number]

/** A JSON Schema document. */
export type JsonSchema = Record<string, unknown>

/** A model's wish to have a tool run. */
export interface LlmToolCall {
  id: string
  name: string
  /** The arguments, an object. Checked against the tool's parameters when those are a zod schema. */
  input: unknown
  /** Why the call cannot be carried out. Only there when the caller takes such calls, see {@link LlmOptions.wrongCalls}. */
  wrong?: string
}

/** How much a model is to reason: `off` is as little as it allows. */
export const REASONING_EFFORTS = ['off', 'minimal', 'low', 'medium', 'high'] as const

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number]

export type LlmMessage =
  /** `shared`: so many characters at its beginning stand in other requests, too, so that providers may keep them. */
  | { role: 'system' | 'user'; content: string; shared?: number }
  | { role: 'assistant'; content: string; toolCalls?: readonly LlmToolCall[] }
  | { role: 'tool'; callId: string; name: string; content: string }

export interface LlmTool {
  name: string
  description?: string
  parameters: z.ZodType | JsonSchema
}

/** Everything that decides a reply, apart from the model. All of it is part of the cache key. */
export interface LlmRequest<T = undefined> {
  messages: readonly LlmMessage[]
  /** Asks for JSON of this shape. What comes back is checked, repaired a bounded number of times, and never guessed. */
  schema?: z.ZodType<T>
  tools?: readonly LlmTool[]
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  temperature?: number
  /** Most tokens of the reply. Models that reason get room for their thoughts on top. */
  maxTokens?: number
  /** `default`, or nothing, leaves it to the model, or to the effort that its name carries. */
  reasoning?: ReasoningEffort | 'default'
  topP?: number
  seed?: number
  stop?: readonly string[]
}

export interface LlmOptions {
  role: LlmRole
  /** Replies are kept apart by trial, so that repeated trials are really repeated. Default 0. */
  trial?: number
  signal?: AbortSignal
  /** Names the request in logs, cassettes and errors. Not part of the cache key. */
  label?: string
  /**
   * A call of a tool that is not there, or with arguments that do not fit: `refuse` (default) makes the reply unusable; `return` hands it over
   * with what is wrong, so that it can go back to the model as the result of that call.
   */
  wrongCalls?: 'refuse' | 'return'
  /** Why a reply cannot be used, in words for the model; null when it can. Such a reply is treated like one that does not fit its schema. */
  objection?(reply: Pick<LlmReply, 'text' | 'toolCalls'>): string | null | Promise<string | null>
}

/** Tokens, as the provider counts them. `cachedInput` and `cacheWrite` are parts of `input`, `reasoning` of `output`. */
export interface LlmUsage {
  input: number
  cachedInput: number
  /** What the provider put into its cache, where it charges for that. */
  cacheWrite?: number
  output: number
  reasoning: number
}

export type LlmFinish = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'

export interface LlmReply<T = undefined> {
  text: string
  /** The checked object when the request has a schema. */
  object: T
  toolCalls: LlmToolCall[]
  finish: LlmFinish
  /** Of the request as it was made and of the reply that was accepted, as if nothing had been cached here and nothing repaired. */
  usage: LlmUsage
  /** In USD for `usage`; null when the price of the model is not known. */
  cost: number | null
  /** Whether all of it came from the cache or a cassette. */
  cached: boolean
  /** How often an unusable reply was sent back or asked for anew. */
  repairs: number
  /** What those repairs took besides `usage`. Absent when there were none. */
  repairsTook?: Spent
}

/**
 * A language model, as memory systems, readers and judges see it.
 *
 * @example (await llm.generate({ messages, schema: z.object({ yes: z.boolean() }) }, { role: 'judge', label: 'sky' })).object.yes
 */
export interface Llm {
  /** `provider:model`: part of fingerprints and verdict keys. */
  readonly model: string
  generate<T = undefined>(request: LlmRequest<T>, options: LlmOptions): Promise<LlmReply<T>>
}

export type LlmErrorCode =
  | 'rate_limited'
  | 'timeout'
  | 'aborted'
  | 'provider'
  | 'unparsable'
  | 'budget'
  | 'not_recorded'
  | 'auth'
  | 'unavailable'

/** Why there is no reply, and in `hint` what to do. The message names model and request; neither it nor `hint` ever holds a key. */
export class LlmError extends Error {
  /**
   * @param status of HTTP, when there was one
   * @param took what replies took that could not be used
   */
  constructor(
    readonly code: LlmErrorCode,
    message: string,
    readonly hint: string,
    readonly status?: number,
    readonly took?: Spent,
  ) {
    super(message)
    this.name = 'LlmError'
  }
}

export const NO_USAGE: Readonly<LlmUsage> = { input: 0, cachedInput: 0, output: 0, reasoning: 0 }

/** The tokens of two calls together. */
export function addUsage(a: LlmUsage, b: LlmUsage): LlmUsage {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    ...((a.cacheWrite || b.cacheWrite) && { cacheWrite: (a.cacheWrite ?? 0) + (b.cacheWrite ?? 0) }),
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  }
}

/** Whether a model is only played by the rehearsal of a system, as `rehearsal:demo` is, so that what it leads to is no measurement. */
export function isRehearsed(model: string | null): boolean {
  return model?.startsWith('rehearsal:') ?? false
}

/** Turns text into unit-length vectors. The same text always gives the same vector. */
export interface Embedder {
  /** Model, engine and weights: part of every cache key and fingerprint. */
  readonly id: string
  readonly dimensions: number
  /** @param as what the texts are, for models that want to know: what is looked for, or what is looked through (default) */
  embed(texts: readonly string[], as?: 'query' | 'document'): Promise<Float32Array[]>
  /** The same sooner, with an error in the last digits: only for what is not decided by them. Absent where nothing embeds faster. */
  embedFast?(texts: readonly string[]): Promise<Float32Array[]>
  /** Those of some distinct texts whose vectors are kept nowhere, so that they would have to be computed. */
  missing?(texts: readonly string[]): readonly string[]
  /** What had to be computed here so far because it was kept nowhere, and the time during which that went on. */
  computed?(): { texts: number; ms: number }
  /** How this machine could compute faster, for people who wait. */
  readonly faster?: string
}

/** Reads facts against memories: does the text hold the fact? */
export interface Entailment {
  /** Model and weights: part of every cache key. */
  readonly id: string
  /** For every pair six logits: entailed, neutral, contradicted; correct, damaged, absent. */
  read(pairs: readonly { fact: string; memories: string }[]): Promise<Float32Array[]>
  /** The same sooner, with an error in the last digits: only for what is not decided by them. Absent where nothing reads faster. */
  readFast?(pairs: readonly { fact: string; memories: string }[]): Promise<Float32Array[]>
}

/** What a system may say of the endpoint it asks for. */
export interface EndpointOptions {
  /**
   * What a reply must be when the client asks for JSON of no given shape. Checked and mended as schemas are, so that a client that takes
   * anything never takes nonsense for nothing. The model is not told: what the client sends is passed on as it is.
   */
  replies?: z.ZodType
}

/**
 * A server of this machine in the protocol of OpenAI, for systems whose own client talks to a model. What it is asked is answered by the
 * model and the embedder of the life, metered and kept like everything else.
 */
export interface Endpoint {
  /** Base URL for clients, such as `http://127.0.0.1:41234/v1`. */
  readonly url: string
  /** What clients give as their key. */
  readonly token: string
  /**
   * Works, answering what clients ask meanwhile; at other times they are refused. Goes on the bill of whoever calls this. One piece of work
   * at a time: others wait. A call that failed makes the work fail, even when the client swallowed the error.
   */
  during<T>(role: Extract<LlmRole, 'ingest' | 'retrieve' | 'answer'>, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** What an endpoint is made of. */
export interface EndpointParts extends EndpointOptions {
  /** Names its calls in logs and cassettes. */
  name: string
  llm: Llm
  embed: Embedder
  signal: AbortSignal
}

export type OpenEndpoint = (parts: EndpointParts) => Promise<Endpoint>
