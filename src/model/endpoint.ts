import type { z } from 'zod'
import type { Embedder } from './embedder.js'
import type { Llm, LlmRole } from './llm.js'

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
