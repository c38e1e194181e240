import { hasExclusivity } from '../../language/markers.js'
import { coverage } from '../../language/match.js'
import type { Fact } from '../../model/index.js'
import { hasCore } from './core.js'
import { isNearCopy, THERE, withoutNearCopies } from './near-copies.js'
import { formsOf } from './parts.js'
import type { Candidate, StoreIndex } from './store/store-index.js'
import { passages } from './store/view.js'

/** A part of a memory that is read in one go. */
export interface Chunk {
  memory: string
  text: string
  /** How much its memory is like others of its shape; only in a large store. */
  typical?: number
  /** Ids of memories that share as much with the fact and are as typical. */
  alike?: readonly string[]
}

/** A chunk with how near it is to a fact, about 0 to 1, and other memories with the same text. */
export type NearChunk = Chunk & { near: number; copies: readonly string[] }

/** Up to this size every memory of a store is compared with a fact; beyond, those that share words with it. */
const SMALL_STORE = 400
const SHARING = 48
/** What shares the same words as one of so many memories, none of them so much farther than the nearest, is compared, too: so many of each. */
const ALIKE = { memories: 12, farther: 0.15, most: 48, looked: 500 }
/** Longer memories are read in parts. */
const LONGEST = 320
const STATEMENTS = 3
/** Memories that are read together, none of them so much farther from the fact than the nearest one. */
const TOGETHER = 3
const FARTHER = 0.25
/** Memories that come this near to the nearest one may be versions of their own. */
export const AS_NEAR = 0.08
/** By so much nearness must differ where vectors were computed fast; it was seen to be off by 9e-7. */
const FAST_ERROR = 2e-5

/** A fact as one sentence, as far as it is one: what the entailment model is asked for. */
export function statementOf(fact: Fact): string {
  if (fact.cues.kind !== 'rule') return fact.text
  const [who, what, condition = ''] = (['who', 'what', 'condition'] as const).map((role) => formsOf(fact.cues, role)[0])
  const only = fact.cues.exclusive && !hasExclusivity(condition) ? 'only' : undefined
  return [who, what, only, condition].filter(Boolean).join(' ')
}

/**
 * What may hold a fact.
 *
 * @param sharing whether only memories that share words with it are looked at, whatever the size of the store
 */
export function chunksFor(fact: Fact, index: StoreIndex, sharing: boolean): Chunk[] {
  const texts = [statementOf(fact), ...fact.cues.parts.flatMap(({ forms }) => forms)]
  const all = !sharing && index.size <= SMALL_STORE
  const candidates: Omit<Candidate, 'score'>[] = all
    ? index.views().map((view) => ({ view }))
    : index.candidates(texts, SHARING)
  return candidates
    .flatMap(({ view, typical, alike }): Chunk[] => {
      const { text } = index.memory(view.id)!
      const chunk = { memory: view.id, ...(typical !== undefined && { typical }) }
      if (text.length <= LONGEST) return [{ ...chunk, text, ...(alike && { alike }) }]
      return passages(view, STATEMENTS)
        .filter(({ span, text: part }) => span === 1 || part.length <= LONGEST)
        .map(({ text: part }) => ({ ...chunk, text: part.slice(0, 3 * LONGEST) }))
    })
    .filter(({ text }) => hasCore(fact, text))
}

/** Chunks, and those that are like the nearest of them: words do not tell which of these is meant. */
export function withAlike(
  fact: Fact,
  index: StoreIndex,
  chunks: readonly Chunk[],
  nearness: (text: string) => number,
): readonly Chunk[] {
  const known = new Set(chunks.map(({ memory }) => memory))
  const statement = statementOf(fact)
  const scored = chunks.map((chunk) => ({ chunk, near: nearness(chunk.text) })).sort((a, b) => b.near - a.near)
  const others = scored
    .slice(0, ALIKE.memories)
    .filter(({ near }) => near >= scored[0]!.near - ALIKE.farther)
    .flatMap(({ chunk: { typical, alike = [] } }) =>
      alike
        .filter((id) => !known.has(id))
        .map((id) => ({ memory: id, text: index.memory(id)!.text, typical: typical! }))
        .sort(compare)
        .slice(0, ALIKE.looked)
        .filter(({ text }) => hasCore(fact, text))
        .map((chunk) => ({ chunk, score: coverage(statement, chunk.text).score }))
        .sort((a, b) => b.score - a.score)
        .slice(0, ALIKE.most),
    )
  return [...chunks, ...others.map(({ chunk }) => chunk)]
}

function compare(a: Chunk, b: Chunk): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : a.memory < b.memory ? -1 : 1
}

/** What comes near to a statement. */
export interface Nearest {
  /** What is read. */
  near: NearChunk[]
  /** The nearest of all, each of another memory: what one of them says may be taken back by the next. */
  beside: readonly Chunk[]
  /** Texts whose nearness must be exact, since a little more or less of it could change what is read. */
  close: readonly string[]
}

/**
 * The nearest chunk, and behind it, best first, those that have words of the statement which the ones before lack: what is told in several
 * memories is read together. No two of one memory, and no near copies: however many a store has, the same is read.
 */
export function nearestChunks(
  statement: string,
  chunks: readonly Chunk[],
  nearness: (text: string) => number,
): Nearest {
  const all = chunks
    .map((chunk) => ({ ...chunk, near: nearness(chunk.text) }))
    .sort((a, b) => b.near - a.near || compare(a, b))
  const { standing: scored, unclear } = withoutNearCopies(statement, all, AS_NEAR, FAST_ERROR)
  const [first] = scored
  if (!first) return { near: [], beside: [], close: [] }
  const picked = [first]
  let missing = without(statement, first.text)
  for (const chunk of scored) {
    if (picked.length === TOGETHER || missing === '' || chunk.near < first.near - FARTHER) break
    if (picked.some(({ memory, text }) => memory === chunk.memory || isNearCopy(chunk.text, text))) continue
    const left = without(missing, chunk.text)
    if (left === missing) continue
    missing = left
    picked.push(chunk)
  }
  const copiesOf = ({ text, memory }: Chunk) => all.filter((one) => one.text === text && one.memory !== memory)
  const near = picked.map((chunk) => ({ ...chunk, copies: copiesOf(chunk).map(({ memory }) => memory) }))
  const others = scored.filter(({ memory }, i) => scored.findIndex((one) => one.memory === memory) === i)
  const beside = others.slice(0, TOGETHER)
  return { near, beside, close: closeTexts(scored, new Set([...picked, ...beside].map(({ text }) => text)), unclear) }
}

/**
 * What is about as near as something that was taken, or as the edge of what counts, and what is about as near as that; with it all that was
 * taken, and near copies of which it is unclear whether one stands for another. Nothing, where all of it is clear.
 */
function closeTexts(
  scored: readonly { text: string; near: number }[],
  taken: ReadonlySet<string>,
  unclear: readonly string[],
): string[] {
  const edges = [scored[0]!.near - FARTHER, scored[0]!.near - AS_NEAR]
  const atEdge = scored.filter(({ near }) => edges.some((edge) => Math.abs(near - edge) < FAST_ERROR))
  const close = new Set([...taken, ...atEdge.map(({ text }) => text), ...unclear])
  let isClear = atEdge.length === 0 && unclear.length === 0
  // Down the list, and up again: a run of texts about as near as one another is close as a whole.
  for (const [i, next] of [...pairsOf(scored.length), ...pairsOf(scored.length).reverse()]) {
    const [one, other] = [scored[i]!, scored[next]!]
    if (one.text === other.text || one.near - other.near >= FAST_ERROR) continue
    if (!close.has(one.text) && !close.has(other.text)) continue
    isClear = false
    close.add(one.text).add(other.text)
  }
  return isClear ? [] : [...close]
}

function pairsOf(length: number): [number, number][] {
  return Array.from({ length: length - 1 }, (_, i) => [i, i + 1])
}

/** Those words of a text that say most and are not in another. */
function without(text: string, other: string): string {
  return coverage(text, other)
    .matches.filter(({ token, strength }) => strength < THERE && token.weight >= THERE)
    .map(({ token }) => token.text)
    .join(' ')
}
