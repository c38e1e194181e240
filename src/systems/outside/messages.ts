import { UserError } from '../../base/errors.js'
import { isZodSchema, jsonSchemaOf } from '../../base/zod-schema.js'
import {
  type Endpoint,
  LlmError,
  type LlmErrorCode,
  type LlmOptions,
  type LlmReply,
  type LlmRequest,
  type LlmTool,
  MemoryGoneError,
  type RehearsedReply,
  type SystemContext,
  type SystemOptions,
} from '../../model/index.js'
import type { FileDefinition } from './import-file.js'

/** A definition without its functions, which stay where the file was imported. */
export type DescribedFile = Omit<FileDefinition, 'create' | 'rehearsal' | 'withoutModel'> & {
  rehearsed: boolean
  /** Some options leave its model out. */
  mayLeaveOut: boolean
}

/** The parts of a context that are data. */
export interface ContextData extends Pick<SystemContext, 'workdir' | 'namespace' | 'prompts'> {
  embed: { id: string; dimensions: number }
  model: string | null
  /** It may have endpoints. */
  endpoint: boolean
}

/** What the process of a memory is told to do. Everything carries the time of the scenario. */
export type Order = { id: number; now: string } & (
  | { do: 'load'; file: string; shown: string }
  /** `clock` is what the clock of the harness says: a memory that looks at its own must see the same. */
  | { do: 'create'; context: ContextData; options: SystemOptions; shown: string; clock: number }
  | { do: 'call'; method: string; given: unknown[] }
  | { do: 'leaves-out'; options: SystemOptions }
  /** What the model of an endpoint says, where it is played. */
  | { do: 'rehearse'; step: string; request: AskedGeneration['request'] }
  /** Whether a value fits the schema of a model call, or a reply is objected to. */
  | { do: 'fit'; generation: number; value: unknown }
  | { do: 'object'; generation: number; reply: Pick<LlmReply, 'text' | 'toolCalls'> }
)

/** A model call as data. Schemas are JSON Schema; `fits` and `objects` say that the process wants to look at the reply. */
export interface AskedGeneration {
  generation: number
  request: Omit<LlmRequest<unknown>, 'schema'> & { schema?: Record<string, unknown> }
  options: Omit<LlmOptions, 'signal' | 'objection'>
  objects: boolean
  rehearsed?: RehearsedReply
}

/** What the process of a memory says. `during` is the order it is at work on. */
export type ChildMessage =
  | { ready: true }
  | { log: string }
  | { crash: ErrorData }
  | ({ id: number } & ({ value?: unknown } | { error: ErrorData }))
  | { ask: number; during: number; embed: string[] }
  | { ask: number; during: number; generate: AskedGeneration }
  | { ask: number; during: number; endpoint: EndpointOrder }

/** What is done with endpoints. `generation` names the schema of `replies`, where there is one. */
export type EndpointOrder =
  | { what: 'open'; generation?: number }
  | { what: 'begin'; endpoint: number; role: Parameters<Endpoint['during']>[0] }
  | { what: 'end'; visit: number; failed: boolean }
  | { what: 'close'; endpoint: number }

/** The answer to what a process asked. */
export type ParentReply = { answers: number } & ({ value: unknown } | { error: ErrorData })

/** What `fit` says. */
export type Fit = { data: unknown } | { issues: string[] }

/** A tool as plain data. */
export function plainTool(tool: LlmTool): LlmTool {
  return isZodSchema(tool.parameters) ? { ...tool, parameters: jsonSchemaOf(tool.parameters) } : tool
}

/** An error as data, with the chain of what caused it. */
export interface ErrorData {
  name: string
  message: string
  code?: string
  hint?: string
  status?: number
  timedOut?: boolean
  cause?: ErrorData
}

/** Links of a chain of causes that are told. */
const MOST_CAUSES = 8

/** What was thrown, as data. */
export function errorData(thrown: unknown, depth = 0): ErrorData {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) }
  const { code, hint, status, timedOut } = thrown as Error & Record<'code' | 'hint' | 'status' | 'timedOut', unknown>
  return {
    name: thrown.name,
    message: thrown.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof hint === 'string' && { hint }),
    ...(typeof status === 'number' && { status }),
    ...(typeof timedOut === 'boolean' && { timedOut }),
    ...(thrown.cause !== undefined && depth < MOST_CAUSES && { cause: errorData(thrown.cause, depth + 1) }),
  }
}

/** The error again. Failures of models and mistakes of users stay what they are. */
export function errorFrom(data: ErrorData): Error {
  const error = bareError(data)
  if (data.cause) error.cause = errorFrom(data.cause)
  return error
}

function bareError({ name, message, code, hint, status, timedOut }: ErrorData): Error {
  if (name === 'UserError') return Object.assign(new UserError(message, hint), code !== undefined && { code })
  if (name === 'LlmError') return new LlmError(code as LlmErrorCode, message, hint ?? '', status)
  if (name === 'MemoryGoneError') return new MemoryGoneError(message, timedOut)
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}
