import type { SystemContext } from '../../model/index.js'
import { VectorIndex } from './vector-index.js'

/** Texts sent to the embedder together; between batches a run can be stopped. */
const BATCH = 256

/** Texts with their vectors. What is added is embedded together when vectors are needed, which keeps all of an embedder's threads busy. */
export class EmbeddedLog {
  readonly index: VectorIndex
  #waiting: string[] = []
  #embedding: Promise<void> | undefined

  constructor(readonly context: Pick<SystemContext, 'embed' | 'signal'>) {
    this.index = new VectorIndex(context.embed.dimensions)
  }

  add(text: string): void {
    this.#waiting.push(text)
  }

  /** Resolves when every text added so far has its vector. */
  settle(): Promise<void> {
    this.#embedding ??= this.#embedWaiting().finally(() => {
      this.#embedding = undefined
    })
    return this.#embedding
  }

  async embedQuery(text: string): Promise<Float32Array> {
    await this.settle()
    const [vector] = await this.context.embed.embed([text])
    return vector!
  }

  async #embedWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.context.signal.throwIfAborted()
      const batch = this.#waiting.slice(0, BATCH)
      const vectors = await this.context.embed.embed(batch)
      if (vectors.length !== batch.length)
        throw new Error(`Expected ${batch.length} vectors of the embedder, got ${vectors.length}`)
      // A text waits until it has its vector, whatever happens to the next.
      for (const vector of vectors) {
        this.index.add(vector)
        this.#waiting.shift()
      }
    }
  }
}
