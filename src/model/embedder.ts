/** Turns text into unit-length vectors. The same text always gives the same vector. */
export interface Embedder {
  /** Model, engine and weights: part of every cache key and fingerprint. */
  readonly id: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<Float32Array[]>
  /** Those of some distinct texts whose vectors are kept nowhere, so that they would have to be computed. */
  missing?(texts: readonly string[]): readonly string[]
  /** What had to be computed here so far because it was kept nowhere, and the time during which that went on. */
  computed?(): { texts: number; ms: number }
  /** How this machine could compute faster, for people who wait. */
  readonly faster?: string
}
