import type { SharedVectors } from '../shared.js'
import type { VectorCache } from './vector-cache.js'
import { bytesOf, vectorOf } from './vector-store.js'

/** What other processes have computed of some texts. It is kept on this machine, too. */
export async function sharedVectors(
  texts: readonly string[],
  keyOf: (text: string) => Buffer,
  cache: VectorCache | null,
  shared: SharedVectors | undefined,
): Promise<Map<string, Float32Array>> {
  if (!shared || texts.length === 0) return new Map()
  const keys = texts.map(keyOf)
  const found = await shared.get(keys)
  const entries = keys.flatMap((key, i) => {
    const body = found.get(key.toString('hex'))
    return body ? [{ key, text: texts[i]!, vector: vectorOf(body) }] : []
  })
  cache?.put(entries)
  return new Map(entries.map(({ text, vector }) => [text, vector]))
}

/** Keeps vectors, for this machine and all others. */
export async function keepVectors(
  entries: readonly { key: Buffer; vector: Float32Array }[],
  cache: VectorCache | null,
  shared: SharedVectors | undefined,
): Promise<void> {
  cache?.put(entries)
  if (entries.length > 0) await shared?.put(entries.map(({ key, vector }) => ({ key, body: bytesOf(vector) })))
}
