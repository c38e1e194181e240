import type { Embedder } from 'memscope'
import { kindTexts, onceFor, packedVectors } from './kind-texts.js'
import { linearFit } from './linear-fit.js'

/** From here on a question wants several things: between those that do (1) and those that do not (-1). */
const SEVERAL = 0.2
/** Every such kind shows what questions for several things are like; more make no difference, and take longer. */
const EVERY = 4

/** Tells by its vector whether a question is put like those that want several things of a kind. */
export type SetClassifier = (question: Float32Array) => boolean

const opened = new Map<string, Promise<SetClassifier>>()

/** The classifier for the vectors of an embedder; made once for each. */
export function setClassifier(embed: Embedder): Promise<SetClassifier> {
  return onceFor(opened, embed, async () => {
    const { kinds, single } = kindTexts()
    const several = kinds.filter((_, i) => i % EVERY === 0).flatMap(({ ask }) => ask)
    const severalness = linearFit([
      { vectors: await packedVectors(embed, several), value: 1 },
      { vectors: await packedVectors(embed, single), value: -1 },
    ])
    return (question) => severalness(question) > SEVERAL
  })
}
