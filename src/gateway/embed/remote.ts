import { sha256 } from '../../base/hash.js'
import { type Embedder, LlmError, type LlmRole, type LlmUsage, NO_USAGE } from '../../model/index.js'
import type { Calls, Target } from '../calls.js'
import { RefusedReply } from '../limits/failure.js'
import { embeddingBound } from '../price/bound.js'
import { addTo } from '../price/meter.js'
import { countTokens } from '../price/prompt-tokens.js'
import type { Backend } from '../providers/backend.js'
import type { SharedVectors } from '../shared.js'
import { checkUsage } from '../sound.js'
import { keepVectors, sharedVectors } from './shared-vectors.js'
import { VectorCache } from './vector-cache.js'
import { vectorKey } from './vector-store.js'
import { unitVector } from './windows.js'

export interface RemoteEmbedderOptions {
  /** What the vectors are for. */
  role?: LlmRole
  /** Length of the vectors, when the price table does not know it; otherwise one is asked for. */
  length?: number
  /** Length that the model is asked for, where it can make shorter vectors. */
  dimensions?: number
  /** What stands before texts that are looked for, and before those that are looked through. */
  prefixes?: { query?: string; document?: string }
  /** Most texts in one request. */
  batch?: number
}

/** Most characters in one request: providers limit the tokens of all texts together. */
const BATCH_CHARACTERS = 200_000

/** An embedder over a provider's endpoint. Usage as if uncached is counted here; what was paid is what the provider says. */
export async function remoteEmbedder(
  calls: Calls,
  target: Target,
  cacheDir: string | null,
  { role = 'ingest', length, dimensions, prefixes = {}, batch = 64 }: RemoteEmbedderOptions,
  shared?: SharedVectors,
): Promise<Embedder & { close(): void }> {
  const { plant } = calls
  const { mode, cassette, prices, meter } = plant
  const known = dimensions ?? length ?? prices.find(target.spec)?.dimensions
  const size = known ?? (await vectorLength(calls, target, role))
  const asked = [dimensions === undefined ? '' : 'short', prefixes.query ?? '', prefixes.document ?? '']
  const own = asked.every((part) => part === '') ? '' : `/${sha256(asked.join('\0')).slice(0, 8)}`
  const id = `${target.spec}${own}/d${size}`
  const cache = cacheDir === null || mode === 'replay' ? null : new VectorCache(cacheDir, id, size)
  const underway = new Map<string, Promise<Float32Array>>()
  const key = (text: string) => vectorKey(id, text)

  const compute = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const { vectors } = await request(calls, target, role, texts, size, dimensions)
    await keepVectors(
      texts.map((text, i) => ({ key: key(text), vector: vectors[i]! })),
      cache,
      shared,
    )
    for (const [i, text] of texts.entries()) cassette?.putVector(recordKey(id, text), target.spec, text, vectors[i]!)
    return vectors
  }

  const lookUp = (texts: readonly string[]): (Float32Array | undefined)[] => {
    if (mode === 'replay') return texts.map((text) => cassette?.vector(recordKey(id, text)) ?? undefined)
    const found = cache?.get(texts.map(key)) ?? []
    for (const [i, vector] of found.entries()) {
      if (vector) cassette?.putVector(recordKey(id, texts[i]!), target.spec, texts[i]!, vector)
    }
    return texts.map((_, i) => found[i])
  }

  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const distinct = [...new Set(texts)]
    const known = new Map<string, Float32Array>()
    for (const [i, vector] of lookUp(distinct).entries()) if (vector) known.set(distinct[i]!, vector)
    const open = distinct.filter((text) => !known.has(text) && !underway.has(text))
    for (const [text, vector] of await sharedVectors(open, key, cache, shared)) known.set(text, vector)
    const missing = distinct.filter((text) => !known.has(text) && !underway.has(text))
    if (mode === 'replay' && missing.length > 0) throw notRecorded(target, missing)
    for (const part of batches(missing, batch)) {
      const result = compute(part)
      for (const [i, text] of part.entries()) {
        const one = result.then((vectors) => vectors[i]!).finally(() => underway.delete(text))
        // Awaited below; until then a failure of another batch must not leave this one without anybody who listens.
        one.catch(() => {})
        underway.set(text, one)
      }
    }
    const awaited = distinct
      .filter((text) => !known.has(text))
      .map(async (text) => ({ text, vector: await underway.get(text)! }))
    for (const { text, vector } of await Promise.all(awaited)) known.set(text, vector)
    const usage: LlmUsage = { ...NO_USAGE, input: distinct.reduce((sum, text) => sum + countTokens(text), 0) }
    const asked = batches(distinct, batch).length
    addTo(meter.line(role, target.spec), { calls: asked, usage, cost: prices.cost(target.spec, usage) })
    return texts.map((text) => Float32Array.from(known.get(text)!))
  }

  return {
    id,
    dimensions: size,
    embed: async (texts, as = 'document') => {
      if (texts.length === 0) return []
      const before = prefixes[as] ?? ''
      try {
        return await embed(before === '' ? texts : texts.map((text) => `${before}${text}`))
      } catch (error) {
        meter.line(role, target.spec).errors++
        throw error
      }
    },
    close: () => cache?.close(),
  }
}

/** One request, its vectors checked and made of unit length. */
function request(
  calls: Calls,
  target: Target,
  role: LlmRole,
  texts: readonly string[],
  size: number | null,
  dimensions?: number,
): Promise<{ vectors: Float32Array[]; usage: LlmUsage }> {
  const bound = () => embeddingBound(target.spec, texts, calls.plant.prices)
  const run = async (backend: Backend, signal: AbortSignal) => {
    // Providers refuse an empty text; white space embeds as nothing in particular, too.
    const { vectors, tokens } = await backend.embed(
      texts.map((text) => (text === '' ? ' ' : text)),
      signal,
      dimensions === undefined ? undefined : { dimensions },
    )
    checkVectors(vectors, texts.length, size ?? vectors[0]?.length ?? 0)
    const usage = { ...NO_USAGE, input: tokens ?? texts.reduce((sum, text) => sum + countTokens(text), 0) }
    checkUsage(usage, bytesOf(texts))
    return { vectors: vectors.map((vector) => unitVector(vector)), usage }
  }
  return calls.live(target, { role, label: `${texts.length} texts to embed` }, { bound, run })
}

/** Refuses vectors that are not those asked for: it is one reply that is wrong, and the next may be right. */
function checkVectors(vectors: readonly (readonly number[])[], count: number, length: number): void {
  const refuse = (what: string): never => {
    throw new RefusedReply(what, 'Give the length that the model has as dimensions, or look at what the server sends.')
  }
  if (vectors.length !== count) refuse(`there came ${vectors.length} vectors for ${count} texts`)
  const wrong = vectors.find((vector) => vector.length !== length)
  if (wrong) refuse(`it gives vectors of length ${wrong.length}, not ${length}`)
  for (const vector of vectors) {
    if (!vector.every(Number.isFinite)) refuse('a vector holds something that is not a number')
    if (vector.every((x) => x === 0)) refuse('a vector is all zeros')
  }
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** Length of a model's vectors: from the cassette or the cache, else from one that is asked for. */
async function vectorLength(calls: Calls, target: Target, role: LlmRole): Promise<number> {
  const { mode, cache, cassette } = calls.plant
  const key = sha256(`vector length of ${target.spec}`)
  const known =
    mode === 'replay' ? cassette?.vectorLength(target.spec) : Number((await cache?.get(key))?.text ?? Number.NaN)
  if (known) return known
  if (mode === 'replay') throw notRecorded(target, [])
  const { vectors, usage } = await request(calls, target, role, ['length'], null)
  const { length } = vectors[0]!
  await cache?.put(key, target.spec, { text: String(length), toolCalls: [], finish: 'stop', usage })
  return length
}

/** Keys of cassettes are told apart from those of replies by what they are of. */
function recordKey(id: string, text: string): string {
  return sha256(`embedding\0${id}\0${text}`)
}

function batches(texts: readonly string[], most: number): string[][] {
  const parts: string[][] = []
  let characters = 0
  for (const text of texts) {
    const last = parts.at(-1)
    if (last && last.length < most && characters + text.length <= BATCH_CHARACTERS) {
      last.push(text)
      characters += text.length
    } else {
      parts.push([text])
      characters = text.length
    }
  }
  return parts
}

function notRecorded(target: Target, texts: readonly string[]): LlmError {
  const shown = texts[0] === undefined ? 'any text' : `"${texts[0].slice(0, 80)}"`
  return new LlmError(
    'not_recorded',
    `The vector of ${shown} by ${target.spec} is not on the cassette.`,
    'Record the run again with the same texts and model, or run it live.',
  )
}
