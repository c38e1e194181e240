import { dotProduct } from '../dense/dot-products.js'
import type { VectorIndex } from '../dense/vector-index.js'
import { TopK } from '../top-k.js'

/** How much it counts what the things are that a note speaks of, and how like a note is to the best ones. */
const MEANINGS = 0.5
const BEST_LIKENESS = 0.4
/** How many of the best the others are compared with, how many are compared, and by how many the middle of all notes is known. */
const BEST = 5
const COMPARED = 1000
const SAMPLE = 512

/** What is known of how near notes are to a question. */
export interface SetEvidence {
  /** Of every note as it was said. */
  similarities: Float64Array
  /** Of what each speaks of. */
  meanings: Float64Array
  vectors: VectorIndex
  /** Whether a note may show what others should be like. */
  isFact: (note: number) => boolean
}

/**
 * How likely each note is one of the set that a question wants: by what it says, by what the things are that it speaks of, and by how like it
 * is to the notes for which both say most, leaving out what all notes have in common.
 */
export function setLikeness({ similarities, meanings, vectors, isFact }: SetEvidence): Float64Array {
  const likeness = standardised(similarities)
  const byMeanings = standardised(meanings)
  for (let note = 0; note < likeness.length; note++) likeness[note]! += MEANINGS * byMeanings[note]!
  const compared = new TopK(COMPARED)
  for (let note = 0; note < likeness.length; note++) compared.offer(note, likeness[note]!)
  const candidates = compared.hits().map(({ index }) => index)
  const best = candidates.filter(isFact).slice(0, BEST)
  if (best.length === 0) return likeness
  const middle = meanOf(spread(similarities.length), vectors)
  const model = difference(meanOf(best, vectors), middle)
  const toMiddle = dot(middle, model)
  const length = Math.sqrt(dot(model, model)) || 1
  const like = standardised(
    Float64Array.from(candidates, (note) => {
      const own = difference(vectors.at(note), middle)
      return (vectors.similarity(note, model) - toMiddle) / ((Math.sqrt(dot(own, own)) || 1) * length)
    }),
  )
  const least = Math.min(...like)
  // Those that are not compared stay behind those that are.
  for (let note = 0; note < likeness.length; note++) likeness[note]! += BEST_LIKENESS * least
  for (const [i, note] of candidates.entries()) likeness[note]! += BEST_LIKENESS * (like[i]! - least)
  return likeness
}

/** Scores with a mean of 0 and a deviation of 1. */
function standardised(scores: Float64Array): Float64Array {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < scores.length; i++) {
    sum += scores[i]!
    squares += scores[i]! * scores[i]!
  }
  const mean = sum / (scores.length || 1)
  const deviation = Math.sqrt(Math.max(0, squares / (scores.length || 1) - mean * mean)) || 1
  const standard = new Float64Array(scores.length)
  for (let i = 0; i < scores.length; i++) standard[i] = (scores[i]! - mean) / deviation
  return standard
}

/** So many numbers below another, evenly spread. */
function spread(size: number): number[] {
  const count = Math.min(SAMPLE, size)
  return Array.from({ length: count }, (_, i) => Math.floor((i * size) / count))
}

function meanOf(notes: readonly number[], vectors: VectorIndex): Float32Array {
  const mean = new Float32Array(vectors.dimensions)
  for (const note of notes) {
    const vector = vectors.at(note)
    for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / notes.length
  }
  return mean
}

function difference(one: Float32Array, other: Float32Array): Float32Array {
  const rest = new Float32Array(one.length)
  for (let i = 0; i < rest.length; i++) rest[i] = one[i]! - other[i]!
  return rest
}

function dot(one: Float32Array, other: Float32Array): number {
  return dotProduct(one, 0, other)
}
