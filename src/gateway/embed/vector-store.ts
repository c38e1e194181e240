import { createHash } from 'node:crypto'

/** Where vectors are looked up by what they are of. Keys come from {@link vectorKey}. */
export interface VectorSource {
  get(keys: readonly Buffer[]): (Float32Array | undefined)[]
}

/** Bytes of a key: enough that two texts never share one. */
export const KEY_BYTES = 16

/** Key of a text's vector: what was embedded and by what. */
export function vectorKey(embedder: string, text: string): Buffer {
  return createHash('sha256').update(`${embedder}\0`).update(text).digest().subarray(0, KEY_BYTES)
}

/** Bytes of a vector, in the order of bytes that all supported platforms have. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** A vector from its bytes, which are copied. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
