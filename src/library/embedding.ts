import type { Embedder } from '../model/index.js'
import { count } from '../report/format.js'
import type { ProgressEvent } from './types.js'

/** Embedding on this machine that takes longer than this is worth a word on how to make it faster. */
const LONG_MS = 60_000

/** Watches an embedder from now on, for people who wait. */
export function watchEmbedding(embed: Embedder, tell: (event: ProgressEvent) => void) {
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
    /** Tells how many texts were embedded so far, if there are more than at the last look. */
    count: countTexts,
    /** The same, and once, when it takes long, how to be faster. */
    look() {
      if (!advised && embed.faster !== undefined && spent().ms >= LONG_MS) {
        advised = true
        tell({ type: 'note', message: embed.faster })
      }
      countTexts()
    },
    /** What it took since the watch began. */
    spent,
    /** The same in words; null when everything was kept from before. */
    total() {
      const { texts, ms } = spent()
      if (texts === 0) return null
      return `Embedded ${count(texts)} texts in ${(ms / 1000).toFixed(1)} s; they are kept.`
    },
  }
}
