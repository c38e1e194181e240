import type { Embedder } from '../model/index.js'
import { hashEmbedder } from '../systems/hash-embedder.js'

/** An embedder that computes nothing that takes time, and counts what the real one would have to compute. */
export interface TextCounter {
  embed: Embedder
  /** For how many texts one that is asked for now stands. */
  weight: number
  /** Distinct texts whose vectors are kept nowhere. */
  texts(): number
}

/** Counts for an embedder; one that cannot say what it keeps has to compute everything. */
export function textCounter({ missing = (texts) => texts }: Pick<Embedder, 'missing'>): TextCounter {
  const hashed = hashEmbedder(64)
  const seen = new Set<string>()
  let texts = 0
  const counter: TextCounter = {
    weight: 1,
    texts: () => Math.round(texts),
    embed: {
      ...hashed,
      embed: async (asked) => {
        const fresh = [...new Set(asked)].filter((text) => !seen.has(text))
        for (const text of fresh) seen.add(text)
        texts += missing(fresh).length * counter.weight
        return hashed.embed(asked)
      },
    },
  }
  return counter
}
