import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Embedder } from 'memscope'
import { withVectorPacks } from 'memscope/retrieval'

/** A kind of thing, names of things of it, and how somebody may ask for those that are theirs. */
export interface Kind {
  kind: string
  names: readonly string[]
  ask: readonly string[]
}

/** Kinds, and questions that want one thing alone: what those that want several are told from. */
export interface KindTexts {
  kinds: readonly Kind[]
  single: readonly string[]
}

const DATA = new URL('../data/', import.meta.url)
let texts: KindTexts | undefined

/** What the package knows of kinds. */
export function kindTexts(): KindTexts {
  const linesOf = (file: string) =>
    readFileSync(new URL(file, DATA), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  texts ??= { kinds: linesOf('kinds.jsonl') as Kind[], single: linesOf('single-questions.jsonl') as string[] }
  return texts
}

/** Texts whose vectors are asked for; those of the embedder that Memscope ships are in the package. */
export function inventoryTexts({ kinds, single }: KindTexts): Record<'kind' | 'names' | 'ask' | 'one', string[]> {
  return {
    kind: kinds.map(({ kind }) => kind),
    names: kinds.map(({ names }) => names.join(', ')),
    ask: kinds.flatMap(({ ask }) => ask),
    one: [...single],
  }
}

/** Vectors of texts, from the package where it has them. */
export function packedVectors(embed: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  return withVectorPacks(embed, [fileURLToPath(new URL('kinds.bin', DATA))]).embed(texts)
}

/** Makes something once for an embedder, and again after a failure. */
export function onceFor<T>(made: Map<string, Promise<T>>, embed: Embedder, make: () => Promise<T>): Promise<T> {
  const id = `${embed.id}/${embed.dimensions}`
  const known = made.get(id)
  if (known) return known
  const making = make()
  made.set(id, making)
  making.catch(() => made.delete(id))
  return making
}
