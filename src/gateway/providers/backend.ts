import type { WireReply, WireRequest } from '../wire.js'

export interface Embeddings {
  vectors: number[][]
  /** As the provider counts, or null when it does not say. */
  tokens: number | null
}

/** What vectors are asked for besides the texts. */
export interface EmbeddingOptions {
  /** Length, where it is not the model's own. */
  dimensions?: number
}

/** One model of one provider. One call is one try: no retries, no cache. */
export interface Backend {
  /** Loads what it needs. Not part of the time of a try. */
  ready(): Promise<unknown>
  /** @param key names the call, for batches */
  generate(request: WireRequest, signal: AbortSignal, key?: string): Promise<WireReply>
  embed(texts: readonly string[], signal: AbortSignal, options?: EmbeddingOptions): Promise<Embeddings>
}
