/** Turns text into unit-length vectors. The same text always gives the same vector. */
export interface Embedder {
  /** Model, engine and weights: part of every cache key and fingerprint. */
  readonly id: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<Float32Array[]>
}
