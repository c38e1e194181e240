import type { Embedder } from '../model/index.js'
import { count } from '../report/format.js'
import type { ProgressEvent } from './types.js'

/** Embedding on this machine that takes longer than this is worth a word on how to make it faster. */
const LONG_MS = 60_000

/** Tells people who wait what is being embedded. */
export interface EmbeddingWatch {
  /** Tells how many texts were embedded so far, if there are more than at the last look. */
  count(): void
  /** The same, and once, when it takes long, how to be faster. */
  look(): void
  /** What it took since the watch began. */
  spent(): { texts: number; ms: number }
  /** The same in words; null when everything was kept from before. */
  total(): string | null
}

/** Watches an embedder from now on. */
export function watchEmbedding(embed: Embedder, tell: (event: ProgressEvent) => void): EmbeddingWatch {
  const ever = () => embed.computed?.() ?? { texts: 0, ms: 0 }
  const before = ever()
  const spent = () => {
    const { texts, ms } = ever()
    return { texts: texts - before.texts, ms: ms - before.ms }
  }
  let seen = 0
  let advised = false
  const countTexts = () => {
    const { texts } = spent()
    if (texts !== seen) tell({ type: 'embedded', texts })
    seen = texts
  }
  return {
    count: countTexts,
    look() {
      if (!advised && embed.faster !== undefined && spent().ms >= LONG_MS) {
        advised = true
        tell({ type: 'note', message: embed.faster })
      }
      countTexts()
    },
    spent,
    total() {
      const { texts, ms } = spent()
      if (texts === 0) return null
      return `Embedded ${count(texts)} texts in ${(ms / 1000).toFixed(1)} s; they are kept.`
    },
  }
}
