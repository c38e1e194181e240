import type { WireReply, WireRequest } from '../wire.js'

export interface Embeddings {
  vectors: number[][]
  /** As the provider counts, or null when it does not say. */
  tokens: number | null
}

/** One model of one provider. One call is one try: no retries, no cache. */
export interface Backend {
  /** Loads what it needs. Not part of the time of a try. */
  ready(): Promise<unknown>
  generate(request: WireRequest, signal: AbortSignal): Promise<WireReply>
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>
}
