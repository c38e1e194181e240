import type { Embedder } from '../model/index.js'
import { count } from '../report/format.js'

/** Embedding on this machine that takes longer than this is worth a word on how to make it faster. */
const LONG_MS = 60_000

/** Tells people who wait what is being embedded. */
export interface EmbeddingWatch {
  /** How many texts were embedded so far, for the progress line; empty when there are no more than at the last look. */
  beside(): string
  /** A word on how to be faster, once, when it takes long. */
  advice(): string | null
  /** What it took since the watch began. */
  spent(): { texts: number; ms: number }
  /** The same in words; null when everything was kept from before. */
  total(): string | null
}

/** Watches an embedder from now on. */
export function watchEmbedding(embed: Embedder): EmbeddingWatch {
  const ever = () => embed.computed?.() ?? { texts: 0, ms: 0 }
  const before = ever()
  const spent = () => {
    const { texts, ms } = ever()
    return { texts: texts - before.texts, ms: ms - before.ms }
  }
  let seen = 0
  let advised = false
  return {
    beside() {
      const { texts } = spent()
      if (texts === seen) return ''
      seen = texts
      return `  (${count(texts)} texts embedded)`
    },
    advice() {
      if (advised || embed.faster === undefined || spent().ms < LONG_MS) return null
      advised = true
      return embed.faster
    },
    spent,
    total() {
      const { texts, ms } = spent()
      if (texts === 0) return null
      return `Embedded ${count(texts)} texts in ${(ms / 1000).toFixed(1)} s; they are kept.`
    },
  }
}
