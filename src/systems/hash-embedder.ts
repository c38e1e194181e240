import { words } from '../base/text.js'
import type { Embedder } from '../model/index.js'

/** Counts words in hashed dimensions: knows nothing of meaning, but is instant and the same everywhere, for tests and benchmarks. */
export function hashEmbedder(dimensions = 128): Embedder {
  return {
    id: `hash-${dimensions}`,
    dimensions,
    embed: async (texts) => texts.map((text) => hashVector(text, dimensions)),
  }
}

function hashVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of words(text)) {
    const hash = fnv1a(word)
    vector[(hash >>> 1) % dimensions]! += hash & 1 ? 1 : -1
  }
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += vector[i]! * vector[i]!
  if (sum === 0) vector[0] = 1
  else for (let i = 0; i < dimensions; i++) vector[i]! /= Math.sqrt(sum)
  return vector
}

function fnv1a(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
