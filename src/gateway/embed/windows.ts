import { sentences } from '../../base/text.js'

/** A part of a text that fits a model, with its tokens. */
export interface Window {
  text: string
  tokens: number
}

/** Cuts a text into windows of `limit` tokens: between sentences, else words, else inside a word. `count` must add up over white space. */
export function windowsOf(text: string, limit: number, count: (text: string) => number): Window[] {
  const tokens = count(text)
  if (tokens <= limit) return [{ text, tokens }]
  const windows: Window[] = []
  let held: Window | undefined
  const add = (part: Window): void => {
    if (held && held.tokens + part.tokens <= limit) {
      held = { text: `${held.text} ${part.text}`, tokens: held.tokens + part.tokens }
      return
    }
    if (held) windows.push(held)
    held = part
  }
  for (const sentence of sentences(text)) {
    for (const part of fitting(sentence, limit, count)) add(part)
  }
  if (held) windows.push(held)
  return windows
}

/** The mean of windows' vectors, weighted by their tokens, at unit length. */
export function pooledVector(vectors: readonly Float32Array[], windows: readonly Window[]): Float32Array {
  if (vectors.length === 1) return vectors[0]!
  const mean = new Float64Array(vectors[0]!.length)
  for (const [i, vector] of vectors.entries()) {
    const weight = windows[i]!.tokens
    for (let d = 0; d < mean.length; d++) mean[d]! += weight * vector[d]!
  }
  return unitVector(mean)
}

/** A vector at unit length. */
export function unitVector(vector: ArrayLike<number>): Float32Array {
  let sum = 0
  for (let d = 0; d < vector.length; d++) sum += vector[d]! * vector[d]!
  const length = Math.sqrt(sum) || 1
  return Float32Array.from(vector, (value) => value / length)
}

/** A sentence as one part if it fits, else as its words, each cut in halves until it fits. */
function fitting(sentence: string, limit: number, count: (text: string) => number): Window[] {
  const tokens = count(sentence)
  if (tokens <= limit) return [{ text: sentence, tokens }]
  const words = sentence.split(/\s+/).filter(Boolean)
  if (words.length > 1) return words.flatMap((word) => fitting(word, limit, count))
  const characters = [...sentence]
  const half = Math.ceil(characters.length / 2)
  return [characters.slice(0, half), characters.slice(half)].flatMap((part) => fitting(part.join(''), limit, count))
}
