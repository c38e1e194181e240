import { createHash } from 'node:crypto'
import type { Embedder } from '../../src/model/index.js'
import { englishAnalyzer } from '../../src/systems/bm25/analyze.js'

const DIMENSIONS = 512
const analyze = englishAnalyzer({ stem: true })

/** Vectors of stemmed words without stop words, each in a direction of its own: texts are as near as the words they share. */
export function wordEmbedder(): Embedder {
  return { id: `words-${DIMENSIONS}`, dimensions: DIMENSIONS, embed: async (texts) => texts.map(vectorOf) }
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const word of new Set(analyze(text))) {
    const bytes = createHash('sha256').update(word).digest()
    for (let i = 0; i < 4; i++) {
      const place = bytes.readUInt32LE(4 * i)
      vector[place % DIMENSIONS]! += place & 0x80000000 ? 1 : -1
    }
  }
  const length = Math.hypot(...vector)
  if (length === 0) vector[0] = 1
  return length === 0 ? vector : vector.map((value) => value / length)
}
