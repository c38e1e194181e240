import type { SystemContext } from '../../model/index.js'

/** Texts sent to the embedder together; between batches a run can be stopped. */
const BATCH = 256

/** Vectors of texts, in their order. Each distinct text is embedded once. */
export async function embedAll(
  { embed, signal }: Pick<SystemContext, 'embed' | 'signal'>,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const distinct = [...new Set(texts)]
  const vectors = new Map<string, Float32Array>()
  for (let from = 0; from < distinct.length; from += BATCH) {
    signal.throwIfAborted()
    const batch = distinct.slice(from, from + BATCH)
    for (const [i, vector] of (await embed.embed(batch)).entries()) vectors.set(batch[i]!, vector)
  }
  return texts.map((text) => vectors.get(text)!)
}

/** The vector of one text. */
export async function embedOne(context: Pick<SystemContext, 'embed' | 'signal'>, text: string): Promise<Float32Array> {
  const [vector] = await embedAll(context, [text])
  return vector!
}
