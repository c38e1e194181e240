import type { Embedder } from '../model/index.js'

/** Embedding on this machine that takes longer than this is worth a word on how to make it faster. */
const LONG_MS = 60_000

/** Tells people who wait what is being embedded. */
export interface EmbeddingWatch {
  /** What was embedded since the last look, for the progress line; empty when nothing was. */
  beside(): string
  /** A word on how to be faster, once, when it takes long. */
  advice(): string | null
  /** What it took in all; null when everything was kept from before. */
  total(): string | null
}

/** Watches an embedder from now on. */
export function watchEmbedding(embed: Embedder): EmbeddingWatch {
  const spent = () => embed.computed?.() ?? { texts: 0, ms: 0 }
  const before = spent()
  let seen = before.texts
  let advised = false
  return {
    beside() {
      const { texts } = spent()
      if (texts === seen) return ''
      seen = texts
      return `  (${(texts - before.texts).toLocaleString('en')} texts embedded)`
    },
    advice() {
      if (advised || embed.faster === undefined || spent().ms - before.ms < LONG_MS) return null
      advised = true
      return embed.faster
    },
    total() {
      const { texts, ms } = spent()
      if (texts === before.texts) return null
      const seconds = ((ms - before.ms) / 1000).toFixed(1)
      return `Embedded ${(texts - before.texts).toLocaleString('en')} texts in ${seconds} s; they are kept.`
    },
  }
}
