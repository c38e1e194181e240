import type { z } from 'zod'
import type { Spent } from './judge.js'

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
  /** What is wrong with the call, so that it cannot be carried out. Only there when the caller takes such calls, see {@link LlmOptions.wrongCalls}. */
  wrong?: string
}

export type LlmMessage =
  | { role: 'system' | 'user'; content: string }
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
  /** Most tokens of the reply, reasoning included. */
  maxTokens?: number
  /** `off` asks for as little reasoning as the model allows. */
  reasoning?: 'off' | 'default'
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

/** Tokens, as the provider counts them. `cachedInput` is part of `input`, `reasoning` of `output`. */
export interface LlmUsage {
  input: number
  cachedInput: number
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
 * @example
 * const reply = await llm.generate(
 *   { messages: [{ role: 'user', content: 'Is the sky blue?' }], schema: z.object({ yes: z.boolean() }), temperature: 0 },
 *   { role: 'judge', label: 'sky' },
 * )
 * reply.object.yes
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

/** Why there is no reply. The message names model and request; neither it nor `hint` ever holds a key. */
export class LlmError extends Error {
  /**
   * @param code what kind of failure
   * @param message what happened
   * @param hint what to do
   * @param status HTTP status, when there was one
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

export function addUsage(a: LlmUsage, b: LlmUsage): LlmUsage {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  }
}

/** The provider whose models are played by the rehearsals of systems: `rehearsal:demo`. */
const PROVIDER = 'rehearsal:'

/** Whether a model only stands in for one, so that what it leads to is no measurement. */
export function isRehearsed(model: string | null): boolean {
  return model?.startsWith(PROVIDER) ?? false
}
